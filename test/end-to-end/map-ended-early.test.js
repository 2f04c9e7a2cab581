import assert from 'node:assert/strict';
import { endStarted, leftovers, startHere } from '../helpers/cli.js';

describe('end to end: a map that is ended early', () => {
  afterEach(endStarted);

  it('reports the points that it has', async () => {
    const started = startHere([
      ...['map', '--tasks', '1,32', '--rtt', '0,2ms', '--size', '10', '--duration', '40ms', '--no-save'],
      ...['--clients', 'raw', '--scenarios', 'shared-connection,pool', '--pool-size', '2', '--budget', '12s'],
    ]);
    await started.says(/point 1 of 4, start 1 done/);
    started.signal('SIGINT');
    const { code, stdout, temp } = await started.result;
    assert.equal(code, 130);
    assert.match(stdout, /(was|were) not\s+measured/);
    assert.match(stdout, /^ 32 tasks +/m);
    assert.deepEqual(leftovers(temp), []);
  });
});
