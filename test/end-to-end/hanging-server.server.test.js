import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { benchmark, measure } from '../../src/index.js';
import { allAtOnce } from '../helpers/all-at-once.js';
import { endStarted, startCli } from '../helpers/cli.js';
import { startLyingProxy } from '../helpers/lying-proxy.js';
import { startRedis } from '../helpers/redis-server.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

const SMALL = {
  clients: 'raw',
  scenarios: 'shared-connection',
  size: 10,
  keys: 64,
  runs: 1,
  warmupRuns: 0,
  pin: 'off',
  profile: false,
};
const PLUGINS = fileURLToPath(new URL('../helpers/plugins/clients', import.meta.url));
/** The command that is never answered: the client that sends it, and what it is doing then. */
const HANGS = {
  HELLO: ['redis', 'connecting'],
  CLIENT: ['ioredis', 'connecting'],
  SET: ['raw', 'storing data'],
  GET: ['raw', 'storing data'],
};

/** Those that check what was stored, and some more. */
const FIRST_GETS = 66;

describe('a server that answers PING, but never', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  after(async () => {
    await endStarted();
    await server?.stop();
  });

  /** @param {string} command @param {string} client @param {string} doing */
  async function hangs(command, client, doing) {
    const proxy = await startLyingProxy(server);
    proxy.tell(([name]) => (name === command ? null : undefined));
    try {
      /** @type {string[]} */
      const stalls = [];
      const { cells } = await benchmark(
        { ...SMALL, clients: client, iterations: 50, url: proxy.url, runTimeoutMs: 5000 },
        { onEvent: (event) => void (event.type === 'stall' && stalls.push(`${event.doing}`)) },
      );
      const [{ failed }] = cells[0].runs;
      assert.notEqual(failed, null);
      if (process.platform !== 'linux') return;
      assert.equal(stalls[0], doing);
      assert.match(
        String(failed),
        new RegExp(`^the worker had no reply for \\d+ s while ${doing} \\(--run-timeout\\)$`),
      );
    } finally {
      await proxy.stop();
    }
  }

  /** How operations are sent, and how many are never answered. @type {[string, BenchmarkOptions, string][]} */
  const WAYS = [
    ['a closed loop', { iterations: 5000, tasks: 4 }, '4'],
    ['a fixed time', { durationMs: 3000, tasks: 2 }, '2'],
    ['batches', { iterations: 5000, tasks: 1, pipelining: 'explicit:10' }, '10'],
    ['a pool', { iterations: 5000, tasks: 1, scenarios: 'pool' }, '1'],
    ['a rate', { rate: 200, durationMs: 2000 }, '\\d+'],
    ['a warm-up', { warmupRuns: 1, tasks: 1 }, '1'],
    ['a rate, of few operations', { rate: 1, durationMs: 5000 }, '\\d'],
  ];

  /** @param {BenchmarkOptions} options @param {string} unanswered */
  async function staysWithout(options, unanswered) {
    const proxy = await startLyingProxy(server);
    let gets = 0;
    proxy.tell(([name]) => {
      // Each key is read once when it has been stored.
      if (name === 'GET') gets++;
      return name === 'GET' && gets > FIRST_GETS ? null : undefined;
    });
    // At a rate, what was sent last is too young to be given up.
    try {
      const { cells } = await benchmark({ ...SMALL, ...options, url: proxy.url, runTimeoutMs: 6000 });
      assert.match(
        String(cells[0].runs.at(-1)?.failed),
        new RegExp(
          `\\(--run-timeout\\); ${unanswered} operations? (never answered: the server answers PING, so the client or the network holds them|had no reply yet)$`,
        ),
      );
    } finally {
      await proxy.stop();
    }
  }

  /** The client waits for ever, so it cannot remove its keys either. */
  async function endsMessages() {
    const proxy = await startLyingProxy(server);
    proxy.tell(([name]) => (name === 'LPUSH' ? null : undefined));
    try {
      const { cells } = await measure('messages', {
        clients: 'ioredis',
        workload: 'queue',
        pin: 'off',
        runs: 1,
        warmupRuns: 0,
        url: proxy.url,
        runTimeoutMs: 2000,
      });
      assert.match(String(cells[0].runs[0].failed), /the run had not ended after 2 s \(--run-timeout\)/);
    } finally {
      await proxy.stop();
    }
  }

  /** One of its cells hangs: the others get the rest. */
  async function keepsToBudget() {
    const proxy = await startLyingProxy(server);
    proxy.tell(([name]) => (name === 'HELLO' ? null : undefined));
    // At a rate, what was sent last is too young to be given up.
    try {
      const cells = ['--clients', 'redis,raw', '--scenarios', 'shared-connection', '--pin', 'off'];
      const { code, stdout, stderr } = await startCli([
        ...[...cells, '--no-profile', '--warmup-runs', '0', '--url', proxy.url, '--budget', '16s'],
        ...['--format', 'json'],
      ]).result;
      assert.equal(code, 4, stderr);
      assert.match(stderr, /^failed: redis, .*: the worker had no reply for [4-7] s while connecting/m);
      const { cells: measured } = JSON.parse(stdout);
      assert.deepEqual(
        measured.map((/** @type {any} */ { summary }) => summary !== null),
        [false, true],
      );
    } finally {
      await proxy.stop();
    }
  }

  async function neverLoads() {
    const { cells } = await benchmark(
      { ...SMALL, clients: ['frozen', 'raw'], iterations: 50, url: server.url, runTimeoutMs: 5000 },
      { pluginFolders: { clients: [PLUGINS] } },
    );
    const [frozen, other] = cells.map(({ runs }) => runs[0].failed);
    assert.match(String(frozen), /^the worker did nothing for \d+ s while loading \(--run-timeout\)$/);
    assert.equal(other, null);
  }

  allAtOnce(
    Object.fromEntries([
      ...(process.platform === 'linux'
        ? [
            [
              'a client that never ends loading: ends after --run-timeout, and others are measured',
              neverLoads,
            ],
          ]
        : []),
      ['LPUSH of messages: ends, with the rest of the benchmark', endsMessages],
      ['HELLO, with a budget: takes a part of it, and the other cell is measured', keepsToBudget],
      ...WAYS.map(([what, options, unanswered]) => [
        `in ${what}: ends, with the count of operations without a reply`,
        () => staysWithout(options, unanswered),
      ]),
      ...Object.entries(HANGS).map(([command, [client, doing]]) => [
        `${command}: a warning after 2 s, and an end after --run-timeout, both with what it waits for`,
        () => hangs(command, client, doing),
      ]),
    ]),
    async () => undefined,
  );
});
