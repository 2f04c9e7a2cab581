import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseAssertion } from '../../../../src/commands/benchmark/assertions.js';
import { UsageError } from '../../../../src/errors.js';
import { fuzz } from '../../../helpers/nightly.js';
import { anyText } from '../../../helpers/poison.js';

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
      const [{ left }] = parseAssertion(text);
      assert.deepEqual([left.figure?.cell, left.figure?.metric], [cell, metric], text);
    }
  });

  it('finds every figure, also those next to operators without blanks', () => {
    const text = '2*a.p99Us<.5*b.p99Us and 110 %*c.p50Us>=d.p90Us';
    const sides = parseAssertion(text).flatMap(({ left, right }) => [left, right]);
    assert.deepEqual(
      sides.map(({ factor, figure }) => [factor, figure?.cell]),
      [
        [2, 'a'],
        [0.5, 'b'],
        [1.1, 'c'],
        [1, 'd'],
      ],
    );
  });

  /** Where a mark stands below the text, and what is said. */
  const REFUSED = /** @type {[text: string, at: number, why: RegExp][]} */ ([
    ['pool.p99Us >= >= 5', 14, /expected a number, or a figure .*got '>='/],
    ['pool.p99Us', 10, /expected <, <=, > or >=, but the text ends here/],
    ['pool.p99Us > 1 and', 18, /but the text ends here/],
    ['pool.p98 > 1', 5, /unknown metric 'p98'; there are .*p99Us/],
    ['(pool.p99Us > 1)', 0, /expected a number, or a figure/],
    ['pool.p99Us > 1 or pool.p99Us < 2', 15, /expected 'and' or the end, got 'or'/],
    ['pool.p99Us > 1 + 2', 15, /expected 'and' or the end, got '\+'/],
    ['pool.p99Us == 1', 11, /expected <, <=, > or >=, got '=='/],
    ['a.p99Us < b.p99Us < c.p99Us', 18, /expected 'and' or the end/],
    ['pool > 1', 0, /expected a number, or a figure .*got 'pool'/],
    ['pool.p99Us > $5', 13, /got '\$5'/],
    ['-pool.p99Us > 1', 0, /expected a number, or a figure/],
    ['', 0, /text ends here/],
    ['a.__proto__ > 1', 0, /expected a number, or a figure/],
    ['a.constructor > 1', 2, /unknown metric 'constructor'/],
  ]);
  for (const [text, at, why] of REFUSED) {
    it(`shows the place in: ${text}`, () => {
      assert.throws(
        () => parseAssertion(text),
        (error) => {
          assert.ok(error instanceof UsageError);
          assert.match(error.message, why);
          assert.ok(error.message.endsWith(`, at character ${at + 1} of '${text}'`), error.message);
          return true;
        },
      );
    });
  }

  it('refuses what is longer than any person writes', () =>
    assert.throws(() => parseAssertion('1'.repeat(100_000)), {
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
      anyText({ maxLength: 60 }),
    );
    fc.assert(
      fc.property(written, (text) => {
        try {
          assert.ok(parseAssertion(text).length > 0);
        } catch (error) {
          assert.ok(error instanceof UsageError, String(error));
        }
      }),
      fuzz(2000),
    );
  });
});
