import assert from 'node:assert/strict';
import fc from 'fast-check';
import { figuresOf, parseAssertion } from '../../../src/benchmark/assertions/parse.js';
import { UsageError } from '../../../src/core/errors.js';

describe('assertions/parse', () => {
  it('reads names with hyphens, colons, slashes, versions and quotes, and calculates with none of them', () => {
    for (const [text, cell, metric] of [
      ['shared-connection.opsPerSecond > 1', 'shared-connection', 'opsPerSecond'],
      ['redis:tuned/pool.p99Us > 1', 'redis:tuned/pool', 'p99Us'],
      ['redis@4.7.1/pool.p99Us > 1', 'redis@4.7.1/pool', 'p99Us'],
      ['pool/1000x1000/8.averageMs>1', 'pool/1000x1000/8', 'averageMs'],
      ['redis#2.averageMs > 1', 'redis#2', 'averageMs'],
      ['"redis, shared connection".p50Us > 1', 'redis, shared connection', 'p50Us'],
      ["'redis, pool'.p50Us > 1", 'redis, pool', 'p50Us'],
      ['or-else.p50Us > 1', 'or-else', 'p50Us'],
    ]) {
      const [figure] = figuresOf(parseAssertion(text));
      assert.deepEqual([figure.cell, figure.metric], [cell, metric], text);
    }
  });

  it('finds every figure, also those next to operators without blanks', () => {
    const names = (/** @type {string} */ text) => figuresOf(parseAssertion(text)).map(({ cell }) => cell);
    assert.deepEqual(names('a.p99Us/2>b.p99Us-3'), ['a', 'b']);
    assert.deepEqual(names('2/a.p99Us<1 and(b.p50Us+1)*c.p50Us<=1 or d.p90Us>.5'), ['a', 'b', 'c', 'd']);
  });

  /** Where a mark stands below the text, and what is said. */
  const REFUSED = /** @type {[text: string, at: number, why: RegExp][]} */ ([
    ['pool.p99Us >= >= 5', 14, /expected a number, a figure .*got '>='/],
    ['pool.p99Us', 10, /expected a comparison/],
    ['pool.p99Us > 1 and', 18, /but the text ends here/],
    ['pool.p98 > 1', 5, /unknown metric 'p98'; there are .*p99Us/],
    ['(pool.p99Us > 1', 15, /expected '\)'/],
    ['pool.p99Us > 1)', 14, /expected an operator or the end, got '\)'/],
    ['pool.p99Us == 1', 11, /never equal; expected >= or <=/],
    ['pool.p99Us != 1', 11, /never equal/],
    ['1 and 2', 2, /expected a comparison left of 'and', got '1'/],
    ['a.p99Us < b.p99Us < c.p99Us', 18, /expected a number or a figure left of '<'/],
    ['pool > 1', 0, /expected a cell and its metric.*got 'pool'/],
    ['pool.p99Us > $5', 13, /'\$' means nothing/],
    ['pool.p99Us > "x', 13, /got '"x'/],
    ['-pool.p99Us > 1', 0, /only a number can be negative/],
    ['', 0, /text ends here/],
    ['a.__proto__ > 1', 0, /expected a cell and its metric/],
    ['a.constructor > 1', 2, /unknown metric 'constructor'/],
  ]);
  for (const [text, at, why] of REFUSED) {
    it(`shows the place in: ${text}`, () => {
      assert.throws(
        () => parseAssertion(text),
        (error) => {
          assert.ok(error instanceof UsageError);
          const [message, shown, mark] = error.message.split('\n');
          assert.match(message, why);
          assert.equal(shown, `  ${text}`);
          assert.equal(mark, `  ${' '.repeat(at)}^`);
          return true;
        },
      );
    });
  }

  it('refuses what is longer than any person writes', () =>
    assert.throws(() => parseAssertion('('.repeat(100_000)), {
      name: 'UsageError',
      message: /at most 1000/,
    }));

  it('never fails in another way, whatever is written', () => {
    const words = fc.constantFrom(
      ...[
        'a.p99Us',
        '"b, c".opsPerSecond',
        '1',
        '5 %',
        '(',
        ')',
        '<',
        '>=',
        '+',
        '-',
        '*',
        '/',
        'and',
        'or',
        ' ',
        '=',
        '.',
        '"',
      ],
    );
    const written = fc.oneof(
      fc.array(words, { maxLength: 30 }).map((each) => each.join(' ')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(written, (text) => {
        try {
          assert.equal(parseAssertion(text).isTruth, true);
        } catch (error) {
          assert.ok(error instanceof UsageError, String(error));
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
