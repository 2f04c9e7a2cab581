import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createReport } from '../src/commands/benchmark/conclude.js';
import { withWords } from '../src/commands/benchmark/report/words/findings.js';
import { BenchError, EXIT, ServerError, UsageError } from '../src/errors.js';
import * as api from '../src/index.js';
import { describeTool } from '../src/machine/environment.js';
import { startRedis } from './helpers/redis-server.js';

/**
 * @import { BenchmarkEvent } from '../src/commands/benchmark/types.js'
 * @import { ResultLine } from '../src/store/types.js'
 */

/** @typedef {BenchmarkEvent} Event */

const SMALL = {
  ...{ clients: 'raw', scenarios: 'shared-connection', size: 10, tasks: 2 },
  ...{ pin: 'off', profile: false },
};

describe('the public API', () => {
  it('is what the package exports', async () => {
    // By its own name, as a program does that has installed it.
    const exported = await import(`${'redis-pipe-bench'}`);
    assert.deepEqual(Object.keys(exported), ['benchmark', 'compare', 'measure', 'readResult']);
    assert.equal(exported.benchmark, api.benchmark);
  });

  it('takes times by the names of their flags, as the command line does', async () => {
    const { settings } = await api.benchmark({ ...SMALL, runs: 1, warmupRuns: 0, duration: '20ms' });
    assert.equal(settings.durationMs, 20);
  });

  describe('benchmark()', () => {
    it('resolves to a report, with options as text or as values', async () => {
      const report = await api.benchmark({
        ...SMALL,
        iterations: 20,
        runs: '2',
        starts: 1,
        warmupRuns: 0,
        seed: 7,
      });
      assert.equal(report.schemaVersion, 2);
      assert.equal(report.partial, false);
      assert.equal(report.seed, 7);
      assert.deepEqual(report.tool, describeTool());
      assert.equal(report.cells.length, 1);
      assert.equal(report.cells[0].runs.length, 2);
      for (const run of report.cells[0].runs) {
        assert.deepEqual([run.failed, run.operations], [null, 2 * 20]);
        assert.ok(!run.warnings.some((warning) => /claims|ran on the server/.test(warning)));
      }
    });

    it('a smoke run warms up no longer than it takes to size its runs', async () => {
      /** @type {Event[]} */
      const warmUps = [];
      const onEvent = (/** @type {Event} */ event) => {
        if (event.type === 'run' && event.round === 0) warmUps.push(event);
      };
      const report = await api.benchmark({ ...SMALL, clients: 'raw', smoke: true }, { onEvent });
      assert.equal(report.cells[0].runs[0].failed, null);
      assert.equal(warmUps.length, 1);
    });

    /** How often it is run to be warm, the machine decides. @param {Event} event */
    const isWarmUp = (event) => event.type === 'run' && event.round === 0;

    it('tells what happens, in order', async () => {
      /** @type {Event[]} */
      const events = [];
      const report = await api.benchmark(
        { ...SMALL, scenarios: 'shared-connection,pool', tasks: '1,2', runs: 2, starts: 1, smoke: true },
        { onEvent: (event) => void (isWarmUp(event) || events.push(event)) },
      );
      const groups = 2;
      const rounds = ['run run run-end run-end round-end', 'run run run-end run-end round-end'];
      const expected = [
        'plan',
        ...Array(groups)
          .fill(['group start started started warmed warmed time-left', ...rounds])
          .flat(),
      ].join(' ');
      assert.equal(events.map(({ type }) => type).join(' '), expected);

      const plan = events.find((event) => event.type === 'plan');
      assert.equal(plan?.plan.runs, 2 * 2 * groups);
      assert.equal(plan?.server.kind, 'managed');
      const ends = events.flatMap((event) => (event.type === 'run-end' ? [event] : []));
      for (const { cell, round, run } of ends) {
        assert.equal(run.round, round);
        const result = report.cells.find(({ id }) => id === cell.id);
        assert.ok(result?.runs.some((each) => each.round === round && each.averageMs === run.averageMs));
      }
    });

    it('tells each line of its result when it is known, and the report is made of them', async () => {
      /** @type {ResultLine[]} */
      const lines = [];
      /** @type {string[]} */
      const order = [];
      const report = await api.benchmark(
        { ...SMALL, runs: 2, starts: 1, smoke: true },
        {
          onLine: (line) => {
            lines.push(line);
            order.push(line.type);
          },
          onEvent: (event) => void (isWarmUp(event) || order.push(`(${event.type})`)),
        },
      );
      assert.equal(
        order.join(' '),
        'header (plan) (group) (start) (started) (warmed) (time-left) cell (run) run (run-end) (round-end) (run) run (run-end) (round-end) end',
      );
      const [header, ...records] = structuredClone(lines);
      const end = records.pop();
      assert.deepEqual(
        withWords(
          createReport(/** @type {any} */ (header), /** @type {any} */ (records), /** @type {any} */ (end)),
        ),
        report,
      );
    });

    it('has no warm-up where none is wanted', async () => {
      /** @type {number[]} */
      const rounds = [];
      await api.benchmark(
        { ...SMALL, iterations: 20, runs: 2, starts: 1, warmupRuns: 0 },
        { onEvent: (event) => void (event.type === 'run' && rounds.push(event.round)) },
      );
      assert.deepEqual(rounds, [1, 2]);
    });

    it('runs for a fixed time and counts the iterations', async () => {
      const { cells } = await api.benchmark({
        ...SMALL,
        durationMs: 50,
        warmupRuns: 0,
        runTimeMs: 20,
        runs: 1,
      });
      const [run] = cells[0].runs;
      assert.equal(cells[0].iterations, null);
      assert.ok(run.operations > 0);
      // The time begins when the worker is asked to start, and a busy machine lets it begin later.
      assert.ok(Number(run.elapsedMs) >= 25, `${run.elapsedMs} ms`);
    });

    for (const [what, options] of /** @type {[string, any][]} */ ([
      ['a wrong value', { runs: 0 }],
      ['an unknown option', { run: 1 }],
      ['an unknown client', { clients: 'rediss' }],
      ['an unknown suite', { suite: 'defualt' }],
      ['a URL that is none', { url: 'nope' }],
    ])) {
      it(`rejects ${what} with a UsageError, before anything happens`, async () => {
        let events = 0;
        const failing = api.benchmark(options, { onEvent: () => void events++ });
        await assert.rejects(failing, (error) => {
          assert.ok(error instanceof UsageError);
          assert.ok(error instanceof BenchError);
          assert.equal(error.exitCode, EXIT.usage);
          return true;
        });
        assert.equal(events, 0);
      });
    }

    it('rejects with a ServerError where no server answers', async () => {
      const url = 'redis://127.0.0.1:1';
      await assert.rejects(api.benchmark({ ...SMALL, url }), (error) => {
        assert.ok(error instanceof ServerError);
        assert.equal(error.exitCode, EXIT.server);
        assert.match(error.message, /127\.0\.0\.1:1\b/);
        return true;
      });
    });
  });

  describe('an AbortSignal', () => {
    /** @type {Awaited<ReturnType<typeof startRedis>>} */
    let server;
    before(async () => {
      server = await startRedis();
    });
    after(() => server.stop());

    /**
     * @param {(event: Event) => boolean} when
     * @param {Record<string, any>} [options]
     */
    async function abortWhen(when, options = {}) {
      const controller = new AbortController();
      const report = await api.benchmark(
        { ...SMALL, url: server.url, iterations: 50, runs: 1000, ...options },
        {
          signal: controller.signal,
          onEvent: (event) => {
            if (when(event)) controller.abort();
          },
        },
      );
      assert.equal(report.partial, true);
      assert.equal(report.failure, null);
      assert.deepEqual(await server.contents(), {}, 'no key is left');
      return report;
    }

    it('gives the runs until then', async () => {
      const report = await abortWhen((event) => event.type === 'run-end' && event.round === 3, {
        warmupRuns: 0,
      });
      assert.equal(report.cells[0].runs.length, 3);
      assert.ok(report.cells[0].summary);
    });
    it('that was given before the start gives a report without runs', async () => {
      const report = await api.benchmark(
        { ...SMALL, url: server.url, iterations: 50 },
        { signal: AbortSignal.abort() },
      );
      assert.equal(report.partial, true);
      assert.deepEqual(
        report.cells.map(({ runs }) => runs),
        [[]],
      );
    });
    it('in the warm-up gives a report without runs', async () => {
      const report = await abortWhen((event) => event.type === 'run' && event.round === 0);
      assert.deepEqual(report.cells[0].runs, []);
    });
    it('just before a long run does not wait for its end', async () => {
      const durationMs = 5000;
      const { startedAt, finishedAt, cells } = await abortWhen(
        (event) => event.type === 'run' && event.round === 1,
        { iterations: undefined, durationMs, warmupRuns: 0, runs: 1 },
      );
      assert.deepEqual(cells[0].runs, []);
      assert.ok(Date.parse(finishedAt) - Date.parse(startedAt) < durationMs, 'it waited for the whole run');
    });
    it('in the middle of a long run ends it', async () => {
      const controller = new AbortController();
      const report = await api.benchmark(
        { ...SMALL, url: server.url, durationMs: 60_000, warmupRuns: 0, runs: 1 },
        {
          signal: controller.signal,
          onEvent: (event) => {
            if (event.type === 'run') setTimeout(() => controller.abort(), 300);
          },
        },
      );
      assert.equal(report.partial, true);
      assert.deepEqual(report.cells[0].runs, []);
    });
  });

  it('reads what was saved, and compares it', async () => {
    /** @type {ResultLine[]} */
    const lines = [];
    const given = { ...SMALL, iterations: 20, runs: 2, starts: 1, warmupRuns: 0 };
    const report = await api.benchmark(given, { onLine: (line) => void lines.push(line) });
    const file = join(mkdtempSync(join(tmpdir(), 'rpb-api-')), 'result.ndjson');
    try {
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const saved = await api.readResult(file);
      assert.deepEqual(saved.cells[0].runs, report.cells[0].runs);
      const { cells, metric } = await api.compare(saved, report, { metric: 'p99Us' });
      assert.deepEqual([cells.length, metric], [1, 'p99Us']);
    } finally {
      rmSync(dirname(file), { recursive: true });
    }
    await assert.rejects(api.readResult('nowhere.ndjson'), { name: 'UsageError', exitCode: EXIT.usage });
  });
});
