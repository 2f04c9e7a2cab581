import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startRelayProcess } from '../../src/run/distant-server.js';
import { isAlive } from '../helpers/processes.js';
import { until } from '../helpers/until.js';

const JOB = {
  upstreams: [{ host: '127.0.0.1', port: 1 }],
  distance: { rttMs: 1, jitterPercent: 0 },
  seed: 1,
};

describe("the relay's process", () => {
  it('ends with the tool, even if that is killed', async () => {
    const entry = new URL('../../src/run/distant-server.js', import.meta.url);
    const program = `
      import { startRelayProcess } from '${entry}';
      const { pid } = await startRelayProcess(${JSON.stringify(JOB)}, null);
      console.log(pid);`;
    const tool = spawn(process.execPath, ['--input-type=module', '-e', program]);
    const [printed] = await once(tool.stdout, 'data');
    const pid = Number(printed);
    assert.ok(isAlive(pid));
    tool.kill('SIGKILL');
    await until('the end of the relay', () => !isAlive(pid));
  });

  it('is named when it dies', async () => {
    const relay = await startRelayProcess(JOB, null);
    assert.equal(relay.ports.length, 1);
    process.kill(Number(relay.pid), 'SIGKILL');
    await assert.rejects(relay.call('figures'), {
      name: 'RunError',
      message: /^the relay, .* was killed by SIGKILL$/,
    });
  });
});
