import assert from 'node:assert/strict';
import { join } from 'node:path';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { timed } from '../helpers/timed.js';

describe('end to end: --quick', () => {
  afterEach(endStarted);

  // Beside other tests no cell gets warm in its share of the time.
  timed('ranks the cells of each group after one run, and claims nothing', async () => {
    const cells = ['--clients', 'raw,ioredis', '--scenarios', 'shared-connection,pool', '--tasks', '2,8'];
    const { code, stdout, stderr, temp } = await runCli(['--quick', ...cells]);
    assert.equal(code, 0, stderr);
    // How many cells get warm in that time is the machine's doing; findings/comparable.test.js has each case.
    assert.match(
      stdout,
      /^(Fastest (of the warm cells )?after one run each|Nothing to compare|The fastest is not known): /,
    );
    assert.doesNotMatch(stdout, /^(?:Use|Confidence|Noise)|significant| is \S+x slower/m);
    assert.match(stderr, /8 cells × \(warm-up \+ 1 run\) on a managed Redis \S+, about 6 s\n/);
    const env = { XDG_STATE_HOME: join(temp, 'state') };
    const { cells: measured } = JSON.parse(
      (await runCli(['report', 'last', '--format', 'json'], { env })).stdout,
    );
    assert.deepEqual(
      measured.map((/** @type {{runs: {failed: string | null}[]}} */ { runs }) =>
        runs.map(({ failed }) => failed),
      ),
      Array.from({ length: 8 }, () => [null]),
    );
    assert.deepEqual(leftovers(temp), []);
  });
});
