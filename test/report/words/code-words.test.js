import assert from 'node:assert/strict';
import { mainPartsText, placeText, unsampledText } from '../../../src/report/words/code-words.js';

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

  it('names the largest parts, with their files', () => {
    const kinds = [change('node', 5.2), change('garbage', 3.1), change('package', 1.4), change('tool', 0.2)];
    const modules = [
      change('node', 4, { file: 'internal/abort_controller' }),
      change('package', 1.2, { package: '@redis/client', file: 'dist/lib/client/commands-queue.js' }),
      change('node', 1, { file: 'timers' }),
    ];
    assert.equal(
      mainPartsText(difference(9.9, kinds, modules)),
      "5.2 µs more in Node's abort_controller and timers and 3.1 µs in garbage collection",
    );
  });

  it('says how much of a part is in the files that it names, where that is not nearly all', () => {
    const modules = [
      change('node', 2.3, { file: 'internal/abort_controller' }),
      change('node', 0.7, { file: 'internal/event_target' }),
    ];
    assert.equal(
      mainPartsText(difference(4.4, [change('node', 4.4)], modules)),
      "4.4 µs more in Node's own JavaScript (3 µs in abort_controller and event_target)",
    );
  });

  it('tells what goes the other way, where it is much', () => {
    const kinds = [change('native', 4.5), change('garbage', -1.7), change('node', -0.1)];
    const modules = [change('native', 4.4, { name: 'writeUtf8String' })];
    assert.equal(
      mainPartsText(difference(2.7, kinds, modules)),
      '4.5 µs more in native code (writeUtf8String), but 1.7 µs less in garbage collection',
    );
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

  it('names a function as a reader finds it', () => {
    const file = { package: 'redis', file: 'lib/queue.js', name: 'push' };
    assert.equal(placeText({ ...change('package', 1, file), line: 7 }), 'redis lib/queue.js:7 push');
    assert.equal(
      placeText({ ...change('node', 1, { file: 'timers', name: 'setTimeout' }), line: 3 }),
      'node:timers:3 setTimeout',
    );
    assert.equal(placeText(change('garbage', 1, { name: 'garbage collection' })), 'garbage collection');
  });
});
