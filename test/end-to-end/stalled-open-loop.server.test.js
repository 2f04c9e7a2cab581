import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { endStarted, runCli, startHere } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { JSON_OUT, openLoopOf, PRODUCER, reportOf } from '../helpers/open-loop.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

const ONCE = ['--runs', '1', '--warmup-runs', '0', '--pin', 'off', '--no-profile'];
/** Stalled for so long, it is far more than may be in flight. An open loop takes a processor for as long as it lasts. */
const RATE = 2000;
const DURATION_MS = 1500;
const STALL_MS = 600;
const SCHEDULED = (RATE * DURATION_MS) / 1000;
const MOST = 200;
/** Due while it stalls, and not in flight. */
const LEAST_HELD = (RATE * STALL_MS) / 2000;

describe('an open loop when the server stalls', () => {
  afterEach(endStarted);

  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());

  /**
   * A producer, and its server stalled in the midst of it.
   *
   * @param {string} whenFull
   * @param {() => Promise<unknown>} [stall]
   */
  async function stalled(whenFull, stall = () => server.query('CLIENT', 'PAUSE', `${STALL_MS}`, 'ALL')) {
    const before = await server.calls('set');
    const tool = startHere([
      ...[...PRODUCER, '--key-size', '16', '--value-size', '128', '--url', server.url, ...ONCE, ...JSON_OUT],
      ...['--rate', `${RATE}`, '--duration', `${DURATION_MS}ms`],
      ...['--when-full', whenFull, '--max-in-flight', `${MOST}`],
    ]);
    await until('it to send', async () => (await server.calls('set')) - before > RATE / 10);
    await stall();
    const result = await tool.result;
    return { ...result, counted: (await server.calls('set')) - before };
  }

  it('wait: nothing is lost, and all is acknowledged after it resumes', async () => {
    const { code, stdout, stderr, counted } = await stalled('wait');
    assert.equal(code, 0, stderr);
    const [run] = reportOf(stdout).cells[0].runs;
    const { scheduled, acknowledged, waited, dropped, unsent, inFlightMax } = openLoopOf(run);
    assert.deepEqual([scheduled, acknowledged, dropped, unsent], [SCHEDULED, SCHEDULED, 0, 0]);
    assert.ok(waited > LEAST_HELD, `${waited} waited`);
    assert.equal(inFlightMax, MOST);
    // The pause counts from the schedule, whoever waited and where.
    assert.ok(Number(run.latency?.maxUs) > 900 * STALL_MS);
    assert.ok(Number(run.latency?.p99Us) > 500 * STALL_MS);
    assert.equal(counted, SCHEDULED);
    assert.ok(Number(run.client?.peakRssBytes) < 250e6);
  });

  (NIGHTLY ? it : it.skip)(
    'wait: nothing is lost either when the whole server process stops for a while',
    async () => {
      const { code, stdout, stderr, counted } = await stalled('wait', async () => {
        process.kill(server.pid, 'SIGSTOP');
        await sleep(STALL_MS);
        process.kill(server.pid, 'SIGCONT');
      });
      assert.equal(code, 0, stderr);
      const [run] = reportOf(stdout).cells[0].runs;
      assert.deepEqual([openLoopOf(run).acknowledged, counted], [SCHEDULED, SCHEDULED]);
      assert.ok(Number(run.latency?.maxUs) > 900 * STALL_MS);
      assert.ok(Number(run.client?.peakRssBytes) < 250e6);
    },
  );

  it('drop: what was dropped plus what was acknowledged is what was scheduled', async () => {
    const { code, stdout, stderr, counted } = await stalled('drop');
    assert.equal(code, 0, stderr);
    const [run] = reportOf(stdout).cells[0].runs;
    const { scheduled, acknowledged, dropped } = openLoopOf(run);
    assert.equal(scheduled, SCHEDULED);
    assert.equal(dropped + acknowledged, scheduled);
    assert.ok(dropped > LEAST_HELD, `${dropped} dropped`);
    assert.equal(counted, acknowledged);
    assert.ok(Number(run.client?.peakRssBytes) < 250e6);
  });

  it('fail: the run fails and says at which bound', async () => {
    const { code, stdout } = await runCli([
      ...[...PRODUCER, '--url', server.url, ...ONCE, ...JSON_OUT, '--duration', '3s'],
      ...['--rate', '9000000', '--when-full', 'fail', '--max-in-flight', '50'],
    ]);
    assert.equal(code, 4);
    const [run] = reportOf(stdout).cells[0].runs;
    assert.match(
      String(run.failed),
      /it hit --max-in-flight \(50\) after .*: it could not sustain 9000000\/s/,
    );
  });
});
