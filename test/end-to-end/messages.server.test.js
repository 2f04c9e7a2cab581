import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { endStarted, leftovers, runCli, startHere } from '../helpers/cli.js';
import { processesOf } from '../helpers/processes.js';
import { startRedis } from '../helpers/redis-server.js';
import { assertSound } from '../helpers/sound.js';
import { startTcpServer } from '../helpers/tcp-server.js';
import { until } from '../helpers/until.js';

/** @import { CellResult } from '../../src/store/types.js' */

const ONE = [
  ...['messages', '--size', '20', '--runs', '1', '--warmup-runs', '0'],
  ...['--no-save', '--pin', 'off'],
];
const QUICK = [...ONE, '--tasks', '8', '--iterations', '50'];
const MESSAGES = 400;

describe('messages', () => {
  afterEach(endStarted);

  /** @param {string[]} args @returns {Promise<CellResult[]>} */
  async function cellsOf(args) {
    const { code, stdout, stderr, temp } = await runCli([...args, '--format', 'json']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(leftovers(temp), []);
    return JSON.parse(stdout).cells;
  }

  it('arrive once each, and the server has counted the commands of both sides', async () => {
    const server = await startRedis();
    try {
      const here = [...QUICK, '--url', server.url];
      const cells = [
        ...(await cellsOf([...here, '--clients', 'raw', '--workload', 'queue'])),
        ...(await cellsOf([...here, '--clients', 'ioredis', '--workload', 'publish:2,stream'])),
      ];
      assertSound({ cells });
      for (const { id, runs, summary } of cells) {
        const [run] = runs;
        assert.deepEqual([run.operations, run.wrongReplies], [MESSAGES, 0], id);
        assert.ok(Number(summary?.latency?.p50Us) > 0, id);
      }
      const { calls } = cells[0].runs[0].processes[0];
      assert.deepEqual(calls, { lpush: MESSAGES, brpop: MESSAGES });
      assert.equal(await server.query('DBSIZE'), 0);
    } finally {
      await server.stop();
    }
  });

  it('arrive once each in another process, which learns when a run is over', async () => {
    const cells = [
      ...(await cellsOf([...QUICK, '--workload', 'publish:2:apart', '--clients', 'ioredis'])),
      ...(await cellsOf([...QUICK, '--workload', 'stream:apart', '--clients', 'raw'])),
      ...(await cellsOf([...QUICK, '--workload', 'queue:apart', '--clients', 'raw', '--processes', '2'])),
    ];
    assertSound({ cells });
    const figures = cells.map(({ runs: [{ operations, wrongReplies, latency }] }) => [
      operations,
      wrongReplies,
      latency?.count,
    ]);
    const sent = [MESSAGES, 0, MESSAGES];
    assert.deepEqual(figures, [sent, sent, [2 * MESSAGES, 0, 2 * MESSAGES]]);
    const [, , { runs }] = cells;
    const [send, receive] = [{ lpush: MESSAGES + 1 }, { brpop: MESSAGES + 1 }];
    assert.deepEqual(
      runs[0].processes.map(({ calls }) => calls),
      [send, receive, send, receive],
    );
  });

  it('are sent at a rate, and their latency counts from when they were meant to be sent', async () => {
    const [{ runs }] = await cellsOf([
      ...[...ONE, '--tasks', '8', '--clients', 'raw', '--workload', 'queue:apart'],
      ...['--rate', '500', '--duration', '400ms'],
    ]);
    const [{ failed, openLoop, latency }] = runs;
    assert.deepEqual([failed, openLoop?.scheduled, latency?.count], [null, 200, 200]);
    assert.equal(openLoop?.latencyFromSend?.count, 200);
    assert.ok(Number(latency?.meanUs) >= Number(openLoop?.latencyFromSend?.meanUs));
  });

  it('end in the middle of a run, and leave nothing', async () => {
    const args = ['--clients', 'raw', '--workload', 'queue:apart'];
    const cli = startHere([...ONE, ...args, '--iterations', '100000000']);
    await cli.says(/1 cell/);
    await until(
      'both workers to be at work',
      () => processesOf(cli.temp).filter(({ command }) => command.includes('worker/entry.js')).length === 2,
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    cli.signal('SIGINT');
    const { code, temp } = await cli.result;
    assert.equal(code, 130);
    assert.deepEqual(leftovers(temp), []);
  });

  it('are named where they are lost or doubled on the way', async () => {
    const server = await startRedis();
    try {
      for (const [fault, why] of /** @type {const} */ ([
        ['lost', /a message was lost: it had not arrived after 5 s/],
        ['doubled', /1 wrong reply, the first: message 49 arrived twice/],
      ])) {
        const proxy = await startMessageProxy(server.port, fault);
        const { code, stdout, stderr } = await runCli([
          ...[...ONE, '--clients', 'ioredis', '--tasks', '1', '--iterations', '100'],
          ...['--workload', 'queue', '--url', proxy.url, '--format', 'json'],
        ]);
        await proxy.stop();
        assert.equal(code, 4, stderr);
        assert.match(JSON.parse(stdout).cells[0].runs[0].failed, why);
      }
    } finally {
      await server.stop();
    }
  });
});

/**
 * Loses or doubles the fiftieth message. With one task, each chunk that arrives is one command.
 *
 * @param {number} port of the server
 * @param {'lost' | 'doubled'} fault
 */
async function startMessageProxy(port, fault) {
  let messages = 0;
  const copier = connect(port);
  const proxy = await startTcpServer((socket) => {
    const upstream = connect(port);
    socket.on('data', (bytes) => {
      const isHit = /lpush/i.test(bytes.toString('latin1')) && ++messages === 50;
      if (isHit && fault === 'doubled') copier.write(bytes);
      if (isHit && fault === 'lost') socket.write(':1\r\n');
      else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => socket.write(bytes));
    upstream.on('error', () => {});
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  return {
    url: proxy.url,
    async stop() {
      copier.destroy();
      await proxy.stop();
    },
  };
}
