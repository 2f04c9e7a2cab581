import assert from 'node:assert/strict';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { startProxy } from '../helpers/proxy.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { until } from '../helpers/until.js';

/** @import { Report } from '../../src/store/types.js' */

const { clients, scenarios } = await loadCatalogue();
const TASKS = 4;
const CELL = ['--size', '20', '--tasks', `${TASKS}`, '--format', 'json', '--no-profile'];
/**
 * One run that lasts until something happens to it. Left to the scheduler, it is never repeated for having had
 * to wait for a processor.
 */
const LONG_RUN = [
  ...[...CELL, '--keys', '1', '--pin', 'off'],
  ...['--runs', '1', '--warmup-runs', '0', '--iterations', '1000000'],
];

/** By default GLIDE gives up after 250 ms, on a busy machine before it learns what happened. @param {string} client */
const patient = (client) => (client === 'valkey-glide' ? 'valkey-glide{requestTimeout:10000}' : client);

/** By day not the one that is made from another. @param {{id: string}} client */
const byDay = ({ id }) => NIGHTLY || id !== 'iovalkey';

/** What clients say of a reply that has lost its end; one of them waits for it until it is stopped. */
const UNREADABLE =
  /RESP type|as reply type byte|expected a number in a reply|parse error|had not ended after 2 s/;

describe('a network that', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startProxy>>} */
  let proxy;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());
  beforeEach(async () => {
    await server.query('FLUSHALL');
    await server.query('CONFIG', 'RESETSTAT');
    proxy = await startProxy(server.port);
  });
  afterEach(async () => {
    await endStarted();
    await proxy.stop();
  });

  /**
   * @param {string[]} args
   * @param {() => unknown} happening in the middle of the first run
   * @returns {Promise<{report: Report, code: number | null, stderr: string}>}
   */
  async function during(args, happening) {
    const running = runCli([...args, '--url', proxy.url]);
    const ended = running.then(({ stderr }) => assert.fail(`ended before that: ${stderr}`));
    await Promise.race([ended, until('a run to be under way', async () => (await server.calls('get')) > 40)]);
    await happening();
    return finished(await running);
  }

  /** @param {Awaited<ReturnType<typeof runCli>>} result */
  async function finished({ code, stdout, stderr, temp }) {
    const report = JSON.parse(stdout);
    assert.deepEqual(schemaErrors(report), []);
    assert.deepEqual(leftovers(temp), []);
    assert.deepEqual(await server.contents(), {}, `its keys are removed all the same: ${stderr}`);
    assert.doesNotMatch(stderr, /^\s+at /m);
    return { report, code, stderr };
  }

  for (const { client, scenario } of pairings()) {
    it(`cuts the connections of ${client}, ${scenario}: failed operations are counted by cause, never as done, and none is sent twice`, async () => {
      const args = [...LONG_RUN, '--clients', patient(client), '--scenarios', scenario];
      const { report, code, stderr } = await during(args, () => proxy.cut());
      assert.equal(code, 4, stderr);
      const [run] = report.cells[0].runs;
      assert.match(String(run.failed), /connection lost/);
      assert.equal(run.wrongReplies, 0);
      const failed = Object.values(run.errors).reduce((sum, count) => sum + count, 0);
      assert.ok(run.errors['connection lost'] >= 1 && failed <= TASKS, JSON.stringify(run.errors));
      // One more GET has checked the data, before the run.
      const sent = (await server.calls('get')) - 1;
      assert.ok(sent >= run.operations && sent <= run.operations + failed, `${sent}, ${run.operations}`);
    });
  }

  // By day the parser that is ours, and one of a library.
  for (const client of NIGHTLY ? clients.keys() : ['raw', 'ioredis']) {
    it(`loses bytes of a reply to ${client}: the run fails`, async () => {
      const args = [...LONG_RUN, '--clients', patient(client), '--scenarios', 'shared-connection'];
      const { report, code } = await during([...args, '--run-timeout', '2s'], () => {
        let lost = 0;
        proxy.replies((reply, forward) => forward(lost++ === 0 ? reply.subarray(0, -5) : reply));
      });
      assert.equal(code, 4);
      assert.match(String(report.cells[0].runs[0].failed), UNREADABLE);
    });
  }

  it('cuts a connection with batches on it: every operation of a batch counts as failed', async () => {
    const args = [
      '--clients',
      NIGHTLY ? 'redis,ioredis,raw' : 'ioredis,raw',
      '--scenarios',
      'shared-connection',
      '--pipelining',
      'explicit:10',
    ];
    const { report, code } = await during([...LONG_RUN, ...args], () => proxy.cut());
    assert.equal(code, 4);
    const cut = report.cells.flatMap(({ runs }) => runs.filter(({ errors }) => 'connection lost' in errors));
    assert.ok(cut.length > 0);
    for (const { errors } of cut) assert.equal(errors['connection lost'] % 10, 0, JSON.stringify(errors));
  });

  it('cuts connections between a run and the check of its replies: lost connections, no wrong replies', async () => {
    proxy.cutAt('echo 0');
    const names = [...clients.values()].filter(byDay).map(({ id }) => id);
    const { report, code } = await finished(
      await runCli([
        ...[...CELL, '--url', proxy.url, '--clients', names.join(), '--scenarios', 'connection-per-task'],
        ...['--iterations', '20', '--runs', '1', '--warmup-runs', '0'],
      ]),
    );
    assert.equal(code, 4);
    assert.equal(report.cells.length, names.length);
    for (const { client, runs } of report.cells) {
      const [{ failed, errors, wrongReplies, operations }] = runs;
      assert.deepEqual([wrongReplies, operations], [0, 20 * TASKS], client);
      if (clients.get(client)?.reconnects) {
        assert.deepEqual([failed, errors], [null, {}], client);
        continue;
      }
      assert.deepEqual(errors, { 'connection lost': TASKS }, client);
      assert.match(
        String(failed),
        new RegExp(`^${TASKS} × connection lost: the check after the run failed: .*(closed|RESET)`),
      );
    }
  });

  it('cuts every connection, also that of the tool itself: the next cell is measured', async () => {
    const args = ['--clients', 'ioredis', '--scenarios', 'shared-connection', '--tasks', `${TASKS},1`];
    const { report, code } = await during([...LONG_RUN, ...args, '--iterations', '5000'], () =>
      proxy.cutAll(),
    );
    assert.equal(code, 4);
    assert.equal(report.failure, null);
    assert.match(String(report.cells[0].runs[0].failed), /connection lost/);
    assert.deepEqual([report.cells[1].runs.length, report.cells[1].runs[0].failed], [1, null]);
  });

  it('falls silent: a warning, after --run-timeout the run fails, and the next cell goes on', async () => {
    const args = ['--clients', 'ioredis', '--scenarios', 'shared-connection', '--tasks', `${TASKS},1`];
    // In the midst of the first run, whose replies are thousands, and of a slice: what is lost first is the reply to a GET,
    // not to what is asked between slices. The next cell has connections of its own.
    let [replies, workers] = [0, Number.POSITIVE_INFINITY];
    proxy.replies((reply, forward) => {
      if (++replies > 400 && workers === Number.POSITIVE_INFINITY && reply.toString().startsWith('$20\r\n'))
        workers = proxy.opened();
      if (workers === Number.POSITIVE_INFINITY || proxy.opened() > workers) forward(reply);
    });
    const { report, code, stderr } = await finished(
      // NoVerdict is reported after 1.5 s. So few iterations that the next cell has far more time than it takes.
      await runCli([...LONG_RUN, ...args, '--url', proxy.url, '--iterations', '1000', '--run-timeout', '6s']),
    );
    assert.equal(code, 4);
    assert.match(stderr, /^warning: ioredis.*: no reply for \d+ s/m);
    assert.match(String(report.cells[0].runs[0].failed), /had not ended after 6 s \(--run-timeout\)/);
    assert.deepEqual([report.cells[1].runs.length, report.cells[1].runs[0].failed], [1, null]);
  });

  it('falls silent between slices: the same warning, and the run fails', async () => {
    proxy.replies((reply, forward) => reply.includes('echo ') || forward(reply));
    const args = ['--clients', 'ioredis', '--scenarios', 'shared-connection', '--iterations', '1000'];
    const { report, code, stderr } = await finished(
      await runCli([...LONG_RUN, ...args, '--url', proxy.url, '--run-timeout', '3s']),
    );
    assert.equal(code, 4);
    assert.match(stderr, /^warning: ioredis.*: no reply for \d+ s/m);
    assert.match(String(report.cells[0].runs[0].failed), /had not ended after 3 s \(--run-timeout\)/);
  });

  it('is slow: everything is measured, and every reply is right', async () => {
    const iterations = 10;
    const delayMs = 20;
    proxy.replies((reply, forward) => void setTimeout(forward, delayMs, Buffer.from(reply)));
    const { report, code } = await finished(
      await runCli([
        ...[...CELL, '--url', proxy.url, '--clients', 'ioredis', '--scenarios', 'shared-connection'],
        ...['--iterations', `${iterations}`, '--runs', '1', '--warmup-runs', '0'],
      ]),
    );
    assert.equal(code, 0);
    for (const { runs } of report.cells) {
      assert.deepEqual([runs[0].failed, runs[0].operations], [null, iterations * TASKS]);
      assert.ok(Number(runs[0].averageMs) > (iterations * delayMs) / 2, `${runs[0].averageMs} ms`);
    }
  });
});

/** Every client with one scenario, and every scenario with one client. */
function pairings() {
  return [...scenarios].flatMap(([scenario, { requires = [] }], index) => {
    // Others are skipped cells, with their reason.
    const needed =
      typeof requires === 'function' ? requires(/** @type {any} */ ({}), 'standalone') : requires;
    const able = [...clients.values()].filter(({ capabilities }) =>
      needed.every((each) => capabilities.has(each)),
    );
    // By day one other scenario.
    const some = NIGHTLY || scenario === 'pool' ? [able[index % able.length]] : [];
    const chosen = scenario === 'shared-connection' ? able.filter(byDay) : some;
    return chosen.map(({ id }) => ({ client: id, scenario }));
  });
}
