import assert from 'node:assert/strict';
import { endStarted, leftovers, runCli, startCli } from '../helpers/cli.js';
import { startCluster } from '../helpers/cluster.js';
import { assertSound } from '../helpers/sound.js';
import { until } from '../helpers/until.js';

/** @import { NodeCost, Report } from '../../src/store/types.js' */

const SMALL = [
  ...['--scenarios', 'shared-connection', '--size', '10', '--runs', '1', '--iterations', '50'],
  ...['--warmup-runs', '0'],
  ...['--pin', 'off', '--no-profile'],
];
const ONE = ['--clients', 'ioredis', ...SMALL];

/** @param {string} stdout @returns {Report} */
const reportOf = (stdout) => JSON.parse(stdout);

describe('with a cluster', () => {
  afterEach(endStarted);

  describe('of its own', () => {
    it('both topologies and transports are measured side by side, and each node is accounted for', async function () {
      this.timeout(120_000);
      const axes = ['--topology', 'standalone,cluster', '--transport', 'tcp,tls', '--cluster-nodes', '4'];
      const args = [...axes, '--format', 'json', ...ONE];
      const { code, stdout, stderr, temp } = await runCli(args, { withinMs: 55_000 });
      assert.equal(code, 0, stderr);
      const { cells } = reportOf(stdout);
      assert.equal(cells.length, 2 * 2);
      for (const cell of cells) {
        const [run] = cell.runs;
        assert.equal(run.failed, null, cell.id);
        assert.equal(run.server?.moved, 0);
        assert.equal(run.server?.asked, 0);
        const nodes = run.server?.nodes ?? null;
        if (cell.topology === 'standalone') {
          assert.equal(nodes, null);
          assert.equal(cell.connections, 1);
        } else {
          assert.equal(nodes?.length, 4);
          // ioredis asks for the slots every 5 s, over a connection more.
          assert.ok([4, 5].includes(Number(cell.connections)), `${cell.connections}`);
          assert.equal(sum(nodes), run.commands);
          const shares = nodes.map((node) => Number(node.cpuUtilization));
          assert.equal(run.server?.busiestNodeUtilization, Math.max(...shares));
          const total = shares.reduce((all, share) => all + share, 0);
          assert.ok(Math.abs(total - Number(run.server?.cpuUtilization)) < 1e-9, `${shares}`);
          assert.equal(sum(cell.summary?.server.nodes ?? []), run.commands);
        }
        // Whatever else it warns of: the servers have counted what the run claims.
        assert.deepEqual(
          run.warnings.filter((text) => /server|commands/.test(text)),
          [],
        );
      }
      assert.deepEqual(leftovers(temp), []);
    });

    it('leaves nothing after kill -9', async () => {
      const tool = startCli([
        '--topology',
        'cluster',
        '--clients',
        'ioredis',
        '--runs',
        '1000',
        '--size',
        '10',
      ]);
      await tool.says(/1,000 runs/);
      await until('four processes', () => leftovers(tool.temp).length > 4);
      tool.signal('SIGKILL');
      await tool.result;
      await until('everything to be gone', () => leftovers(tool.temp).length === 0);
    });
  });

  describe('of somebody else', () => {
    /** @type {Awaited<ReturnType<typeof startCluster>>} */
    let cluster;
    before(async () => {
      cluster = await startCluster();
    });
    after(() => cluster.stop());

    /** @param {string[]} args @param {number} expected exit code @param {RegExp} message */
    async function refused(args, expected, message) {
      const { code, stdout, stderr } = await runCli([...ONE, ...args]);
      assert.equal(code, expected, stderr);
      assert.match(stderr, message);
      assert.equal(stdout, '');
    }

    it('is measured, and left as it was', async () => {
      await cluster.query(2, 'SET', 'a', 'theirs');
      const args = ['--topology', 'cluster', '--url', cluster.url, ...ONE];
      const { code, stdout, stderr } = await runCli([...args, '--format', 'json']);
      assert.equal(code, 0, stderr);
      const { cells, server } = reportOf(stdout);
      assert.deepEqual(
        server.nodes,
        cluster.nodes.map(({ targets }) => `127.0.0.1:${targets.tcp.port}`),
      );
      assert.ok(cells.every(({ runs }) => runs.every((run) => run.failed === null && run.commands === 400)));
      assert.deepEqual(await cluster.queryAll('KEYS', '*'), [[], [], ['a']]);
    });

    it('carries messages from node to node, each once, and each command is counted', async () => {
      const { code, stdout, stderr } = await runCli([
        ...[
          'messages',
          '--workload',
          'publish:3,stream,queue:apart',
          '--topology',
          'cluster',
          '--url',
          cluster.url,
        ],
        ...['--clients', 'ioredis', '--size', '10', '--runs', '1', '--iterations', '50', '--pin', 'off'],
        ...['--format', 'json'],
      ]);
      assert.equal(code, 0, stderr);
      const report = reportOf(stdout);
      assertSound(report);
      for (const { id, runs } of report.cells) assert.equal(runs[0].operations, 400, id);
    });

    it('is measured with its password, which is shown nowhere', async () => {
      await cluster.queryAll('CONFIG', 'SET', 'requirepass', 'S3cret');
      try {
        const url = cluster.url.replace('//', '//:S3cret@');
        const args = ['--topology', 'cluster', '--url', url, '--clients', 'redis,ioredis', ...SMALL];
        const { code, stdout, stderr } = await runCli([...args, '--format', 'json']);
        assert.equal(code, 0, stderr);
        const runs = reportOf(stdout).cells.flatMap((cell) => cell.runs);
        assert.deepEqual(
          runs.map(({ failed, commands }) => [failed, commands]),
          [
            [null, 400],
            [null, 400],
          ],
        );
        assert.ok(!(stdout + stderr).includes('S3cret'));
        await refused(['--topology', 'cluster', '--url', cluster.url], 3, /asks for a password/);
      } finally {
        await cluster.queryAll('CONFIG', 'SET', 'requirepass', '');
      }
    });
  });
});

/** @param {NodeCost[]} nodes */
const sum = (nodes) => nodes.reduce((total, { commands }) => total + Number(commands), 0);
