import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, QueueEvents, Worker } from 'bullmq';
import { cleanAgents, describeAgent, listAgents } from '../../src/commands/agents/agents.js';
import {
  agentQueue,
  CONTROL_PREFIX,
  commanderLease,
  leaseOf,
} from '../../src/commands/agents/control-redis.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { endStarted, ONE_CELL, startCli } from '../helpers/cli.js';
import { runMain } from '../helpers/main.js';
import { startRedis } from '../helpers/redis-server.js';
import { startAgentHere } from '../helpers/start-agent.js';
import { until } from '../helpers/until.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

/** @type {BenchmarkOptions} */
const CELL = {
  clients: ['raw'],
  scenarios: ['shared-connection'],
  size: [10],
  starts: 1,
  warmupRuns: 0,
  pin: ['off'],
  profile: false,
  tasks: [2],
  iterations: 20,
  runs: 2,
};
const TOKEN = 'T0ken-of-the-load-team';

/** @typedef {{queue: string, name: string, data: any, jobId: string, options?: object}} Sent */

/**
 * What somebody sees who watches the control Redis: every job that is sent meanwhile.
 *
 * @param {() => Promise<unknown>} work
 */
async function jobsOf(work) {
  /** @type {Sent[]} */
  const jobs = [];
  const { add } = Queue.prototype;
  /** @this {Queue} @param {any} name @param {any} data @param {any} options */
  Queue.prototype.add = function (name, data, options) {
    jobs.push({ queue: this.name, name, data: structuredClone(data), jobId: options?.jobId });
    return add.call(this, name, data, options);
  };
  try {
    await work();
  } finally {
    Queue.prototype.add = add;
  }
  return jobs.filter(({ queue }) => queue.startsWith(agentQueue('')));
}

/** @param {Queue} queue @param {number} ms */
async function countFailures({ name, opts }, ms) {
  const events = new QueueEvents(name, /** @type {any} */ (opts));
  let seen = 0;
  events.on('failed', () => seen++);
  await events.waitUntilReady();
  await sleep(ms);
  await events.close();
  return { seen };
}

describe('jobs for agents', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let control;
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let target;
  /** @type {{end: () => Promise<void>}[]} */
  const agents = [];
  before(async () => {
    [control, target] = await Promise.all([startRedis(), startRedis()]);
  });
  afterEach(async () => {
    await Promise.all(agents.splice(0).map(({ end }) => end()));
    await endStarted();
    await Promise.all([control.query('FLUSHALL'), target.query('FLUSHALL')]);
  });
  after(() => Promise.all([control.stop(), target.stop()]));

  const ofControl = () => ({
    prefix: CONTROL_PREFIX,
    connection: { host: '127.0.0.1', port: control.port },
  });
  const queueOf = (/** @type {string} */ agent) => new Queue(agentQueue(agent), ofControl());
  /** @param {string} [queueToken] */
  const options = (queueToken) => ({ ...CELL, agents: control.url, url: target.url, queueToken });

  /** @param {string} name @param {string} [queueToken] */
  async function startAgent(name, queueToken) {
    const started = await startAgentHere({ queue: control.url, name, queueToken, allow: [target.url] });
    agents.push(started);
    return started;
  }

  /**
   * @param {string} name of an agent
   * @param {Sent[]} jobs
   * @returns {Promise<string[]>} why each of them failed, in their order: the agent takes several at once
   */
  async function inject(name, jobs) {
    const queue = queueOf(name);
    const events = new QueueEvents(agentQueue(name), ofControl());
    /** @type {Map<string, string>} */
    const reasons = new Map();
    events.on('failed', ({ jobId, failedReason }) => void reasons.set(jobId, failedReason));
    await events.waitUntilReady();
    /** @type {string[]} */
    const ids = [];
    for (const { name: method, data, jobId, options: own } of jobs)
      ids.push(String((await queue.add(method, data, { jobId, ...own })).id));
    await until('all jobs to be gone', async () => (await queue.getJobCountByTypes()) === 0);
    await until('the last reason', () => ids.every((id) => reasons.has(id)));
    await Promise.all([events.close(), queue.close()]);
    return ids.map((id) => String(reasons.get(id)));
  }

  it('of a commander that is gone are refused by an agent that starts later', async () => {
    const { end } = await startAgent('load-1');
    const jobs = await jobsOf(() => benchmark(options()));
    assert.ok(jobs.some(({ name }) => name === 'run'));
    await end();
    await control.query('FLUSHALL');
    const calls = await target.calls('get');
    const queue = queueOf('load-1');
    const waiting = jobs.filter(({ name }) => name !== 'end');
    for (const { name, data, jobId } of waiting) {
      await queue.add(name, data, { jobId, removeOnComplete: true, removeOnFail: true });
    }
    const { said } = await startAgent('load-1');
    await until('all jobs to be gone', async () => (await queue.getJobCountByTypes()) === 0);
    await queue.close();
    assert.equal(await target.calls('get'), calls);
    assert.deepEqual(await target.contents(), {});
    assert.ok(!said.some((text) => /works for/.test(text)), said.join('\n'));
  });

  it('are done if they are signed with the token, which nobody sees', async () => {
    const { said } = await startAgent('load-1', TOKEN);
    const monitored = await target.calls('get');
    const jobs = await jobsOf(async () => {
      const report = await benchmark(options(TOKEN));
      assert.deepEqual(
        report.cells[0].runs.map(({ failed }) => failed),
        [null, null],
      );
      assert.ok(!JSON.stringify(report).includes(TOKEN));
    });
    assert.ok((await target.calls('get')) > monitored);
    assert.ok(jobs.every(({ data }) => data.signature.length > 40));
    const stored = JSON.stringify([jobs, said, await control.contents()]);
    assert.ok(!stored.includes(TOKEN));
    const env = { REDIS_PIPE_BENCH_QUEUE_TOKEN: TOKEN };
    const listed = await runMain(['agents', '--queue', control.url], env);
    assert.match(listed.stdout, /load-1/);
    assert.ok(!`${listed.stdout}${listed.stderr}`.includes(TOKEN));
  });

  it('are refused if they are not signed, signed otherwise, altered, sent again or to another agent', async () => {
    await Promise.all([startAgent('load-1', TOKEN), startAgent('load-2', TOKEN)]);
    await assert.rejects(benchmark(options()), {
      name: 'UsageError',
      message:
        /^--queue-token: load-\d: it accepts only jobs signed with its --queue-token, and this one is not$/,
    });
    await assert.rejects(benchmark(options('another')), {
      name: 'UsageError',
      message: /^--queue-token: load-\d: .* has another signature$/,
    });
    const jobs = await jobsOf(() => benchmark(options(TOKEN)));
    const calls = await target.calls('get');
    const ofFirst = jobs.filter(({ queue }) => queue === agentQueue('load-1'));
    const first = /** @type {Sent} */ (ofFirst.find(({ name }) => name === 'begin'));
    // Who can write there can also pretend to be a commander that lives.
    await control.query('SET', commanderLease(first.data.commander), first.data.lease);
    assert.deepEqual(await inject('load-1', [first]), ['this benchmark has run here before']);
    const others = ofFirst.filter(({ name }) => name !== 'begin');
    for (const reason of await inject('load-2', [first, ...others]))
      assert.match(reason, /has another signature|has run here before/);
    const altered = [
      { ...first, jobId: 'other-1' },
      { ...first, jobId: 'more-1', data: { ...first.data, commander: 'somebody' } },
      { ...first, jobId: 'bare-1', data: { ...first.data, signature: undefined } },
      { ...first, jobId: 'odd-1', data: { ...first.data, signature: 5 } },
      { ...first, jobId: 'call-1', name: 'hello' },
    ];
    const reasons = await inject('load-1', altered);
    assert.equal(reasons.filter((reason) => /has another signature|this one is not/.test(reason)).length, 5);
    assert.equal(await target.calls('get'), calls);
  });

  it('that ask who is there are answered once, and by one start of the agent', async () => {
    const { end } = await startAgent('load-1', TOKEN);
    const jobs = await jobsOf(() => listAgents({ queue: control.url, queueToken: TOKEN }));
    const hellos = jobs.filter(({ name }) => name === 'hello');
    assert.equal(hellos.length, 1);
    assert.deepEqual(await inject('load-1', hellos), ['this job was done before']);
    await end();
    await startAgent('load-1', TOKEN);
    const [reason] = await inject('load-1', hellos);
    assert.match(reason, /has another signature$/);
  });

  it('have the bounds of the command line', async () => {
    const { said } = await startAgent('load-1');
    const run = (/** @type {object} */ length) => ({
      ...{ queue: '', name: 'run', data: { session: 's', workersId: '1', length } },
      jobId: `run-${JSON.stringify(length).replaceAll(/\W/g, '-')}`,
    });
    const reasons = await inject('load-1', [
      run({ timed: true, durationMs: 1e15 }),
      run({ timed: true }),
      run({ timed: false, iterations: 0.5 }),
      run({ timed: false, durationMs: 5, ratePerSecond: 1e9 }),
      { queue: '', name: 'start-profile', data: { session: 's', workersId: '1' }, jobId: 'profile-1' },
      { queue: '', name: 'hello', data: /** @type {any} */ (null), jobId: 'null-1' },
    ]);
    assert.deepEqual(reasons, [
      "'run' was refused: length.durationMs: expected a time of up to 24 hours, got 1000000000000000",
      "'run' was refused: length: expected durationMs, as a timer ends the run",
      "'run' was refused: length.iterations: expected a number of iterations, got 0.5",
      "'run' was refused: length.ratePerSecond: expected a rate, got 1000000000",
      "'start-profile' was refused: params is missing",
      'expected a job with an object as its data',
    ]);
    assert.equal(said.length, 1);
  });

  it('that come late are told why their benchmark is over', async () => {
    const { said } = await startAgent('load-1');
    const jobs = await jobsOf(() => benchmark(options()));
    const run = /** @type {Sent} */ (jobs.find(({ name }) => name === 'run'));
    assert.deepEqual(await inject('load-1', [{ ...run, jobId: 'late-1' }]), ['this benchmark is over']);
    const queue = queueOf('load-1');
    await control.query('SET', commanderLease('somebody'), 'a0');
    const { data } = /** @type {Sent} */ (jobs.find(({ name }) => name === 'begin'));
    await queue.add('begin', { ...data, session: 'another', commander: 'somebody', lease: 'a0' });
    await until('it to begin', () => said.some((text) => /works for somebody/.test(text)));
    await control.query('DEL', commanderLease('somebody'));
    await until('it to notice', () => /somebody fell silent; waits/.test(String(said.at(-1))));
    const late = { ...run, jobId: 'late-2', data: { ...run.data, session: 'another' } };
    assert.deepEqual(await inject('load-1', [late]), ['somebody fell silent']);
    await queue.close();
  });

  it('are done once, whatever their options say', async () => {
    const { said } = await startAgent('load-1', TOKEN);
    const hello = { queue: '', name: 'hello', data: {} };
    const reasons = await inject('load-1', [
      { ...hello, jobId: 'a-1', options: { attempts: 1e6 } },
      { ...hello, jobId: 'a-2', options: { attempts: 1e6, backoff: { type: 'fixed', delay: 1 } } },
      { ...hello, jobId: 'a-3', options: { delay: 5, removeOnFail: false, priority: 3 } },
    ]);
    assert.deepEqual(
      reasons.map((reason) => /this one is not$/.test(reason)),
      [true, true, true],
    );
    const queue = queueOf('load-1');
    await queue.upsertJobScheduler('again', { every: 1 }, { name: 'hello' });
    const { seen } = await countFailures(queue, 500);
    assert.ok(seen <= 1, `${seen} were done`);
    await queue.close();
    assert.equal(said.length, 1);
  });

  it('are not given to agents that would do those of anybody, if there is a token', async () => {
    await startAgent('load-1');
    await assert.rejects(benchmark(options(TOKEN)), {
      name: 'UsageError',
      message: /^--queue-token: expected agents that were started with it, but load-1 took none/,
    });
  });

  it('fail where the agent dies before it begins, and let a signal end the commander', async () => {
    const facts = await describeAgent('load-1');
    const clock = { offsetMs: 0, errorMs: 0 };
    const hello = { ...facts, clock, aheadMs: 0, worksFor: null, nonce: null, lease: 'a0' };
    await control.query('SET', leaseOf(agentQueue('load-1')), 'a0', 'PX', '2000');
    function answerOnce() {
      const worker = new Worker(agentQueue('load-1'), async () => hello, ofControl());
      worker.on('error', () => {});
      // Dead for whatever comes next.
      worker.on('completed', () => void worker.close(true));
    }
    answerOnce();
    const queue = queueOf('load-1');
    await queue.waitUntilReady();
    const startedAt = performance.now();
    await assert.rejects(benchmark(options()), {
      name: 'ServerError',
      message: /^the agent load-1 was lost: it was ended there, or sent nothing for 4 s/,
    });
    assert.ok(performance.now() - startedAt < 10_000);
    assert.equal(await queue.getJobCountByTypes('waiting'), 0);

    await control.query('SET', leaseOf(agentQueue('load-1')), 'a0');
    answerOnce();
    const cli = startCli(['--agents', control.url, '--url', target.url, ...ONE_CELL]);
    await until('the job that nobody takes', async () => (await queue.getJobCountByTypes('waiting')) === 1);
    cli.signal('SIGTERM');
    const { code, stderr } = await cli.result;
    assert.deepEqual([code, cli.child.signalCode], [130, null], stderr);
    assert.match(stderr, /interrupted before the agents had begun/);
    assert.equal(await queue.getJobCountByTypes('waiting'), 0);
    await queue.close();
  });

  it('that are begun and never answered are given up, by name, and no other cell waits for them', async () => {
    const facts = await describeAgent('load-1');
    const hello = {
      ...facts,
      clock: { offsetMs: 0, errorMs: 0 },
      aheadMs: 0,
      worksFor: null,
      nonce: null,
      lease: 'a0',
    };
    await control.query('SET', leaseOf(agentQueue('load-1')), 'a0');
    /** @type {Record<string, unknown>} */
    const answers = { hello, begin: null, plan: [], kill: null, end: null };
    const worker = new Worker(
      agentQueue('load-1'),
      async ({ name }) => (name in answers ? answers[name] : new Promise(() => {})),
      { ...ofControl(), concurrency: 100 },
    );
    let calls = 0;
    worker.on('active', ({ name }) => (calls += Number(name === 'prepare')));
    const { cells } = await benchmark({ ...options(), tasks: [1, 2, 3] });
    await worker.close(true);
    for (const { runs } of cells)
      assert.match(String(runs[0].failed), /^the agent load-1 was lost: no reply to 'prepare' within 15 s$/);
    assert.equal(calls, 1);
  });

  it('are not hindered by foreign keys beside them, which are named and skipped', async () => {
    await startAgent('load-1');
    for (const key of ['agent.meta:meta', 'agent.wait:wait', 'agent.id:id', 'agent.events:events', 'stray']) {
      await control.query('SET', `${CONTROL_PREFIX}:${key}`, 'not a number');
    }
    await control.query('SADD', `${CONTROL_PREFIX}:agent.set:wait`, 'a');
    await control.query('SET', `${CONTROL_PREFIX}::x`, '1');
    const { agents: found, refusing } = await listAgents({ queue: control.url });
    assert.deepEqual(
      found.map(({ name }) => name),
      ['load-1'],
    );
    assert.ok(refusing.some(({ name, why }) => name === 'wait' && /WRONGTYPE/.test(why)));
    const { cells, warnings } = await benchmark(options());
    assert.equal(cells[0].runs[0].failed, null);
    assert.ok(warnings.some((text) => /^skipped at the control Redis: wait: .*WRONGTYPE/.test(text)));
    const listed = await startCli(['agents', '--queue', control.url]).result;
    assert.deepEqual([listed.code, listed.stderr], [0, '']);
    assert.match(listed.stdout, /^skipped wait: .*WRONGTYPE/m);
    const { removed, skipped } = await cleanAgents({ queue: control.url });
    assert.ok(removed.length + skipped.length >= 6);
    assert.ok(skipped.some(({ name, why }) => name === 'agent.wait' && /WRONGTYPE/.test(why)));
    assert.ok(skipped.some(({ name }) => name === 'keys without a name'));
    assert.equal(await control.query('GET', `${CONTROL_PREFIX}::x`), '1');
    assert.equal((await listAgents({ queue: control.url })).agents.length, 1);
  });
});
