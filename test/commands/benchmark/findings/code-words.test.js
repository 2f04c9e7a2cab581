import assert from 'node:assert/strict';
import { mainPartText, unsampledText } from '../../../../src/commands/benchmark/findings/code-words.js';

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
    missesMuch: false,
  },
  ...{ perOp: 10 + more, againstPerOp: 10, kinds, modules, functions: [] },
});

describe('commands/benchmark/findings/code-words', () => {
  it('say how much of the CPU time samples miss, or count too much, beyond a fifth', () => {
    const costs = (/** @type {number} */ missed) =>
      /** @type {any} */ ({ kind: 'cpu', processes: 1, missed });
    assert.equal(unsampledText([costs(0.1), costs(-0.2)]), '');
    assert.match(
      unsampledText([costs(0.1), costs(0.3)]),
      /samples miss up to 30 % of the CPU time.*upper bound/,
    );
    assert.match(unsampledText([costs(0.1), costs(-0.5)]), /samples count up to 50 % more than the CPU time/);
  });

  it('names no part where samples miss more than a fifth', () => {
    const plain = difference(6, [change('native', 4.8)]);
    assert.equal(mainPartText(plain), '4.8 µs more in native code');
    assert.equal(mainPartText({ ...plain, missesMuch: true }), null);
  });

  it('names a file of the user by its name', () => {
    const own = change('other', 4.8, { file: 'wrap.js' });
    assert.equal(mainPartText(difference(6, [own], [own])), '4.8 µs more in wrap.js');
  });

  it('names the main part of a difference, and none that is small, uncertain, or outweighed by others', () => {
    const modules = [change('native', 4.8, { name: 'writeUtf8String' })];
    const native = [change('native', 4.8)];
    for (const [more, kinds, text] of /** @type {[number, ReturnType<typeof change>[], string | null][]} */ ([
      [6, native, '4.8 µs more in native code (mostly writeUtf8String)'],
      [1.3, native, null],
      [30, native, null],
      [-6, [change('poll', -5.2), ...native], '5.2 µs less in polling and reading sockets'],
      [3, [change('poll', -5.2), change('native', -4.4)], null],
      [1, [], null],
    ]))
      assert.equal(mainPartText(difference(more, kinds, modules)), text);
  });
});
