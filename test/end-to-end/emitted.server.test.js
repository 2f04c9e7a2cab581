import assert from 'node:assert/strict';
import { renderReport } from '../../src/cli/render.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { compareReports } from '../../src/commands/benchmark/compare-reports.js';
import { measure } from '../../src/index.js';
import { allAtOnce } from '../helpers/all-at-once.js';
import { oneTooMany, startLyingProxy } from '../helpers/lying-proxy.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */

/** The last reply of a run, and one that only fresh processes get: nothing is in flight behind them. */
const LAST = /echo 15\r\n$|^(?:\$-1|_)\r\n$/;
const CLIENTS = 'redis,ioredis';
/** @type {BenchmarkOptions} */
const SHORT = { clients: CLIENTS, runs: 1, seed: 1 };

/** @type {Record<string, RegExp>} */
const TEXTS = {
  redis: /redis emitted \d+ errors?, the first: Cannot read properties of undefined/,
  ioredis: /ioredis emitted \d+ errors?, the first: Command queue state error/,
};

describe('a server that sends one reply too many', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startLyingProxy>>} */
  let proxy;
  before(async () => {
    server = await startRedis();
    proxy = await startLyingProxy(server);
    proxy.tell(oneTooMany(LAST));
  });
  after(async () => {
    await proxy.stop();
    await server.stop();
  });

  /** @param {'benchmark' | 'messages' | 'cold'} command @param {BenchmarkOptions} own */
  async function run(command, own) {
    const options = { ...SHORT, url: proxy.url, ...own };
    const report = await (command === 'benchmark' ? benchmark(options) : measure(command, options));
    assert.deepEqual(schemaErrors(report), []);
    for (const { client, runs } of report.cells)
      for (const { failed, emitted } of runs) {
        assert.equal(failed, null, `${command}: ${client}`);
        assert.ok(Number(emitted?.errors) > 0, `${command}: ${client}`);
        assert.deepEqual([emitted?.reconnections, emitted?.ends], [0, 0], `${command}: ${client}`);
      }
    for (const format of ['table', 'markdown', 'html']) {
      const text = (await renderReport(report, format)).replaceAll(/\s+/g, ' ');
      for (const [client, pattern] of Object.entries(TEXTS))
        assert.match(text, pattern, `${command}: ${client} as ${format}`);
    }
    return report;
  }

  it('fails nothing, and is said of each client, in every format and in what is compared', async () => {
    const report = await run('benchmark', {
      scenarios: 'shared-connection',
      workload: 'set',
      warmupRuns: 0,
      iterations: 20,
    });
    const { cells } = JSON.parse(await renderReport(report, 'json'));
    assert.match(cells[0].runs[0].emitted.firstError, /^Cannot read/);
    const [head, row] = (await renderReport(report, 'csv')).split('\n');
    assert.ok(Number(row.split(',')[head.split(',').indexOf('emittedErrors')]) > 0);

    const clean = structuredClone(report);
    for (const each of clean.cells.flatMap(({ runs }) => runs))
      each.emitted = { errors: 0, firstError: null, reconnections: 0, ends: 0 };
    const said = (/** @type {typeof report[]} */ [base, next]) =>
      compareReports(base, next).warnings.filter((text) => text.startsWith('clients emitted'));
    assert.match(
      said([clean, report]).join(),
      /: redis none → emitted \d+ errors?, the first: .*ioredis none →/,
    );
    assert.match(said([report, clean]).join(), /: redis emitted .* → none/);
    assert.deepEqual(said([report, report]), []);
    // Not known is not nothing.
    for (const each of clean.cells.flatMap(({ runs }) => runs)) delete each.emitted;
    assert.deepEqual(said([clean, report]), []);
  });

  it('is counted among messages', () =>
    run('messages', { workload: NIGHTLY ? 'queue,stream' : 'queue', durationMs: 50, warmupRuns: 0 }));

  it('is counted in a fresh process', () => run('cold', { iterations: 1 }));
});

describe('a server that sends one reply too many, and then none', function () {
  this.timeout(120_000);
  /** To the GET of a fresh process. */
  const NIL = / (?:\$-1|_)\r\n$/;
  /**
   * After so many commands the reply too many, and then none to others.
   * @type {[what: string, extra: RegExp, times: number, hushed: RegExp, run: (common: BenchmarkOptions) => ReturnType<typeof measure>][]}
   */
  const HANGING = [
    [
      'runs',
      /^GET/,
      70,
      /^GET/,
      (common) =>
        benchmark({
          ...{ ...common, scenarios: 'shared-connection', tasks: 1, keys: 20, size: 20 },
          ...{ iterations: 5000, warmupRuns: 0 },
        }),
    ],
    [
      'sends messages',
      /^LPUSH/,
      1,
      /^LPUSH/,
      (common) => measure('messages', { ...common, workload: 'queue', tasks: 1, warmupRuns: 0 }),
    ],
    ['starts again', NIL, 1, NIL, (common) => measure('cold', { ...common, iterations: 2 })],
  ];

  /** @param {string} clients @param {typeof HANGING[number]} how */
  async function hangs(clients, [, extra, times, hushed, run]) {
    const server = await startRedis();
    const proxy = await startLyingProxy(server);
    let seen = 0;
    proxy.tell((words, reply) => {
      const exchanged = `${words.join(' ')} ${reply}`;
      if (seen >= times) return hushed.test(exchanged) ? null : undefined;
      if (!extra.test(exchanged) || ++seen < times) return undefined;
      return Buffer.concat([reply, Buffer.from('+EXTRA\r\n')]);
    });
    try {
      const { cells } = await run({ ...SHORT, clients, url: proxy.url, runTimeoutMs: 2000 });
      const [{ failed, emitted }] = cells[0].runs;
      assert.match(`${failed}`, /--run-timeout|no first reply/);
      assert.ok(Number(emitted?.errors) > 0, `${failed}`);
      assert.match(`${emitted?.firstError}`, /Cannot read properties|Command queue state error/);
    } finally {
      await proxy.stop();
      await server.stop();
    }
  }

  const tests = HANGING.flatMap((how) =>
    CLIENTS.split(',').map((client) => [
      `is recorded of ${client} that hangs while it ${how[0]}`,
      () => hangs(client, how),
    ]),
  );
  allAtOnce(Object.fromEntries(tests), async () => {});
});

describe('clients that lose their connections', function () {
  this.timeout(120_000);
  (NIGHTLY ? it : it.skip)('have what they emitted in a column of its own, and no remark', async () => {
    const report = await measure('break', {
      clients: CLIENTS,
      ...{ fault: 'none,cut', rate: 500, durationMs: 700, arrivals: 'even', seed: 1 },
    });
    assert.deepEqual(schemaErrors(report), []);
    for (const { client, fault, runs } of report.cells) {
      const [{ emitted }] = runs;
      const isCut = fault?.name === 'cut';
      assert.equal(Number(emitted?.errors) > 0, isCut, `${client}, ${fault?.name}`);
      assert.equal(Number(emitted?.reconnections) > 0, isCut, `${client}, ${fault?.name}`);
    }
    const table = await renderReport(report, 'table');
    assert.match(table, /recovered .* emitted/);
    assert.doesNotMatch(table, /emitted \d+ error/);
    assert.match(
      await renderReport(report, 'table', { details: true }),
      /redis, .*: emitted \d+ errors?, the/,
    );
  });
});
