import assert from 'node:assert/strict';
import { backgroundLoads, faults } from '../../src/options/compound-values.js';
import { assertRefused } from '../helpers/main.js';

describe('--beside', () => {
  it('reads commands with their rates, several of them, and sets of them', () => {
    const [none, one, two] = backgroundLoads(['none', 'get 1MB @ 20/s, EVAL 10ms@5/s + BLPOP  1s']);
    assert.deepEqual(none, []);
    assert.deepEqual(one, [{ name: 'GET 1mb @ 20/s', command: 'get', bytes: 1e6, ms: null, perSecond: 20 }]);
    assert.deepEqual(two, [
      { name: 'EVAL 10ms @ 5/s', command: 'eval', bytes: null, ms: 10, perSecond: 5 },
      { name: 'BLPOP 1s', command: 'blpop', bytes: null, ms: 1000, perSecond: null },
    ]);
  });

  it('reads what other clients send, at higher rates', () => {
    const [[part]] = backgroundLoads('get 1kb @ 50k/s  by others');
    assert.deepEqual(part, {
      ...{ name: 'GET 1kb @ 50000/s by others', command: 'get', bytes: 1000, ms: null, perSecond: 50_000 },
      byOthers: true,
    });
    assert.deepEqual(backgroundLoads([[part]]), [[part]]);
  });

  it('takes what it has read before, and each set once', () => {
    const read = backgroundLoads(['none', 'BLPOP 1s + SET 10 @ 1/s', 'blpop 1s+set 10@1/s']);
    assert.equal(read.length, 2);
    assert.deepEqual(backgroundLoads(read), read);
  });

  for (const wrong of [
    '',
    'GET',
    'GET 1mb',
    'GET 1mb @ 0/s',
    'GET 1mb @ 20',
    'GET 1tb @ 20/s',
    'GET 1.5 @ 20/s',
    'GET 1kb @ 11k/s',
    'GET other:key @ 20/s',
    'EVAL 2s @ 1/s',
    'EVAL 10ms',
    'BLPOP 0s',
    'BLPOP 1m',
    'BLPOP -1s',
    'FLUSHALL',
    'DEL 1mb @ 20/s',
    'constructor 1mb @ 20/s',
    'GET 1mb @ 20/s +',
    'GET 1mb @ 20000/s',
    'GET 1mb @ 200000/s by others',
    'GET 1mb by others',
    'GET 1mb @ 20/s by me',
    'EVAL 10ms @ 5/s by others',
    'BLPOP 1s by others',
    7,
    null,
    {},
    [{}],
  ]) {
    it(`refuses ${JSON.stringify(wrong)}`, () => {
      assert.throws(() => backgroundLoads(wrong), {
        message: /^expected none, or commands and their rates such as/,
      });
    });
  }
});

describe('--fault', () => {
  it('is a list of faults, with what is usual where nothing is said', () => {
    const read = faults(
      'none, cut,stall,stall:500ms,slow:20ms,slow:20ms:3s,restart,restart:data,restart:data:3s,cut,freeze,idle-drop:3s',
    );
    assert.deepEqual(
      read.map(({ name, byMs, lastsMs, keepsData }) => [name, byMs, lastsMs, keepsData]),
      [
        ['none', null, null, false],
        ['cut', null, null, false],
        ['stall', null, 2000, false],
        ['stall:500ms', null, 500, false],
        ['slow:20ms', 20, 2000, false],
        ['slow:20ms:3s', 20, 3000, false],
        ['restart', null, 1000, false],
        ['restart:data', null, 1000, true],
        ['restart:data:3s', null, 3000, true],
        ['freeze', null, 2000, false],
        ['idle-drop:3s', 3000, null, false],
      ],
    );
    assert.deepEqual(faults(read), read, 'as suites and saved settings have them');
  });

  for (const wrong of [
    'cutt',
    'cut:2s',
    'stall:soon',
    'slow:1ms:1s:1s',
    'oom:data',
    '',
    'restart:2s:data',
    'freeze:1s:1s',
    'idle-reset:1s:1s',
  ]) {
    it(`refuses '${wrong}' and says what there is`, () => {
      assert.throws(() => faults(wrong), /expected none, cut, half-open, stall:2s.*; got '/);
    });
  }

  const CUT = ['--fault', 'cut'];
  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [['--fault-at', '2s'], /--fault-at says when --fault strikes; add --fault/],
    [[...CUT, '--fault-at', '10s'], /--fault-at: expected a time before the end of a run/],
    [
      [...CUT, '--workload', 'queue:apart'],
      /--fault follows single commands and requests, not queue:apart; use --workload append, set, get or another/,
    ],
    [[...CUT, '--workload', 'stream'], /commands and requests, not stream/],
    [[...CUT, '--workload', 'publish:3'], /commands and requests, not publish:3/],
    [
      [...CUT, '--workload', 'store:50'],
      /each operation needs keys of its own, 1,205,000 in all, and 200,000 is/,
    ],
    [['--workload', 'append'], /append is for --fault alone; choose another --workload/],
    [[...CUT, '--rate-search', '1000-2000'], /--rate-search: --fault sends/],
    [[...CUT, '--beside', 'BLPOP 1s'], /--beside: --fault sends/],
    [[...CUT, '--latency', 'off'], /--latency off records none/],
    [[...CUT, '--clients', 'raw'], /raw has no reconnecting of its own/],
    [[...CUT, '--pipelining', 'explicit:10'], /a batch \(explicit:10\) fails as one/],
    [[...CUT, '--transport', 'unix'], /which unix sockets do not support; use tcp or tls/],
    [[...CUT, '--rate', '50000'], /--rate may be at most 20000/],
    [
      ['--fault', 'restart', '--url', 'redis://127.0.0.1:1'],
      /'restart' is only injected into a managed server, never into yours/,
    ],
    [
      ['--fault', 'oom', '--topology', 'cluster'],
      /'oom' needs a single server; a cluster can have none, cut/,
    ],
    [
      ['--fault', 'oom', '--topology', 'sentinel'],
      /'oom' needs a single server; a primary behind Sentinels can have .* or switchover/,
    ],
    [['--fault', 'switchover'], /'switchover' is ordered of Sentinels; use --topology sentinel/],
    [
      ['--idle', '0,5s', '--fault', 'idle-drop:5s'],
      /'idle-drop:5s' strikes connections that are idle for longer; add a longer --idle/,
    ],
    [['--idle', '5s', '--workload', 'queue:shared'], /--fault follows .* not queue:shared/],
    [['--idle', 'long'], /--idle: expected a time such as .*, or 0, got 'long'/],
  ])) {
    it(`${args.join(' ')} is refused with a reason`, () => assertRefused(args, message));
  }
});
