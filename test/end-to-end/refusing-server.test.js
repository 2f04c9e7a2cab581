import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { locateServer } from '../../src/server/locate.js';
import { ENDLESS, endStarted, leftovers, QUICK, runCli, startHere } from '../helpers/cli.js';
import { startCluster } from '../helpers/cluster.js';
import { freePort } from '../helpers/free-port.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

/** @typedef {Awaited<ReturnType<typeof startRedis>>} Server */

describe('a server that refuses', () => {
  /** @type {Server[]} */
  const servers = [];
  afterEach(async () => {
    await endStarted();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  /** @param {string[]} [args] */
  async function start(args) {
    const server = await startRedis({ args });
    servers.push(server);
    return server;
  }

  /**
   * A cell that cannot be measured fails with the reason and what to do; the tool goes on.
   *
   * @param {Server} server
   * @param {RegExp} reason
   * @param {string} [clients]
   */
  async function failsItsCells(server, reason, clients = 'raw') {
    const { code, stdout, stderr, temp } = await runCli([
      ...[...QUICK, '--clients', clients, '--url', server.url, '--format', 'json', '--allow-eviction'],
    ]);
    assert.equal(code, 4, stderr);
    for (const { runs } of JSON.parse(stdout).cells) assert.match(String(runs[0].failed), reason);
    assert.match(stderr, reason);
    assert.deepEqual(leftovers(temp), []);
  }

  /**
   * A server that does not even answer PING is none to measure.
   *
   * @param {string} url
   * @param {RegExp} reason
   */
  async function isRefused(url, reason) {
    const { code, stdout, stderr, temp } = await runCli([...QUICK, '--url', url]);
    assert.deepEqual([code, stdout], [3, ''], stderr);
    assert.match(stderr, /^redis-pipe-bench: [^\n]+\n$/, 'one line');
    assert.match(stderr, reason);
    assert.deepEqual(leftovers(temp), []);
  }

  it('writes, its memory being full: OOM', async () => {
    const server = await start();
    await server.query('CONFIG', 'SET', 'maxmemory', '1');
    const reason = /OOM command not allowed.*memory is full.*raise its maxmemory/;
    await failsItsCells(server, reason, 'redis,ioredis');
  });

  it('writes, being a replica: READONLY', async () => {
    const server = await start();
    await server.query('REPLICAOF', '127.0.0.1', '1');
    await failsItsCells(server, /READONLY .*is a replica.*name its master/);
  });

  it('writes, having too few replicas: NOREPLICAS', async () => {
    const server = await start();
    await server.query('CONFIG', 'SET', 'min-replicas-to-write', '1');
    await failsItsCells(server, /NOREPLICAS .*fewer replicas than it needs/);
  });

  it('everything, its disk being broken: MISCONF', async () => {
    const server = await start(['--save', '3600 1']);
    await rm(server.folder, { recursive: true });
    await server.query('SET', 'something', 'to save');
    await server.query('BGSAVE');
    await until('the save to fail', async () => (await server.info()).rdb_last_bgsave_status === 'err');
    await isRefused(server.url, /MISCONF .*cannot save to disk.*stop-writes-on-bgsave-error/);
  });

  it('everything, held up by a script: BUSY', async () => {
    const server = await start(['--lua-time-limit', '100']);
    void server.query('EVAL', 'while true do end', '0').catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    await isRefused(server.url, /BUSY .*busy running a script.*SCRIPT KILL/);
  });

  it('everything in the middle of a run, held up by a script: exit 3, with the runs until then', async () => {
    const server = await start(['--lua-time-limit', '100']);
    const cli = startHere([...ENDLESS, '--clients', 'ioredis', '--url', server.url, '--format', 'json']);
    await cli.says(/^round 1 /m);
    void server.query('EVAL', 'while true do end', '0').catch(() => {});
    const { code, stdout, stderr } = await cli.result;
    assert.equal(code, 3);
    assert.match(stderr, /ended early: .*BUSY .*SCRIPT KILL/);
    const [{ runs }] = JSON.parse(stdout).cells;
    assert.equal(runs[0].failed, null);
    assert.match(String(runs.at(-1).failed), /BUSY/);
  });

  it('everything while it loads its data: LOADING', async () => {
    const server = await start();
    for (let index = 0; index < 2000; index++) await server.query('SET', `key ${index}`, 'value');
    await server.query('SAVE');
    const port = await freePort();
    // So slow that it does not end before the test does.
    const slow = ['--key-load-delay', '20000', '--loading-process-events-interval-bytes', '1024'];
    const loading = spawn(await locateServer(), ['--port', `${port}`, '--dir', server.folder, ...slow], {
      stdio: 'ignore',
    });
    const exited = once(loading, 'exit');
    try {
      await until('it to listen', async () => /LOADING/.test(await ping(port)));
      await isRefused(`redis://127.0.0.1:${port}`, /LOADING .*still loading its data.*loading:0/);
    } finally {
      loading.kill('SIGKILL');
      await exited;
    }
  });

  it('one connection more: max clients, and the other cells go on', async () => {
    const server = await start();
    const cli = startHere([
      ...[...ENDLESS, '--runs', '10', '--starts', '1', '--clients', 'redis,ioredis,raw', '--format', 'json'],
      ...['--scenarios', 'shared-connection,open-and-close', '--iterations', '20', '--url', server.url],
    ]);
    await cli.says(/^round 1 /m);
    // The tool's own, this test's and three shared ones: no room for eight tasks that open one each.
    await server.query('CONFIG', 'SET', 'maxclients', '6');
    const { code, stdout, stderr } = await cli.result;
    assert.equal(code, 4, stderr);
    const { cells } = JSON.parse(stdout);
    for (const { scenario, client, runs } of cells) {
      const failures = runs.filter((/** @type {any} */ run) => run.failed !== null);
      if (scenario === 'shared-connection') assert.deepEqual([runs.length, failures], [10, []]);
      else
        assert.match(
          String(failures[0]?.failed),
          /max number of clients.*raise its maxclients|connection lost/,
          `${client}: ${stderr}`,
        );
    }
  });

  it('its first connection: max clients', async () => {
    const server = await start();
    await server.query('CONFIG', 'SET', 'maxclients', '1');
    await isRefused(server.url, /max number of clients.*raise its maxclients/);
  });

  it('more connections than it takes: those cells are skipped beforehand, the others measured', async () => {
    const server = await start();
    await server.query('CONFIG', 'SET', 'maxclients', '12');
    const { code, stdout } = await runCli([
      ...[...QUICK, '--clients', 'raw,ioredis', '--scenarios', 'shared-connection,connection-per-task'],
      ...['--url', server.url, '--format', 'json'],
    ]);
    assert.equal(code, 0);
    const { cells } = JSON.parse(stdout);
    const skipped = cells.map((/** @type {any} */ cell) => cell.skipped !== null);
    // The tool's own and this test's connection leave room for ten: one, eight and one.
    assert.deepEqual(skipped, [false, false, false, true]);
    assert.deepEqual(cells[3].skipped, { kind: 'too-many-clients', connections: 8, before: 10, free: 10 });
  });

  it('a part of the keys, a slot being served by nobody: CLUSTERDOWN', async function () {
    this.timeout(60_000);
    const cluster = await startCluster();
    try {
      const few = ['--runs', '100', '--starts', '1', '--topology', 'cluster'];
      const cli = startHere([
        ...ENDLESS,
        '--clients',
        'ioredis',
        ...few,
        '--url',
        cluster.url,
        '--format',
        'json',
      ]);
      await cli.says(/^round 1 /m);
      await cluster.queryAll('CLUSTER', 'DELSLOTSRANGE', '0', '16383');
      const { code, stdout, stderr } = await cli.result;
      assert.equal(code, 4, stderr);
      assert.match(stderr, /^failed: .*CLUSTERDOWN/m);
      const [{ runs }] = JSON.parse(stdout).cells;
      assert.equal(runs[0].failed, null);
      assert.match(String(runs.at(-1).failed), /CLUSTERDOWN .*not served.*--cluster fix/);
    } finally {
      await cluster.stop();
    }
  });
});

/** @param {number} port @returns {Promise<string>} what a server says to PING, if anything */
function ping(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (reply) => {
      socket.destroy();
      resolve(String(reply));
    });
    socket.once('error', () => resolve(''));
  });
}
