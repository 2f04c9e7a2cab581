import assert from 'node:assert/strict';
import { mainPartsText, unsampledText } from '../../src/why/code-words.js';

/**
 * @param {any} part
 * @param {number} more
 * @param {{package?: string, file?: string, name?: string}} [code]
 */
const change = (part, more, { package: owner, file, name = '' } = {}) => ({
  ...{ part, package: owner ?? null, file: file ?? null, name, line: null },
  ...{ perOp: Math.max(0, more), againstPerOp: Math.max(0, -more), more, samplingError: 0.01, error: 0.01 },
});

/** @param {number} more @param {ReturnType<typeof change>[]} kinds @param {ReturnType<typeof change>[]} modules */
const difference = (more, kinds, modules = []) => ({
  ...{
    cell: 'a',
    than: 'b',
    kind: /** @type {const} */ ('cpu'),
    unit: /** @type {const} */ ('µs'),
    offBy: 0,
    againstOffBy: 0,
  },
  ...{ perOp: 10 + more, againstPerOp: 10, kinds, modules, functions: [] },
});

describe('words/code-words', () => {
  it('warn that samples miss work where a client polls much of its time', () => {
    const costs = (/** @type {number} */ poll) =>
      /** @type {any} */ ({
        kind: 'cpu',
        perOp: 10,
        processes: 1,
        parts: [{ part: 'poll', package: null, perOp: poll }],
      });
    assert.equal(unsampledText([costs(1), costs(2)]), '');
    assert.match(unsampledText([costs(1), costs(3)]), /polling is an upper bound/);
  });

  it('says how much less the rest costs, where the parts that are named cost more than all', () => {
    const modules = [change('native', 4.8, { name: 'writeUtf8String' })];
    assert.equal(
      mainPartsText(difference(1.3, [change('native', 4.8)], modules)),
      '4.8 µs more in native code (writeUtf8String), but 3.5 µs less in all the rest',
    );
  });

  it('does not give what goes the other way for the reason', () => {
    assert.equal(
      mainPartsText(difference(3, [change('poll', -5.2), change('native', -4.4)])),
      '5.2 µs less in polling and reading sockets and 4.4 µs less in native code, but 13 µs more in all the rest',
    );
  });

  it('says nothing where no part is beyond the error', () => {
    assert.equal(mainPartsText(difference(1, [])), '');
  });
});
