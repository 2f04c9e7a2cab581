import assert from 'node:assert/strict';
import { confirm, mayLack } from '../../src/store/confirmed.js';

const FACTS = {
  opensDuringRun: false,
  isWatched: false,
  noInfo: /** @type {const} */ ('denied'),
  caches: false,
};

/** @typedef {Record<string, number>} Calls */

/**
 * @param {Calls} claimed @param {{calls?: Calls | null, commands?: number | null}} seen
 * @param {Partial<typeof FACTS & {uncounted: number, cached: number | null, errors: Calls}>} [more]
 */
function confirmed(claimed, { calls = null, commands = null }, more = {}) {
  const { uncounted = 0, cached = null, errors = {}, ...facts } = more;
  const observed = {
    ...{
      measured: { calls: claimed, errors, answeredByCaches: cached },
      seen: { calls, commands },
      uncounted,
    },
  };
  return confirm(/** @type {any} */ (observed), { ...FACTS, ...facts });
}

describe('what the server does not confirm', () => {
  /** @type {[string, Parameters<typeof confirmed>, RegExp][]} */
  const FAILED = [
    [
      'reads that were never sent',
      [{ get: 16_000 }, { calls: {} }],
      /^the server counted 0 of 16,000 GET that the client claims; .*caches: true$/,
    ],
    ['2 % of the reads', [{ get: 1000 }, { calls: { get: 980 } }], /counted 980 of 1,000 GET/],
    [
      'a single write',
      [{ set: 1000 }, { calls: { set: 999 } }],
      /^the server counted 999 of 1,000 SET that the client claims$/,
    ],
    [
      'few writes among many reads',
      [{ get: 1e5, set: 10 }, { calls: { get: 1e5 } }],
      /^the server counted 0 of 10 SET/,
    ],
    ['both', [{ get: 100, set: 10 }, { calls: { get: 1, set: 2 } }], /counted 1 of 100 GET, 2 of 10 SET/],
    [
      'writes beside a cache',
      [{ get: 100, set: 10 }, { calls: { get: 50, set: 0 } }, { cached: 50 }],
      /50, and its cache 50, of 110 commands, 0 of 10 SET/,
    ],
    [
      'more than a cache answered',
      [{ get: 1000 }, { calls: { get: 100 } }, { cached: 800 }],
      /counted 100, and its cache 800, of 1,000 commands/,
    ],
    [
      'writes of a client that may cache',
      [{ set: 10 }, { calls: {} }, { caches: true }],
      /0 of 10 SET that the client claims$/,
    ],
    ['scripts', [{ eval: 100 }, { calls: { eval: 50, get: 200 } }], /50 of 100 EVAL/],
    [
      'of a server that counts only all commands',
      [{ get: 1000 }, { commands: 900 }],
      /counted 900 of 1,000 commands/,
    ],
    [
      'where connections are opened, too',
      [{ get: 1000 }, { commands: 900 }, { opensDuringRun: true }],
      /900 of 1,000/,
    ],
    ['all writes, by all commands', [{ set: 1000 }, { commands: 999 }], /999 of 1,000 commands/],
  ];
  for (const [what, given, text] of FAILED) {
    it(`fails: ${what}`, () => assert.match(String(confirmed(...given).unconfirmed), text));
  }

  /** @type {[string, Parameters<typeof confirmed>][]} */
  const PASSED = [
    ['all', [{ get: 10, set: 5 }, { calls: { get: 10, set: 5 } }]],
    ['subcommands', [{ object: 10 }, { calls: { 'object|encoding': 10 } }]],
    ['more, by other programs', [{ get: 10 }, { calls: { get: 1000 } }]],
    ['1 % of reads missing', [{ get: 1000 }, { calls: { get: 990 } }]],
    ['what a cache answered', [{ get: 1000 }, { calls: { get: 100 } }, { cached: 900 }]],
    ['what a client that says that it caches left out', [{ get: 1000 }, { calls: {} }, { caches: true }]],
    [
      'a command of a module that is counted by another name',
      [{ 'my.get': 10 }, { calls: { 'mymodule.get': 10 } }],
    ],
    ['a run that failed', [{ get: 10 }, { calls: {} }, { errors: { ECONNRESET: 1 } }]],
    ['a server whose counters were reset', [{ get: 10 }, {}]],
    ['a server that does not count what this tool sends', [{ set: 10 }, { calls: {} }, { uncounted: 1 }]],
  ];
  for (const [what, given] of PASSED) {
    it(`does not fail: ${what}`, () => assert.equal(confirmed(...given).unconfirmed, null));
  }

  it('is a warning where the server does not count what this tool sends, with the reason', () =>
    assert.deepEqual(
      confirmed({ set: 10 }, { calls: {} }, { uncounted: 3 }).warnings.map(({ kind }) => kind),
      ['command-miscounted', 'server-miscounts'],
    ));

  it('are hits of a cache for a client that says that it has one', () => {
    const hits = (/** @type {Parameters<typeof confirmed>} */ ...given) => confirmed(...given).cacheHits;
    assert.equal(hits({ get: 100, set: 10 }, { calls: { get: 40, set: 10 } }, { caches: true }), 60);
    assert.equal(hits({ get: 100 }, { commands: 40 }, { caches: true }), 60);
    assert.equal(hits({ get: 100 }, {}, { caches: true }), null);
    assert.equal(hits({ get: 100 }, { calls: { get: 40 } }), null);
  });

  it('is looked into before the client is blamed, and only then', () => {
    const seen = (/** @type {Calls | null} */ calls, /** @type {number | null} */ commands) =>
      mayLack(/** @type {any} */ ({ calls, commands }), { get: 10, set: 5 });
    assert.deepEqual(
      [
        seen({ get: 10, set: 5 }, 15),
        seen({ get: 90, set: 4 }, 99),
        seen(null, 14),
        seen(null, 15),
        seen(null, null),
      ],
      [false, true, true, false, false],
    );
    assert.equal(mayLack(null, { get: 1 }), false);
  });
});
