import assert from 'node:assert/strict';
import { ENDLESS, endStarted, leftovers, QUICK, runCli, startHere } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';

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

  it('writes, its memory being full: OOM', async () => {
    const server = await start();
    await server.query('CONFIG', 'SET', 'maxmemory', '1');
    const reason = /OOM command not allowed.*memory is full.*raise its maxmemory/;
    await failsItsCells(server, reason, 'ioredis');
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

  it('one connection more: max clients, and the other cells go on', async () => {
    const server = await start();
    const cli = startHere([
      ...[...ENDLESS, '--runs', '10', '--starts', '1', '--clients', 'ioredis,raw', '--format', 'json'],
      ...['--scenarios', 'shared-connection,open-and-close', '--iterations', '20', '--url', server.url],
    ]);
    await cli.says(/^round 1 /m);
    // The tool's own, this test's and two shared ones: no room for eight tasks that open one each.
    await server.query('CONFIG', 'SET', 'maxclients', '5');
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
});
