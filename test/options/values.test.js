import assert from 'node:assert/strict';
import * as kinds from '../../src/options/values.js';

/**
 * @param {(value: unknown) => any} kind
 * @param {[unknown, unknown][]} good what is given, what it becomes
 * @param {unknown[]} bad
 * @param {RegExp} expected in the message
 */
function check(kind, good, bad, expected) {
  for (const [given, value] of good) {
    it(`takes ${JSON.stringify(given)}`, () => assert.deepEqual(kind(given), value));
  }
  for (const given of bad) {
    it(`refuses ${JSON.stringify(given) ?? given}`, () => {
      assert.throws(() => kind(given), { message: expected });
    });
  }
}

describe('options/values', () => {
  describe('positiveInteger', () =>
    check(
      kinds.positiveInteger,
      [
        ['1', 1],
        ['42', 42],
        [7, 7],
        ['10k', 10_000],
        ['1.005K', 1005],
        ['1m', 1_000_000],
      ],
      [
        '0',
        '-1',
        '1.5',
        '1e3',
        '',
        'x',
        ' ',
        0,
        1.5,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        '99999999999999999',
        '100kb',
        '1.0005k',
        '0.1',
        '1kk',
        'k',
        '10000000g',
        null,
      ],
      /expected a positive whole number, got '/,
    ));

  describe('naturalNumber', () =>
    check(
      kinds.naturalNumber,
      [
        ['0', 0],
        [0, 0],
        ['315067', 315_067],
      ],
      ['-1', '0.5', '', -1],
      /0 or more/,
    ));

  describe('microseconds', () =>
    check(
      kinds.microseconds,
      [
        ['0', 0],
        ['5us', 5],
        ['5 µs', 5],
        ['0.5ms', 500],
        ['10s', 10_000_000],
        [50, 50],
      ],
      ['', '50', '-1us', '0.5us', '11s', '1m', '1 h', 'x', 'us', -1, 10_000_001, Number.NaN, null],
      /expected a time such as 50us, 0\.5ms or 2ms, up to 10s, or 0, got /,
    ));

  describe('taskCount', () =>
    check(
      kinds.taskCount,
      [['100000', 100_000]],
      ['0', '100001', '8 ', '٣', '101k', '1b'],
      /from 1 to 100000/,
    ));

  describe('size', () =>
    check(
      kinds.size,
      [
        ['512000000', 512_000_000],
        ['512mb', 512_000_000],
        ['100kb', 100_000],
        ['1.5 MB', 1_500_000],
        ['64b', 64],
        ['1k', 1000],
      ],
      ['0', '0kb', '512000001', '513mb', '1gb', '1.5', '0.0001kb', 'kb', '1kib', '-1kb', '1e3', null, {}],
      /expected a length from 1 to 512mb, such as 1000 or 100kb, got /,
    ));

  describe('sizeRange', () =>
    check(
      kinds.sizeRange,
      [
        ['1kb-100kb', [1000, 100_000]],
        ['500-1.5mb', [500, 1_500_000]],
        ['2mb', [2_000_000, 2_000_000]],
      ],
      ['100kb-1kb', '1kb-', '-1kb', '1kb-2kb-3kb', '1kb-1tb'],
      /expected a length/,
    ));

  describe('rateRange', () =>
    check(
      kinds.rateRange,
      [
        ['10k-400k', [10_000, 400_000]],
        ['500-1.5m', [500, 1_500_000]],
      ],
      ['400k-10k', '10k', '10k-11m', '1kb-2kb'],
      /expected (the lowest|operations per second)/,
    ));

  describe('a whole number of a plugin', () =>
    check(
      kinds.ofSchema({ type: 'integer', minimum: 1, maximum: 20_000 }),
      [
        ['10k', 10_000],
        ['7', 7],
      ],
      ['21k', '0', '1.5', '1kb', '', 'k'],
      /expected a whole number from 1 to 20000, got /,
    ));

  describe('connectionCount', () =>
    check(kinds.connectionCount, [['10000', 10_000]], ['0', '10001'], /from 1 to 10000/));

  describe('duration', () =>
    check(
      kinds.duration,
      [
        ['300ms', 300],
        ['5s', 5000],
        ['2m', 120_000],
        ['1.5s', 1500],
        ['2 s', 2000],
        [250, 250],
      ],
      ['300', '0ms', '0s', '-5s', 's', '1.2.3s', '5 parsecs', '', 0, -1],
      /a time such as 300ms, 5s or 2m/,
    ));

  describe('iterations', () => {
    const cost = { budget: 1e9, perOperation: 30_000, perByte: 5 };
    check(
      kinds.iterations,
      [
        ['auto', 'auto'],
        ['50', 50],
        [cost, cost],
      ],
      ['0', '1.5', 'many', '', null, {}, { ...cost, perByte: 0 }],
      /'auto' or a positive whole number/,
    );
  });

  describe('oneOf', () =>
    check(kinds.oneOf(['apart', 'off']), [['off', 'off']], ['', 'on', 'APART'], /one of apart, off, got '/));

  describe('listOf', () => {
    check(
      kinds.listOf(kinds.positiveInteger),
      [
        ['2', [2]],
        ['2,4,8', [2, 4, 8]],
        [' 2 , 4', [2, 4]],
        ['4,4,2,4', [4, 2]],
        [
          [1, '2'],
          [1, 2],
        ],
        [8, [8]],
      ],
      ['', '2,', ',2', '2,x', []],
      /expected/,
    );
    it('says which member is wrong', () => {
      assert.throws(() => kinds.listOf(kinds.positiveInteger)('2,many,4'), /got 'many'/);
    });
  });

  describe('text', () => check(kinds.text, [['x', 'x']], ['', 1, null], /a text that is not empty/));

  describe('flag', () =>
    check(
      kinds.flag,
      [
        [true, true],
        [false, false],
      ],
      ['true', '', 1],
      /true or false/,
    ));

  it('an argument takes no name of another along, unless it is made of such names', () => {
    const read = kinds.namesAmong(['get', 'mix', 'per-process', 'publish', 'queue', 'set', 'stream']);
    for (const [given, expected] of [
      ['queue:apart,stream', ['queue:apart', 'stream']],
      ['publish:2,queue:apart, stream:apart,get', ['publish:2', 'queue:apart', 'stream:apart', 'get']],
      ['mix:get=95,set=5,queue', ['mix:get=95,set=5', 'queue']],
      ['mix:get=95,fetch:20=5,set', ['mix:get=95,fetch:20=5', 'set']],
      ['get,mix:fetch:20=5,get=1', ['get', 'mix:fetch:20=5,get=1']],
      ['per-process:set,get,queue:apart,set', ['per-process:set,get', 'queue:apart', 'set']],
      ['our:fast,slow,get', ['our:fast,slow', 'get']],
    ])
      assert.deepEqual(read(given), expected);
  });

  describe('names', () =>
    check(
      kinds.names,
      [
        ['get, set', ['get', 'set']],
        ['get,mix:get=80,set=20,set', ['get', 'mix:get=80,set=20', 'set']],
        ['explicit:1,5,none', ['explicit:1', 'explicit:5', 'none']],
        ['set,exists,per-process:set,exists', ['set', 'exists', 'per-process:set,exists']],
        ['per-process:set,exists,mix:get=8,set=2,get', ['per-process:set,exists', 'mix:get=8,set=2', 'get']],
        ['per-process:set,get,set-get', ['per-process:set,get,set-get']],
        ['command:INCR {key},get', ['command:INCR {key}', 'get']],
        [
          ['per-process:set,exists', 'get'],
          ['per-process:set,exists', 'get'],
        ],
      ],
      ['', ','],
      /expected a text that is not empty/,
    ));
});
