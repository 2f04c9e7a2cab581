import assert from 'node:assert/strict';
import { QueueEvents } from 'bullmq';
import { createCallerName, openAgentLink } from '../../../src/commands/agents/agent-link.js';
import {
  agentQueue,
  CONTROL_PREFIX,
  createWorker,
  leaseOf,
  openControlRedis,
} from '../../../src/commands/agents/control-redis.js';
import { benchmark } from '../../../src/commands/benchmark/benchmark.js';
import { describeTool } from '../../../src/machine/environment.js';
import { startRedis } from '../../helpers/redis-server.js';
import { startAgentHere } from '../../helpers/start-agent.js';

/** @import { ControlRedis } from '../../../src/commands/agents/control-redis.js' */
/** @import { BenchmarkOptions } from '../../../src/commands/benchmark/types.js' */

const TOKEN = 'T0ken-of-the-load-team';
const CLOCK = { offsetMs: 0, errorMs: 0.1 };
const HELLO = {
  name: 'load-1',
  tool: describeTool().version,
  node: '20.0.0',
  packages: { redis: '6.3.1' },
  cpuModel: 'any',
  cpuCount: 2,
  openFiles: null,
  machine: 'any',
  clock: CLOCK,
  aheadMs: -1,
  worksFor: null,
  nonce: null,
  lease: 'a0',
};
const PREPARED = { facts: { effectiveOptions: {}, remarks: [] }, pid: 1 };
const RED = '\u001b[31mred';
const proto = JSON.parse('{"__proto__": 1}');

/** @type {BenchmarkOptions} */
const CELL = {
  clients: ['ioredis', 'redis'],
  scenarios: ['shared-connection'],
  size: [10],
  starts: 1,
  pin: ['off'],
  profile: false,
  tasks: [2],
  // Long enough for somebody to answer first.
  rate: [100],
  durationMs: 500,
  runs: 2,
  warmupRuns: 0,
};

describe('answers of agents that somebody has forged', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let control;
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let target;
  /** @type {(() => Promise<unknown>)[]} */
  const endings = [];
  before(async () => {
    [control, target] = await Promise.all([startRedis(), startRedis()]);
  });
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
    await control.query('FLUSHALL');
  });
  after(() => Promise.all([control.stop(), target.stop()]));

  async function connect(queueToken = '') {
    const redis = await openControlRedis(control.url, { queueToken }, '--agents');
    endings.push(async () => redis.close());
    return redis;
  }

  /**
   * @param {ControlRedis} redis
   * @param {(method: string) => unknown} answer of whoever pretends to be the agent
   */
  async function linkTo(redis, answer) {
    const name = agentQueue('load-1');
    const worker = await createWorker(redis, name, 'load-1', async (job) => answer(job.name));
    const link = await openAgentLink(redis, 'load-1', createCallerName());
    endings.push(() => worker.close(true), link.close);
    return link;
  }

  it('are refused by what is wrong with them, and what is right is taken', async () => {
    /** @type {unknown} */
    let forged;
    const link = await linkTo(await connect(), () => forged);
    /** @param {string} method @param {unknown} answer @param {object} [data] */
    const asked = (method, answer, data) => {
      forged = answer;
      return link.call(method, data);
    };
    assert.deepEqual(await asked('hello', HELLO), HELLO);
    assert.deepEqual(await asked('prepare', PREPARED), PREPARED);
    assert.deepEqual(await asked('plan', ['no target']), ['no target']);
    assert.equal(await asked('missing-keys', 7), 7);

    const { facts } = PREPARED;
    /** @type {[method: string, answer: unknown, why: RegExp, data?: object][]} */
    const cases = [
      [
        'hello',
        { ...HELLO, cpuCount: '2' },
        /'hello' was refused: cpuCount: expected a whole number from 1 to 100000/,
      ],
      ['hello', { ...HELLO, name: RED }, /name: expected an id/],
      ['hello', { ...HELLO, cpuModel: RED }, /cpuModel: expected at most 5000 characters/],
      ['hello', { ...HELLO, machine: 'x'.repeat(1e6) }, /machine: expected at most 5000 characters/],
      ['hello', { ...HELLO, packages: proto }, /packages\.__proto__: expected no such name/],
      ['hello', { ...HELLO, isAdmin: true }, /isAdmin is not known/],
      ['hello', null, /expected Object, got null/],
      ['plan', [RED], /0: expected at most 5000/],
      ['plan', 'nothing', /expected a list/],
      [
        'after-run',
        { wrongReplies: 0, firstWrongReply: null, errors: {}, connections: -1 },
        /connections: expected a whole number of at least 0/,
      ],
      ['prepare', { ...PREPARED, facts: { ...facts, effectiveOptions: proto } }, /effectiveOptions/],
      ['prepare', { ...PREPARED, facts: { ...facts, remarks: [{ kind: RED }] } }, /kind: expected /],
      [
        'prepare',
        { ...PREPARED, facts: { ...facts, remarks: [{ kind: 'scenario-conflict', own: 'all' }] } },
        /remarks\.0\.own: expected a list/,
      ],
      ['prepare', { ...PREPARED, pid: '1; rm' }, /pid: expected a whole number/],
      ['kill', { all: true }, /expected null/],
      ['constructor', {}, /'constructor' was refused: it is not known/],
      ['missing-keys', RED, /'missing-keys' was refused: expected a whole number/],
      ['run', { measured: {}, clock: CLOCK, aheadMs: null }, /measured\.\w+ is missing/],
    ];
    for (const [method, answer, why, data] of cases) {
      await assert.rejects(asked(method, answer, data), (/** @type {Error} */ error) => {
        assert.equal(error.name, 'RunError');
        assert.match(error.message, /^load-1: the answer to '/);
        assert.match(error.message, why, JSON.stringify(answer)?.slice(0, 100));
        assert.ok(!error.message.includes('\u001b') && error.message.length < 500, error.message);
        return true;
      });
    }
    forged = { ...HELLO, name: 'load-2' };
    await assert.rejects(link.hello(), /load-1: it replied under another name/);
  });

  it('are refused if they are not signed, where there is a token', async () => {
    /** @type {unknown} */
    let forged = HELLO;
    await control.query('SET', leaseOf(agentQueue('load-1')), 'a0');
    const link = await linkTo(await connect(TOKEN), () => forged);
    assert.equal((await link.hello())?.nonce, null);
    await assert.rejects(
      link.call('prepare'),
      /load-1: only replies .* --queue-token .*, and this one is not$/,
    );
    forged = { value: PREPARED, signature: 'x'.repeat(44) };
    await assert.rejects(link.call('prepare'), /only replies .* has another signature$/);
  });

  it('cost a run and not the benchmark', async () => {
    const { end } = await startAgentHere({
      queue: control.url,
      name: 'load-1',
      allow: [target.url],
    });
    endings.push(end);
    const name = agentQueue('load-1');
    const connection = { host: '127.0.0.1', port: control.port };
    const events = new QueueEvents(name, { prefix: CONTROL_PREFIX, connection });
    endings.push(() => events.close());
    await events.waitUntilReady();
    let runs = 0;
    const key = `${CONTROL_PREFIX}:${name}`;
    const forged = JSON.stringify({ measured: { client: RED }, clock: CLOCK, aheadMs: null });
    // Before the agent itself has answered.
    events.on('active', async ({ jobId }) => {
      if ((await control.query('HGET', `${key}:${jobId}`, 'name')) !== 'run' || ++runs !== 2) return;
      const event = ['event', 'completed', 'jobId', jobId, 'returnvalue', forged];
      await control.query('XADD', `${key}:events`, '*', ...event);
    });
    const report = await benchmark({
      ...CELL,
      agents: control.url,
      url: target.url,
    });
    const [failures, good] = [true, false].map((bad) =>
      report.cells.flatMap(({ runs: all }) => all.filter(({ failed }) => (failed !== null) === bad)),
    );
    assert.equal(failures.length, 1);
    assert.match(String(failures[0].failed), /load-1: the answer to 'run'/);
    assert.ok(good.length >= 2);
  });
});
