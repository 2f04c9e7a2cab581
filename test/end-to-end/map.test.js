import assert from 'node:assert/strict';
import { join } from 'node:path';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { timed } from '../helpers/timed.js';

const SMALL = [
  'map',
  ...['--tasks', '1,32', '--rtt', '0,2ms', '--size', '10', '--duration', '40ms'],
  ...['--clients', 'ioredis', '--scenarios', 'shared-connection,pool', '--pool-size', '2', '--budget', '10s'],
];

describe('end to end: map', () => {
  afterEach(endStarted);

  timed(
    'finds that far away a pool keeps up with one task and not with many, and can be shown again',
    async () => {
      const before = performance.now();
      const { code, stdout, stderr, temp } = await runCli(SMALL);
      assert.equal(code, 0, stderr);
      assert.ok(performance.now() - before < 10_000 * 1.1, 'the budget is for all of it');
      assert.match(stdout, /The fastest choice by round trip\n +no added distance +2 ms\n/);
      // 2 of 32 tasks at a time: 16 times slower, on any machine.
      const [, near = '', far = ''] =
        /^ 32 tasks +(\S+(?: [\d.]+x)?) +(\S+(?: [\d.]+x)?)$/m.exec(stdout) ?? [];
      assert.match(far, /^[AB] [\d.]+x$/, stdout);
      assert.notEqual(near, '-', stdout);
      assert.match(stderr, /a map of 4 points, 8 cells, in at most about 10 s/);
      assert.match(stderr, /point 4 of 4, start 1 done/);
      assert.deepEqual(leftovers(temp), []);

      const env = { XDG_STATE_HOME: join(temp, 'state') };
      const again = await runCli(['report', 'last'], { env });
      assert.equal(again.code, 0, again.stderr);
      assert.equal(withoutCommand(again.stdout), withoutCommand(stdout));
      const json = await runCli(['report', 'last', '--format', 'json'], { env });
      const [map] = JSON.parse(json.stdout).findings;
      const [one] = map.points.filter((/** @type {any} */ { row, column }) => row === 1 && column === 1);
      assert.equal(one.state, 'decided');
      assert.match(one.winners.join(), /^ioredis:default\/shared-connection\//);
    },
  );

  timed('shows that far away a request of 20 keys is worth an MGET', async () => {
    const { code, stdout, stderr } = await runCli([
      ...['map', '--workload', 'fetch:2,fetch:20', '--way', 'mget,one-by-one', '--rtt', '0,2ms'],
      ...['--tasks', '1', '--size', '10', '--duration', '40ms', '--clients', 'ioredis'],
      ...['--scenarios', 'shared-connection', '--budget', '7s'],
    ]);
    assert.equal(code, 0, stderr);
    // One round trip instead of 20.
    const [, letter = ''] = /^ *fetch 20 keys +.* ([AB]) [\d.]+x$/m.exec(stdout) ?? [];
    assert.match(stdout, new RegExp(`^ ${letter} +ioredis, MGET,`, 'm'), stdout);
  });
});

/** @param {string} text */
const withoutCommand = (text) => text.replace(/^More: .*$/m, '');
