import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLeftovers } from '../../src/cli/commands/clean.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { ServerError } from '../../src/errors.js';
import { openServer } from '../../src/server/open.js';
import { rememberKeys } from '../../src/server/stored-keys.js';
import { parseUrl } from '../../src/server/target.js';
import { ENDLESS, endStarted, QUICK, runCli, startCli } from '../helpers/cli.js';
import { startCluster } from '../helpers/cluster.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { killTogether, processesOf } from '../helpers/processes.js';
import { startProxy } from '../helpers/proxy.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

const SMALL = {
  clients: ['raw'],
  scenarios: ['shared-connection'],
  runs: 1,
  warmupRuns: 0,
  iterations: 20,
  size: [10],
  keys: 300,
  pin: ['off'],
  profile: false,
};

/** By day each workload with one client, and each client with one workload. @type {[string, string[]][]} */
const KEPT_BY = [
  ['get', NIGHTLY ? ['raw', 'ioredis'] : ['raw']],
  ['hset', NIGHTLY ? ['raw', 'ioredis'] : ['ioredis']],
];

describe('keys on an external server', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  /** @type {string} */
  let state;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());
  beforeEach(async () => {
    state = mkdtempSync(join(tmpdir(), 'rpb-state-'));
    await server.query('FLUSHALL');
    await server.query('SET', 'mine', 'untouched');
    await server.query('SET', 'rpb:mine', 'the same beginning');
  });
  afterEach(async () => {
    await endStarted();
    rmSync(state, { recursive: true });
  });

  const keys = async () => (await server.query('KEYS', '*')).sort();
  const THEIRS = ['mine', 'rpb:mine'];
  const remembered = (folder = state) => readdirSync(join(folder, 'stored-keys'));

  describe('that were left by kill -9 of everything', () => {
    /** @returns {Promise<NodeJS.ProcessEnv>} with the state of the killed tool */
    async function leaveKeys() {
      const env = { XDG_STATE_HOME: state };
      const cli = startCli([...ENDLESS, '--keys', '3000', '--url', server.url], { env });
      await cli.says(/^round 1 /m);
      killTogether(processesOf(cli.temp));
      await cli.result;
      await until('all to be gone', () => processesOf(cli.temp).length === 0);
      assert.equal((await keys()).length, 3002);
      return env;
    }

    it('are removed by the next benchmark on that server, which says so', async () => {
      const env = await leaveKeys();
      const { code, stderr } = await runCli([...QUICK, '--url', server.url], { env });
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^removed 3,000 keys that an earlier benchmark left when it was killed$/m);
      assert.deepEqual(await keys(), THEIRS);
    });

    it('would expire by themselves at last; are removed at once by clean, and remembered no longer than needed', async () => {
      const env = await leaveKeys();
      const [ours] = (await server.query('KEYS', 'rpb:????0*')).sort();
      const ttl = await server.query('PTTL', ours);
      assert.ok(ttl > 3600_000 && ttl <= 24 * 3600_000, `${ours} ${ttl}`);
      const { code, stdout } = await runCli(['clean', '--url', server.url], { env });
      assert.equal(code, 0);
      assert.match(stdout, /^rpb:\w{4}: removed 3,000 keys of a benchmark of \d{4}-/m);
      assert.match(stdout, /^rpb:mine: 1 key of a benchmark that this machine does not remember/m);
      assert.deepEqual(await keys(), THEIRS);
    });
  });

  it('are not remembered any more after a benchmark that removed them', async () => {
    await benchmark({ ...SMALL, url: server.url }, { stateFolder: state });
    assert.deepEqual([remembered(), await keys()], [[], THEIRS]);
  });

  it('are remembered before the first one is stored', async () => {
    /** @type {string[]} */
    let atStart = [];
    await benchmark(
      { ...SMALL, url: server.url },
      {
        stateFolder: state,
        onEvent: ({ type }) => {
          if (type === 'group') atStart = remembered();
        },
      },
    );
    assert.equal(atStart.length, 1);
  });

  it('of a benchmark that is still running are left alone, also by clean', async () => {
    const opened = await openServer(parseUrl(server.url));
    const memory = rememberKeys(state, opened, 'rpb:live');
    try {
      await server.query('SET', 'rpb:live0', 'in use');
      await benchmark({ ...SMALL, url: server.url }, { stateFolder: state });
      const [swept] = (await removeLeftovers({ url: server.url }, { stateFolder: state })).swept;
      assert.deepEqual([swept.prefix, swept.inUse, swept.removed], ['rpb:live', true, 0]);
      assert.deepEqual(await keys(), ['mine', 'rpb:live0', 'rpb:mine']);
      memory.leave();
      const [later] = (await removeLeftovers({ url: server.url }, { stateFolder: state })).swept;
      assert.deepEqual([later.inUse, later.removed], [false, 1]);
      assert.deepEqual(await keys(), THEIRS);
    } finally {
      memory.forget();
      await opened.close();
    }
  });

  it('of another server or database are none of its business', async () => {
    const opened = await openServer(parseUrl(`${server.url}/3`));
    rememberKeys(state, opened, 'rpb:db3x').leave();
    await opened.close();
    await server.query('SET', 'rpb:db3x1', 'in database 0, so not the one that is meant');
    const { swept } = await removeLeftovers({ url: server.url }, { stateFolder: state });
    assert.deepEqual(swept, []);
    assert.equal(remembered().length, 1);
  });

  it('of several benchmarks that were killed are removed, and no others', async () => {
    const opened = await openServer(parseUrl(server.url));
    for (const prefix of ['rpb:aaaa', 'rpb:bbbb']) rememberKeys(state, opened, prefix).leave();
    await opened.close();
    for (const key of ['rpb:aaaa0', 'rpb:bbbb0', 'rpb:cccc0']) await server.query('SET', key, 'x');
    const { swept } = await removeLeftovers({ url: server.url }, { stateFolder: state });
    assert.deepEqual(
      swept.map(({ removed }) => removed),
      [1, 1],
    );
    assert.deepEqual(await keys(), ['mine', 'rpb:cccc0', 'rpb:mine']);
  });

  it('of a prefix that is named are removed, and no others', async () => {
    for (const key of ['rpb:1a2b0', 'rpb:1a2b1', 'rpb:1a2c0']) await server.query('SET', key, 'x');
    const { swept, unknown } = await removeLeftovers(
      { url: server.url, prefix: 'rpb:1a2b' },
      { stateFolder: state },
    );
    assert.deepEqual([swept[0].removed, unknown.length], [2, 2]);
    assert.deepEqual(await keys(), ['mine', 'rpb:1a2c0', 'rpb:mine']);
    await assert.rejects(removeLeftovers({ url: server.url, prefix: 'mine' }), /--prefix: expected 'rpb:'/);
  });

  it('are removed on every node of a cluster', async function () {
    this.timeout(120_000);
    const cluster = await startCluster();
    try {
      const opened = await openServer(parseUrl(cluster.url), { topology: 'cluster' });
      rememberKeys(state, opened, 'rpb:clus').leave();
      await opened.close();
      // In slots of the first, second and third of three nodes.
      for (const [node, tag] of ['b', 'c', 'a'].entries()) {
        await cluster.query(node, 'SET', `rpb:clus{${tag}}`, 'left');
        await cluster.query(node, 'SET', tag, 'theirs');
      }
      const { swept } = await removeLeftovers({ url: cluster.url }, { stateFolder: state });
      assert.deepEqual(
        swept.map(({ removed }) => removed),
        [3],
      );
      for (const [node, tag] of ['b', 'c', 'a'].entries())
        assert.deepEqual(await cluster.query(node, 'KEYS', '*'), [tag]);
    } finally {
      await cluster.stop();
    }
  });

  describe('of a user who may not DEL', () => {
    /** @param {...string} rules */
    async function urlWith(...rules) {
      await server.query('ACL', 'SETUSER', 'writer', 'reset', 'on', '>pw', '~*', '+@all', ...rules);
      return server.url.replace('//', '//writer:pw@');
    }

    for (const [what, rules] of /** @type {[string, string[]][]} */ ([
      ['UNLINK', ['-del']],
      ['expiry', ['-del', '-unlink']],
    ])) {
      it(`are removed by ${what}`, async () => {
        const url = await urlWith(...rules);
        for (const [workload, clients] of KEPT_BY) {
          const options = { ...SMALL, clients, workload: [workload], url };
          const report = await benchmark(options, { stateFolder: state });
          for (const { runs } of report.cells) assert.equal(runs[0].failed, null);
        }
        assert.deepEqual(await keys(), THEIRS);
      });
    }

    it('are not stored at all where no other way is left', async () => {
      const url = await urlWith('-del', '-unlink', '-pexpire');
      const written = await server.calls('set');
      await assert.rejects(benchmark({ ...SMALL, url }, { stateFolder: state }), (error) => {
        assert.ok(error instanceof ServerError);
        assert.match(error.message, /may store keys but not remove them.*NOPERM.*nothing was stored/);
        return true;
      });
      assert.equal(await server.calls('set'), written);
    });
  });

  it('are removed by the worker after kill -9 of the tool alone, however slow the way to the server', async () => {
    const proxy = await startProxy(server.port);
    try {
      const cli = startCli([...ENDLESS, '--keys', '8000', '--iterations', '1', '--url', proxy.url]);
      await cli.says(/^round 1 /m);
      proxy.replies((reply, forward) => void setTimeout(forward, 40, reply));
      cli.signal('SIGKILL');
      await cli.result;
      await until('the worker to be gone', () => processesOf(cli.temp).length === 0);
      assert.deepEqual(await keys(), THEIRS);
    } finally {
      await proxy.stop();
    }
  });

  it('are removed after SIGHUP, with a report of the runs until then', async () => {
    const cli = startCli([...ENDLESS, '--url', server.url, '--format', 'json']);
    await cli.says(/^round 1 /m);
    cli.signal('SIGHUP');
    const { code, stdout } = await cli.result;
    assert.equal(code, 130);
    assert.ok(JSON.parse(stdout).cells[0].runs.length > 0);
    assert.deepEqual(await keys(), THEIRS);
  });
});
