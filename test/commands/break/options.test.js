import assert from 'node:assert/strict';
import { OPTIONS } from '../../../src/commands/break/options.js';
import { assertRefused } from '../../helpers/main.js';

const faults = OPTIONS.fault.kind;

describe('break', () => {
  it('is a list of faults, with what is usual where nothing is said', () => {
    const read = faults(
      'none, cut,stall,stall:500ms,slow:20ms,slow:20ms:3s,restart,restart:data,restart:data:3s,cut,freeze,loading,oom:1s,idle-drop:3s',
    );
    assert.deepEqual(
      read.map((/** @type {any} */ { name, byMs, lastsMs, keepsData }) => [name, byMs, lastsMs, keepsData]),
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
        ['loading', null, 2000, true],
        ['oom:1s', null, 1000, false],
        ['idle-drop:3s', 3000, null, false],
      ],
    );
    assert.deepEqual(faults(read), read, 'as saved settings have them');
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
      assert.throws(() => faults(wrong), /expected cut, half-open, stall:2s.*; got '/);
    });
  }

  const CUT = ['break', 'cut'];
  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [
      [...CUT, '--fault-at', '10s', '--duration', '10s'],
      /--fault-at: expected a time before the end of a run/,
    ],
    [
      [...CUT, '--workload', 'queue:apart'],
      /'redis-pipe-bench messages --workload queue:apart' measures it, without a fault$/m,
    ],
    [
      [...CUT, '--workload', 'store:50'],
      /each operation needs keys of its own, 1,205,000 in all, and 200,000 is/,
    ],
    [['--workload', 'append'], /type redis-pipe-bench break$/m],
    [[...CUT, '--app-work', '1ms'], /break does not take --app-work; 'redis-pipe-bench break --help' lists/],
    [[...CUT, '--clients', 'raw'], /raw has no reconnecting of its own/],
    [[...CUT, '--transport', 'unix'], /which unix sockets do not support; use tcp or tls/],
    [[...CUT, '--rate', '50000'], /--rate may be at most 20000/],
    [
      [...CUT, '--url', 'redis://127.0.0.1:1'],
      /starts servers of its own, because yours must not break; leave/,
    ],
    [
      ['break', 'maxclients', '--topology', 'cluster'],
      /'maxclients' needs a single server; a cluster can have none, cut/,
    ],
    [
      ['break', 'maxclients', '--topology', 'sentinel'],
      /'maxclients' needs a single server; a primary behind Sentinels can have .* switchover/,
    ],
    [['break', 'switchover'], /'switchover' is ordered of Sentinels; use --topology sentinel/],
    [
      ['break', 'idle-drop:5s', '--idle', '0,5s'],
      /'idle-drop:5s' strikes connections that are idle for longer; add a longer --idle/,
    ],
    [[...CUT, '--idle', 'long'], /--idle: expected a time such as .*, or 0, got 'long'/],
    [['cold', '--tasks', '8'], /cold does not take --tasks/],
    [['--workload', 'get,cold-start'], /type redis-pipe-bench cold$/m],
    [['messages', '--workload', 'get'], /expected one of queue, stream, publish for messages, got 'get'/],
  ])) {
    it(`${args.join(' ')} is refused with a reason`, () => assertRefused(args, message));
  }
});
