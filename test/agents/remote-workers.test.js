import assert from 'node:assert/strict';
import { createRemoteWorkers } from '../../src/agents/remote-workers.js';

/** @import { AgentLink } from '../../src/agents/agent-link.js' */
/** @import { Clock } from '../../src/agents/clock-offset.js' */

const CLOCK = /** @type {Clock} */ ({
  now: () => 0,
  offset: () => ({ offsetMs: 0, errorMs: 0 }),
  refresh: async () => {},
});

/** @param {number} count @param {{isPrivate: boolean}} options */
function createAgents(count, { isPrivate }) {
  /** @type {any[]} */
  const jobs = [];
  const links = Array.from({ length: count }, (_, index) => ({
    name: `load-${index}`,
    lost: () => null,
    lose: () => {},
    hello: async () => null,
    open: async () => {},
    close: async () => {},
    async call(/** @type {string} */ method, /** @type {any} */ data) {
      if (method === 'prepare') jobs.push(data.job);
      if (data.method === 'serve') return data.params;
      return { facts: { connections: data.job?.tasks }, pid: 1 };
    },
  }));
  const startWorkers = createRemoteWorkers({
    links: /** @type {AgentLink[]} */ (links),
    clock: CLOCK,
    areLocal: false,
    isPrivate,
  });
  return { jobs, startWorkers };
}

const JOB = {
  tasks: 7,
  part: { index: 0, count: 1 },
  load: null,
  clientOptions: {},
  target: { transport: 'tcp', host: 'target', port: 6379, username: 'bench', password: 'secret' },
};

describe('workers on other machines', () => {
  it('share the tasks exactly', async () => {
    const { jobs, startWorkers } = createAgents(3, { isPrivate: true });
    // A caller beside them would need a server.
    const one = startWorkers({ processes: 1, runtime: null, machines: 1 }, null, () => {});
    assert.deepEqual(await one.call('prepare', JOB), { connections: 7 });
    assert.deepEqual(
      jobs.map(({ tasks, part }) => [tasks, part]),
      [[7, { index: 0, count: 1 }]],
    );
    assert.equal(jobs[0].target.password, 'secret');
  });

  it('share the tasks of the next point of a map too', async () => {
    const { startWorkers } = createAgents(3, { isPrivate: true });
    const workers = startWorkers({ processes: 1, runtime: null, machines: 3 }, null, () => {});
    // As many connections as tasks.
    assert.equal(await workers.call('serve', 64), 64);
  });

  it('are sent no secret through a queue that others can read', async () => {
    const { jobs, startWorkers } = createAgents(1, { isPrivate: false });
    const workers = startWorkers({ processes: 1, runtime: null, machines: 1 }, null, () => {});
    await workers.call('prepare', JOB);
    assert.doesNotMatch(JSON.stringify(jobs), /secret|bench/);
    const withKey = { ...JOB, target: { ...JOB.target, tls: { key: 'PRIVATE', rejectUnauthorized: true } } };
    await assert.rejects(workers.call('prepare', withKey), /private key .* is not sent/);
    const withToken = { ...JOB, clientOptions: { socket: { authToken: 'T' } } };
    await assert.rejects(workers.call('prepare', withToken), /--config's 'socket.authToken' is not sent/);
  });
});
