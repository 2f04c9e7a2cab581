import assert from 'node:assert/strict';
import { startAnswering } from '../../src/process/answering.js';
import { startGuarded, startProcess } from '../../src/process/spawn.js';

describe('how a process ended', () => {
  /** @param {string[]} command */
  const endOf = (command) => startProcess(command, { stdio: 'ignore' }).ended;

  it('is said in words that follow its name', async () => {
    assert.equal(await endOf(['sh', '-c', 'exit 3']), 'ended with exit code 3');
    assert.equal(await endOf(['sh', '-c', 'kill -9 $$']), 'was killed by SIGKILL');
    assert.equal(await endOf(['/no/such']), 'could not be started: spawn /no/such ENOENT');
  });

  it('goes with the end of what it printed', async () => {
    const { child, ended, tail } = startGuarded(['sh', '-c', 'echo why >&2; exit 4']);
    assert.equal(await ended, 'ended with exit code 4');
    if (!child.stderr?.readableEnded) await new Promise((resolve) => child.once('close', resolve));
    assert.equal(tail(), 'why\n');
  });

  it('is reported to all who wait for its answers', async () => {
    const entry = new URL('./no-such-file.js', import.meta.url);
    const started = startAnswering({ name: 'it', entry }, null);
    const ofEnd = { name: 'RunError', message: /^it ended with exit code 1: .*Cannot find module/ };
    await Promise.all(['a', 'b'].map((method) => assert.rejects(started.call(method), ofEnd)));
    await assert.rejects(started.call('c'), ofEnd);
  });
});
