import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agent, cleanAgents, describeAgent, listAgents } from '../../src/commands/agents/agents.js';
import { createClock, openControlRedis } from '../../src/commands/agents/control-redis.js';
import { readTyped } from '../../src/commands/agents/job-request.js';
import { parseAllowed } from '../../src/commands/agents/permissions.js';
import { serveQueue } from '../../src/commands/agents/serve-queue.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { makeCertificates } from '../../src/server/certificates.js';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';
import { allAtOnce } from '../helpers/all-at-once.js';
import { endStarted, leftovers, ONE_CELL, runCli, startCli } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';
import { assertSound } from '../helpers/sound.js';
import { startAgentHere } from '../helpers/start-agent.js';
import { until } from '../helpers/until.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */
/** @import { Target } from '../../src/server/types.js' */

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));

/** A small cell, that would take long if nothing ended it. @type {BenchmarkOptions} */
const CELL = {
  clients: ['raw'],
  scenarios: ['shared-connection'],
  size: [10],
  starts: 1,
  warmupRuns: 0,
  pin: ['off'],
  profile: false,
};
/** @type {BenchmarkOptions} */
const LONG = { ...CELL, tasks: [6], iterations: 200, runs: 10_000 };

/**
 * A control Redis, a target, and the agents there.
 *
 * @param {{control: any, target: any, tlsCa?: string}} where
 */
function at({ control, target, tlsCa }) {
  /** @type {{end: () => Promise<void>}[]} */
  const agents = [];
  return {
    control,
    target,
    agents,
    options: { agents: control.url, url: target.url },

    /** @param {string} name @param {string[]} [allow] */
    async startAgent(name, allow = [target.url]) {
      const started = await startAgentHere({ queue: control.url, name, allow, tlsCa });
      agents.push(started);
      return started;
    },

    /** @param {string} name as a user starts it */
    async startAgentProcess(name) {
      const cli = startCli(['agent', '--queue', control.url, '--name', name, '--allow', target.url]);
      await until(`the agent ${name}`, async () =>
        (await listAgents({ queue: control.url })).agents.some((each) => each.name === name),
      );
      return cli;
    },

    async end() {
      await Promise.all(agents.splice(0).map(({ end }) => end()));
    },
  };
}

/** @typedef {ReturnType<typeof at>} Place */

describe('load from agents', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let control;
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let target;
  /** @type {Place} */
  let place;
  before(async () => {
    [control, target] = await Promise.all([startRedis(), startRedis()]);
    place = at({ control, target });
  });
  afterEach(async () => {
    await place.end();
    await endStarted();
  });
  after(() => Promise.all([control.stop(), target.stop()]));

  /** @type {Place['startAgent']} */
  const startAgent = (name, allow) => place.startAgent(name, allow);
  const options = () => place.options;

  it('divides tasks and rate exactly, and accounts for every command', async () => {
    await Promise.all(['load-1', 'load-2', 'load-3'].map((name) => startAgent(name)));
    const closed = await benchmark({
      ...CELL,
      ...options(),
      tasks: [7],
      iterations: 30,
      runs: 2,
      machines: [1, 3],
    });
    assertSound(closed);
    for (const { machines, runs } of closed.cells) {
      for (const run of runs) {
        assert.equal(run.operations, 7 * 30);
        assert.deepEqual(
          run.machines?.map(({ operations }) => operations / 30),
          machines === 1 ? [7] : [3, 2, 2],
        );
      }
    }
    const open = await benchmark({
      ...CELL,
      ...options(),
      tasks: [3],
      rate: [100],
      durationMs: 530,
      processes: [2],
      runs: 1,
    });
    const [run] = open.cells[0].runs;
    assert.equal(run.openLoop?.scheduled, 53);
    assert.equal(run.operations, 53);
    assert.equal(run.processes.length, 6);
    assertSound(open);
    assert.deepEqual(
      open.agents?.map(({ name }) => name),
      ['load-1', 'load-2', 'load-3'],
    );
  });

  it('refuses before anything is measured what agents may not or cannot do', async () => {
    await startAgent('load-1');
    const commands = await target.calls('get');
    await assert.rejects(
      benchmark({ ...CELL, ...options(), url: control.url }),
      /is both the control Redis and the measured server/,
    );
    await assert.rejects(
      benchmark({ ...CELL, ...options(), machines: [2] }),
      /--machines: expected at most 1/,
    );
    await assert.rejects(
      benchmark({ ...CELL, ...options(), agents: `redis://:wrong@127.0.0.1:${control.port}` }),
      /password/i,
    );
    await startAgent('load-2', ['redis://elsewhere:6379']);
    await assert.rejects(
      benchmark({ ...CELL, ...options() }),
      new RegExp(`load-2 does not allow the server 127.0.0.1:${target.port} .*--allow`),
    );
    assert.equal(await target.calls('get'), commands);
    await assert.rejects(
      agent({ queue: control.url, name: 'load-1' }),
      /--name: an agent named 'load-1' already waits for jobs there/,
    );
  });

  it('refuses agents of another version, by name', async () => {
    const redis = await openControlRedis(control.url, {}, '--queue');
    const ending = new AbortController();
    const facts = { ...(await describeAgent('old')), tool: '0.0.1' };
    const context = {
      ...{ control: redis, clock: await createClock(redis.time), facts, read: readTyped, say: () => {} },
    };
    const served = serveQueue({ ...context, allowed: parseAllowed([]) }, ending.signal, () => {});
    place.agents.push({
      async end() {
        ending.abort();
        await served;
        redis.close();
      },
    });
    await until('it to wait', async () => (await listAgents({ queue: control.url })).agents.length === 1);
    await assert.rejects(
      benchmark({ ...CELL, ...options() }),
      /expected agents of version .* found old with 0\.0\.1/,
    );
  });

  it('serves one benchmark at a time, and is free when that is interrupted', async () => {
    const { said } = await startAgent('load-1');
    const interrupt = new AbortController();
    /** @type {(value: unknown) => void} */
    let begin = () => {};
    const begun = new Promise((resolve) => {
      begin = resolve;
    });
    const first = benchmark(
      { ...LONG, ...options() },
      { signal: interrupt.signal, onEvent: ({ type }) => type === 'run-end' && begin(null) },
    );
    await begun;
    await assert.rejects(benchmark({ ...CELL, ...options() }), /load-1 works for .* since/);
    interrupt.abort();
    const { partial } = await first;
    assert.ok(partial);
    await until('it to be free', () => said.at(-1) === 'load-1: done; waits for jobs');
    assert.deepEqual(await target.contents(), {});
  });

  it('goes through a control Redis by TLS, whose certificate is checked', async () => {
    const secured = await startManagedServer(await locateServer(), {
      certificates: makeCertificates(),
    });
    const { port } = /** @type {Target} */ (secured.targets.tls);
    const queue = `rediss://127.0.0.1:${port}`;
    const tlsCa = join(secured.folder, 'ca.crt');
    const place = at({ control: { url: queue }, target, tlsCa });
    try {
      await place.startAgent('load-1');
      await assert.rejects(listAgents({ queue }), /certificate/);
      const { cells } = await benchmark({
        ...CELL,
        ...place.options,
        tlsCa,
        tasks: [2],
        iterations: 20,
        runs: 1,
      });
      assert.deepEqual(
        cells[0].runs.map(({ failed, operations }) => [failed, operations]),
        [[null, 40]],
      );
    } finally {
      await place.end();
      secured.control.close();
      await secured.stop();
    }
  });

  it('an agent ends where whoever started it, and the control Redis, are gone before it is ready', async () => {
    const gone = await startRedis();
    const agent = spawn(process.execPath, [BIN, 'agent', '--queue', gone.url, '--name', 'orphan'], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    agent.disconnect();
    await gone.stop();
    await once(agent, 'exit');
  });

  it('is tried on one machine with local agents, which leave nothing, messages too', async () => {
    const { code, stdout, stderr, temp } = await runCli([
      ...['messages', '--agents', 'local:1', '--clients', 'raw', '--pin', 'off', '--no-save'],
      ...['--workload', 'queue:apart', '--runs', '1', '--warmup-runs', '0', '--iterations', '50'],
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout.replaceAll(/\s+/g, ' '), /load from 1 agent \(local-1\)/);
    assert.deepEqual(leftovers(temp), []);
  });
});

/**
 * Each takes as long as a lock of the queue needs to run out, so that all of them are lost at once.
 *
 * @type {Record<string, (place: Place) => Promise<void>>}
 */
const LOSSES = {
  async 'fails by name where an agent is killed, goes on with the others, and cleans up'(place) {
    const { control, options } = place;
    const alive = await place.startAgent('load-1');
    const killed = await place.startAgentProcess('load-2');
    let runs = 0;
    const { cells } = await benchmark(
      { ...CELL, ...options, tasks: [6], iterations: 100, runs: 5, machines: [2, 1] },
      {
        onEvent({ type }) {
          if (type === 'run-end' && ++runs === 2) killed.signal('SIGKILL');
        },
      },
    );
    const [both, alone] = cells;
    assert.match(String(both.runs.at(-1)?.failed), /the agent load-2 was lost/);
    assert.equal(alone.runs.filter(({ failed }) => failed === null).length, 5);
    const { silent, removed } = await cleanAgents({ queue: control.url });
    assert.deepEqual([silent, removed], [['load-2'], ['agent.load-2']]);
    const keys = () => control.query('KEYS', '*');
    assert.ok(
      (await keys()).every((/** @type {string} */ key) => key.startsWith('rpb-agents:agent.load-1:')),
    );
    await alive.end();
    assert.deepEqual(await keys(), []);
  },

  async 'fails by name where an agent is stopped or ended, and one that comes back lets go'(place) {
    const { control, options } = place;
    const stopped = await place.startAgentProcess('load-1');
    let runs = 0;
    const { cells } = await benchmark(
      { ...LONG, ...options, runs: 50 },
      {
        onEvent({ type }) {
          if (type === 'run-end' && ++runs === 2) stopped.signal('SIGSTOP');
        },
      },
    );
    assert.match(String(cells[0].runs.at(-1)?.failed), /the agent load-1 was lost/);
    stopped.signal('SIGCONT');
    await until('it to be free', async () => {
      const { agents: all } = await listAgents({ queue: control.url });
      return all.length === 1 && all[0].worksFor === null;
    });
    // As after a longer pause: it would renew what it holds within a second.
    assert.equal(await control.query('DEL', 'rpb-agents:agent.load-1:lease'), 1);
    runs = 0;
    const ended = await benchmark(
      { ...LONG, ...options, runs: 50 },
      {
        onEvent({ type }) {
          if (type === 'run-end' && ++runs === 2) stopped.signal('SIGTERM');
        },
      },
    );
    assert.match(String(ended.cells[0].runs.at(-1)?.failed), /load-1.* was ended there/);
    assert.ok(runs >= 2, `${runs} runs`);
    assert.equal((await stopped.result).code, 0);
    assert.deepEqual(leftovers(stopped.temp), []);
  },

  async 'ends on agents when the commander is killed'(place) {
    const { control, target } = place;
    const { said } = await place.startAgent('load-1');
    const args = [
      '--agents',
      control.url,
      '--url',
      target.url,
      ...ONE_CELL,
      '--warmup-runs',
      '0',
      '--iterations',
      '200',
    ];
    const cli = startCli([...args, '--starts', '1', '--runs', '10000']);
    await cli.says(/^round 2 /m);
    cli.signal('SIGKILL');
    await once(cli.child, 'exit');
    await until('the agent to notice', () => /fell silent; waits for jobs/.test(String(said.at(-1))));
    assert.deepEqual(await target.contents(), {});
    assert.deepEqual(
      (await listAgents({ queue: control.url })).agents.map(({ worksFor }) => worksFor),
      [null],
    );
  },
};

describe('the loss of an agent, or of the commander', function () {
  this.timeout(120_000);
  /** @type {{end: () => Promise<unknown>}[]} */
  const places = [];
  after(async () => {
    await Promise.all(places.map(({ end }) => end()));
    await endStarted();
  });

  allAtOnce(LOSSES, async () => {
    const [control, target] = await Promise.all([startRedis(), startRedis()]);
    const place = at({ control, target });
    places.push({ end: () => Promise.all([place.end(), control.stop(), target.stop()]) });
    return place;
  });
});
