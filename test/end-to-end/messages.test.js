import assert from 'node:assert/strict';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';

/** @import { CellResult } from '../../src/results/types.js' */

const QUICK = [
  '--tasks',
  '8',
  '--size',
  '20',
  '--runs',
  '1',
  '--starts',
  '1',
  '--iterations',
  '50',
  '--pin',
  'off',
  '--no-profile',
  '--no-save',
];
const MESSAGES = 400;

describe('messages', () => {
  afterEach(endStarted);

  /** @param {string[]} args @returns {Promise<CellResult[]>} */
  async function cellsOf(args) {
    const { code, stdout, stderr, temp } = await runCli([...QUICK, '--format', 'json', ...args]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(leftovers(temp), []);
    return JSON.parse(stdout).cells;
  }

  it('arrive once each, and the server has counted the commands of both sides', async () => {
    const server = await startRedis();
    try {
      const cells = await cellsOf([
        ...['--clients', 'redis,ioredis,raw', '--scenarios', 'shared-connection', '--url', server.url],
        ...['--workload', 'publish:2,stream,queue,queue:shared'],
      ]);
      const skipped = cells.filter((cell) => cell.skipped !== null);
      assert.deepEqual(
        skipped.map(({ client, workload }) => [client, workload]),
        [['raw', 'publish:2']],
      );
      for (const { id, runs, summary } of cells.filter((cell) => cell.skipped === null)) {
        const [run] = runs;
        assert.deepEqual([run.failed, run.operations, run.wrongReplies], [null, MESSAGES, 0], id);
        assert.deepEqual(
          run.warnings.filter((text) => /claims|other commands/.test(text)),
          [],
          id,
        );
        assert.ok(Number(summary?.latency?.p50Us) > 0, id);
      }
      const { calls } = cells.filter(({ workload }) => workload === 'queue')[0].runs[0].processes[0];
      assert.deepEqual(calls, { lpush: MESSAGES, brpop: MESSAGES });
      assert.equal(await server.query('DBSIZE'), 0);
    } finally {
      await server.stop();
    }
  });

  it('stay in their process', async () => {
    const cells = await cellsOf([
      ...['--clients', 'ioredis', '--scenarios', 'shared-connection', '--workload', 'publish,stream,queue'],
      ...['--topology', 'standalone,cluster', '--processes', '2'],
    ]);
    assert.equal(cells.filter(({ skipped }) => /standalone servers only/.test(String(skipped))).length, 3);
    for (const { id, runs } of cells.filter(({ skipped }) => skipped === null))
      assert.deepEqual([runs[0].failed, runs[0].operations], [null, 2 * MESSAGES], id);
  });

  it('are not sent in batches', async () => {
    const [alone, inBatches] = await cellsOf([
      ...['--clients', 'redis', '--scenarios', 'shared-connection', '--workload', 'queue'],
      ...['--pipelining', 'implicit,explicit:10'],
    ]);
    assert.equal(alone.skipped, null);
    assert.match(String(inBatches.skipped), /a message is sent by itself/);
  });
});
