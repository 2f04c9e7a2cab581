import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { endStarted, runCli, startCli } from '../helpers/cli.js';
import { JSON_OUT, openLoopOf, PRODUCER, reportOf } from '../helpers/open-loop.js';
import { startRedis } from '../helpers/redis-server.js';
import { timed } from '../helpers/timed.js';

const ONCE = ['--runs', '1', '--warmup-runs', '0'];

describe('an open loop and the rate that it holds', () => {
  afterEach(endStarted);

  timed('says in a sentence what was held, and what gave way', async () => {
    const { stdout, stderr } = await runCli([
      ...[...PRODUCER, '--rate', '100,9000000', '--duration', '500ms', '--size', '10', ...ONCE, '--no-save'],
    ]);
    assert.match(
      stdout,
      /"raw, shared connection" held 100 a second, p99 .*counted\sfrom\sthe\splanned\sstart/,
    );
    assert.match(stdout, /at\s9,000,000\sa\ssecond\s.*(gave\sway|reached)\sfirst/s);
    assert.match(stdout, /SET, .* 100 a second \(open loop\)/);
    assert.doesNotMatch(stdout, /operations a second; there is nothing to compare/);
    assert.doesNotMatch(stderr, /a bug in this tool/);
  });

  timed(
    'the suite of a producer and a consumer ends with a sentence for each, and shows true and false only where something is asked',
    async () => {
      const { code, stdout, stderr } = await runCli([
        ...['--suite', 'producer-consumer', '--clients', 'raw', '--no-save'],
        ...[
          '--rate',
          '1000',
          '--duration',
          '300ms',
          '--warmup-runs',
          '0',
          '--scenarios',
          'shared-connection',
        ],
      ]);
      assert.equal(code, 0, stderr);
      for (const what of ['SET', 'EXISTS', 'SET beside EXISTS']) {
        assert.match(
          stdout,
          new RegExp(
            `"raw, shared connection, \\d process(?:es)?, ${what}"\\sheld\\s(?:1,000\\sa\\ssecond|no\\srate\\sthat\\swas\\stried)`,
          ),
        );
      }
      const columns = [...stdout.matchAll(/achieved\/s {2}held.*/g)].map(([line]) =>
        /true\/false/.test(line),
      );
      assert.deepEqual(columns, [false, true, true]);
      assert.match(stdout, /\d+ +yes +300\/0 /);
    },
  );

  describe('when the server stalls', () => {
    /** @type {Awaited<ReturnType<typeof startRedis>>} */
    let server;
    before(async () => {
      server = await startRedis();
    });
    after(() => server.stop());

    /**
     * A producer of 50,000 a second for three seconds, the server stalled for one of them.
     *
     * @param {string} whenFull
     * @param {() => Promise<unknown>} [stall]
     */
    async function stalled(whenFull, stall = () => server.query('CLIENT', 'PAUSE', '1000', 'ALL')) {
      const before = await server.calls('set');
      const tool = startCli([
        ...[
          ...PRODUCER,
          '--key-size',
          '16',
          '--value-size',
          '128',
          '--url',
          server.url,
          ...ONCE,
          ...JSON_OUT,
        ],
        ...['--rate', '50000', '--duration', '3s', '--when-full', whenFull, '--max-in-flight', '5000'],
      ]);
      await tool.says(/^1 s:/m);
      await stall();
      const result = await tool.result;
      return { ...result, counted: (await server.calls('set')) - before };
    }

    timed('wait: nothing is lost, and all is acknowledged after it resumes', async () => {
      const { code, stdout, stderr, counted } = await stalled('wait');
      assert.equal(code, 0, stderr);
      const [run] = reportOf(stdout).cells[0].runs;
      const { scheduled, acknowledged, waited, dropped, unsent, inFlightMax } = openLoopOf(run);
      assert.deepEqual([scheduled, acknowledged, dropped, unsent], [150_000, 150_000, 0, 0]);
      assert.ok(waited > 10_000, `${waited} waited`);
      assert.equal(inFlightMax, 5000);
      // The pause counts from the schedule, whoever waited and where.
      assert.ok(Number(run.latency?.maxUs) > 900_000);
      assert.ok(Number(run.latency?.p99Us) > 500_000);
      assert.equal(counted, 150_000);
      assert.ok(Number(run.client?.peakRssBytes) < 250e6);
    });

    timed('wait: nothing is lost either when the whole server process stops for a while', async () => {
      const { code, stdout, stderr, counted } = await stalled('wait', async () => {
        process.kill(server.pid, 'SIGSTOP');
        await setTimeout(1000);
        process.kill(server.pid, 'SIGCONT');
      });
      assert.equal(code, 0, stderr);
      const [run] = reportOf(stdout).cells[0].runs;
      assert.deepEqual([openLoopOf(run).acknowledged, counted], [150_000, 150_000]);
      assert.ok(Number(run.latency?.maxUs) > 900_000);
      assert.ok(Number(run.client?.peakRssBytes) < 250e6);
    });

    timed('drop: what was dropped plus what was acknowledged is what was scheduled', async () => {
      const { code, stdout, stderr, counted } = await stalled('drop');
      assert.equal(code, 0, stderr);
      const [run] = reportOf(stdout).cells[0].runs;
      const { scheduled, acknowledged, dropped } = openLoopOf(run);
      assert.equal(scheduled, 150_000);
      assert.equal(dropped + acknowledged, scheduled);
      assert.ok(dropped > 10_000, `${dropped} dropped`);
      assert.equal(counted, acknowledged);
      assert.ok(Number(run.client?.peakRssBytes) < 250e6);
    });

    timed('fail: the run fails and says at which bound', async () => {
      const { code, stdout } = await runCli([
        ...[...PRODUCER, '--url', server.url, ...ONCE, ...JSON_OUT, '--duration', '3s'],
        ...['--rate', '9000000', '--when-full', 'fail', '--max-in-flight', '50'],
      ]);
      assert.equal(code, 4);
      const [run] = reportOf(stdout).cells[0].runs;
      assert.match(
        String(run.failed),
        /50 commands were under way .* --max-in-flight: 9000000 a second were not held/,
      );
    });
  });
});
