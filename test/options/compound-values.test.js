import assert from 'node:assert/strict';
import { faults } from '../../src/options/compound-values.js';
import { assertRefused } from '../helpers/main.js';

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
    [[...CUT, '--app-work', '1ms'], /--app-work: --fault sends/],
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
