import assert from 'node:assert/strict';
import { renderReport } from '../../src/cli/render.js';
import { ENDLESS, endStarted, leftovers, QUICK, runCli, startHere } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { until } from '../helpers/until.js';

/** @import { Report } from '../../src/store/types.js' */

const PASSWORD = 'p@ss/w:rd%';

describe('an external server', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());
  afterEach(endStarted);

  describe("somebody's own keys", () => {
    /** @type {Record<string, string>} */
    let planted;
    beforeEach(async () => {
      await server.query('FLUSHALL');
      await server.query('SET', 'mine', 'untouched');
      await server.query('SET', 'rpb:mine', 'has the same beginning');
      await server.query('HSET', 'hash', 'field', 'value');
      await server.query('RPUSH', 'list', 'a', 'b');
      planted = await server.contents();
      assert.equal(Object.keys(planted).length, 4);
    });
    afterEach(async () => {
      assert.deepEqual(await server.contents(), planted, 'the key space is as it was before');
    });

    it('are untouched by a run with --url', async () => {
      const { code, stdout } = await runCli([
        ...QUICK,
        ...['--clients', 'ioredis', '--scenarios', 'open-and-close', '--workload', 'set-get'],
        ...['--url', server.url, '--iterations', '10'],
      ]);
      assert.equal(code, 0);
      assert.match(stdout, /\bexternal \w+ \d/);
    });
    it('are untouched by a run with REDIS_URL', async () => {
      const before = await server.calls('get');
      const { code } = await runCli(QUICK, { env: { REDIS_URL: server.url } });
      assert.equal(code, 0);
      assert.ok((await server.calls('get')) > before, 'this server was measured');
    });
    it('are untouched by a run with --socket', async () => {
      const before = await server.calls('get');
      const { code, stderr } = await runCli([...QUICK, '--socket', server.socket]);
      assert.equal(code, 0, stderr);
      assert.ok((await server.calls('get')) > before, 'this server was measured');
    });
    it('are untouched by calibrate', async () => {
      const args = [
        '--runs',
        '1',
        '--duration',
        '20ms',
        '--connections',
        '1',
        '--depth',
        '2',
        '--url',
        server.url,
      ];
      const { code, stderr } = await runCli(['calibrate', ...args]);
      assert.equal(code, 0, stderr);
    });
    it('are untouched after Ctrl-C, and the runs until then are reported', async () => {
      const cli = startHere([...ENDLESS, '--clients', 'raw,raw', '--url', server.url, '--format', 'json']);
      await cli.says(/^round 2 /m);
      assert.notDeepEqual(await server.contents(), planted, 'its keys are there while it runs');
      cli.signal('SIGINT');
      const { code, stdout, stderr } = await cli.result;
      assert.equal(code, 130);
      assert.match(stderr, /^SIGINT: stopping/m);
      const report = JSON.parse(stdout);
      assert.deepEqual(schemaErrors(report), []);
      assert.equal(report.partial, true);
      for (const { runs } of report.cells) {
        assert.ok(runs.length >= 2);
        assert.deepEqual(
          runs.filter((/** @type {any} */ run) => run.failed !== null),
          [],
        );
      }
    });
    it('are untouched after Ctrl-C in the warm-up', async () => {
      const cli = startHere([
        ...ENDLESS,
        '--warmup-runs',
        '1',
        '--iterations',
        '100000000',
        '--url',
        server.url,
      ]);
      await until('its key', async () => Object.keys(await server.contents()).length > 4);
      cli.signal('SIGINT');
      assert.equal((await cli.result).code, 130);
    });
  });

  it('is measured in the database of the URL', async () => {
    await server.query('FLUSHALL');
    const cli = startHere([...ENDLESS, '--keys', '1', '--url', `${server.url}/5`]);
    await cli.says(/^round 1 /m);
    const keyspace = String(await server.query('INFO', 'keyspace'));
    cli.signal('SIGINT');
    await cli.result;
    assert.match(keyspace, /^db5:keys=1,/m);
    assert.doesNotMatch(keyspace, /^db0:/m);
    assert.doesNotMatch(String(await server.query('INFO', 'keyspace')), /^db/m);
  });

  describe('its own counters', () => {
    /** @param {string[]} args @returns {Promise<{report: Report, grown: Record<string, number>}>} */
    async function measure(args) {
      await server.query('CONFIG', 'RESETSTAT');
      // Pinned, a run in which the processes had to wait would be repeated; profiles are runs of their own.
      const all = [...args, '--pin', 'off', '--no-profile', '--url', server.url, '--format', 'json'];
      const { code, stdout, stderr } = await runCli(all, {
        withinMs: 60_000,
      });
      assert.equal(code, 0, stderr);
      const grown = { get: await server.calls('get'), set: await server.calls('set') };
      return { report: JSON.parse(stdout), grown };
    }

    /** @param {Report} report @returns {number} operations of all timed runs */
    const operationsOf = ({ cells }) =>
      cells.flatMap(({ runs }) => runs).reduce((sum, run) => sum + run.operations, 0);

    it('grow by the GETs that are reported, and one check of the data in each cell', async function () {
      this.timeout(120_000);
      const { report, grown } = await measure([
        ...['--clients', 'raw,ioredis:auto-pipelining', '--size', '10', '--tasks', '4', '--keys', '1'],
        ...['--scenarios', 'shared-connection,connection-per-task', '--iterations', '25'],
        ...['--runs', '2', '--starts', '1', '--warmup-runs', '0'],
      ]);
      const cells = 2 * 2;
      assert.equal(operationsOf(report), cells * 2 * 4 * 25);
      // A warm-up has as many as the machine does in its time.
      assert.deepEqual(grown, { get: operationsOf(report) + cells, set: cells });
    });

    it('grow by what is reported and read back where nothing needs to be stored before and nothing is warmed up', async () => {
      const { report, grown } = await measure([
        ...['--clients', 'raw,ioredis', '--workload', 'set-get', '--size', '10', '--tasks', '4'],
        ...['--scenarios', 'open-and-close', '--iterations', '25'],
        ...['--runs', '2', '--starts', '1', '--warmup-runs', '0'],
      ]);
      const operations = operationsOf(report);
      assert.equal(operations, 2 * 2 * 4 * 25);
      // Of each of the four runs, the tool itself reads back what was written last.
      assert.deepEqual(grown, { get: operations + 4 * 16, set: operations });
    });

    it('that show commands of others give a warning', async () => {
      const cli = startHere([...QUICK, '--iterations', '1000', '--url', server.url, '--format', 'json']);
      let ended = false;
      void cli.result.finally(() => {
        ended = true;
      });
      while (!ended) await server.query('GET', 'somebody-else');
      const { code, stdout } = await cli.result;
      assert.equal(code, 0);
      const [run] = JSON.parse(stdout).cells[0].runs;
      assert.match(run.warnings.join('\n'), /claims 8000 GET, the server counted [\d,]+/);
    });
  });

  describe('with a password', () => {
    /** @type {Awaited<ReturnType<typeof startRedis>>} */
    let locked;
    before(async () => {
      locked = await startRedis({ password: PASSWORD });
    });
    after(() => locked.stop());
    const urlWith = (/** @type {string} */ password) =>
      `redis://:${encodeURIComponent(password)}@127.0.0.1:${locked.port}`;

    it('is measured with the right one, which is in no output', async () => {
      for (const [format, clients] of [
        ['json', 'redis,ioredis,raw'],
        ['table', 'raw'],
      ]) {
        const { code, stdout, stderr } = await runCli(
          [...QUICK, '--clients', clients, '--url', urlWith(PASSWORD), '--format', format],
          { env: { DEBUG: '1' } },
        );
        assert.equal(code, 0, stderr);
        for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) {
          assert.ok(!`${stdout}${stderr}`.includes(secret), format);
        }
      }
    });
    for (const [what, url, message] of /** @type {[string, () => string, RegExp][]} */ ([
      ['a wrong one', () => urlWith('S3cret'), /rejected the user name or password/],
      ['none', () => `redis://127.0.0.1:${locked.port}`, /asks for a password/],
    ])) {
      it(`says that ${what} does not do, without printing it`, async () => {
        const { code, stdout, stderr } = await runCli([...QUICK, '--url', url()], { env: { DEBUG: '1' } });
        assert.deepEqual([code, stdout], [3, '']);
        assert.match(stderr.split('\n')[0], message);
        assert.ok(!stderr.includes('S3cret'), stderr);
      });
    }
  });

  describe('that does not let everybody do everything', () => {
    it('is measured without INFO and CONFIG', async () => {
      await server.query('FLUSHALL');
      const may = ['+get', '+set', '+del', '+ping', '+hello', '+client', '+auth', '+select', '+quit'];
      await server.query('ACL', 'SETUSER', 'few', 'on', '>pw', '~*', ...may);
      const url = `redis://few:pw@127.0.0.1:${server.port}`;
      const { code, stdout, stderr, temp } = await runCli([
        ...QUICK,
        ...['--clients', 'ioredis,raw', '--url', url, '--format', 'json'],
      ]);
      assert.equal(code, 0, stderr);
      const report = JSON.parse(stdout);
      assert.deepEqual(schemaErrors(report), []);
      assert.equal(report.server.version, null);
      for (const { runs } of report.cells) {
        assert.deepEqual([runs.length, runs[0].failed], [1, null]);
        assert.deepEqual(runs[0].warningFacts[0], { kind: 'no-info', why: 'denied' });
      }
      const screen = await renderReport(report, 'table', { width: 400 });
      assert.match(screen, /warning: the user may not call INFO \(ACL SETUSER USER \+info\)/);
      assert.deepEqual(await server.contents(), {});
      assert.deepEqual(leftovers(temp), []);
    });
    it('fails the cells whose writes it refuses, exit 4, and says why', async () => {
      await server.query('ACL', 'SETUSER', 'reader', 'on', '>pw', '~*', '+@all', '-set');
      const url = `redis://reader:pw@127.0.0.1:${server.port}`;
      const { code, stdout, stderr } = await runCli([...QUICK, '--clients', 'raw', '--url', url]);
      assert.equal(code, 4);
      assert.match(stderr, /NOPERM/);
      assert.match(stdout, /\bfailed\b[\s\S]*NOPERM/);
      assert.match(stderr, /^redis-pipe-bench: 1 of 1 cell failed$/m);
    });
  });
});
