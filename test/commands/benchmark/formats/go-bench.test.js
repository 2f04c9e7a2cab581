import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/cli/render.js';
import { createFixture, goodRun, mixedReport, REASONS } from '../../../helpers/report-fixture.js';

/** https://go.dev/design/14313-benchmark-format */
const LINE = /^Benchmark[A-Z]\S*\s+\d+(\s+\d+ \S+)+$/;

/** @param {string} text */
const benchmarks = (text) => text.split('\n').filter((line) => line.startsWith('Benchmark'));

/** @param {Record<string, unknown>} given */
const report = (given) =>
  createFixture({
    given: { clients: 'redis', scenarios: 'shared-connection', workload: 'set-get', runs: 2, ...given },
    measured: ({ tasks }) => ({
      iterations: 100,
      runs: [1, 2].map((round) => goodRun(round, { tasks, iterations: 100, averageMs: 100 })),
    }),
  });

describe('formats/go-bench', () => {
  it("has a line per run in the format of Go's benchmarks", async () => {
    const lines = benchmarks(await renderReport(await report({ tasks: '1,8' }), 'go-bench'));
    assert.equal(lines.length, 4);
    for (const line of lines) assert.match(line, LINE);
    // 100 operations in 100 ms, and 800: the time of a run by its operations.
    assert.match(
      lines[0],
      /^BenchmarkSerialSetGet\/redis\/shared_connection-1 +100 +1000000 ns\/op +3000 B\/op/,
    );
    assert.match(lines[2], /^BenchmarkParallelSetGet\/redis\/shared_connection-8 +800 +125000 ns\/op/);
    assert.match(lines[0], / 30 server-cpu-%$/);
  });

  it('leaves out what was not measured', async () => {
    const given = await report({});
    for (const run of given.cells[0].runs) {
      run.server = null;
      run.client = { .../** @type {any} */ (run.client), allocatedBytesPerOp: null };
    }
    for (const line of benchmarks(await renderReport(given, 'go-bench'))) {
      assert.match(line, LINE);
      assert.doesNotMatch(line, /B\/op|server-cpu/);
    }
  });

  it('keeps apart what has the same name in another group', async () => {
    const text = await renderReport(
      await report({ size: '10,1000', topology: 'standalone,cluster' }),
      'go-bench',
    );
    const packages = text.match(/^pkg: .+$/gm) ?? [];
    assert.equal(packages.length, 4);
    assert.equal(new Set(packages).size, 4);
  });

  it('writes names of any kind without blanks', async () => {
    const given = await report({ command: 'GET {key}', workload: undefined });
    given.cells[0].variant = 'my own\toptions';
    for (const line of benchmarks(await renderReport(given, 'go-bench'))) assert.match(line, LINE);
  });

  for (const width of [40, 100]) {
    it(`shows at ${width} columns what failed, was skipped, is doubtful or was not run`, async () => {
      const text = await renderReport(await mixedReport(), 'go-bench', { width });
      assert.match(
        text,
        /^--- FAIL: BenchmarkParallelGet\/redis:tuned\/connection_per_task-8\n {4}READONLY/m,
      );
      assert.match(text, /^--- SKIP: BenchmarkParallelGet\/ioredis\/pool_of_3-8\n {4}not installed/m);
      assert.match(text, /^--- SKIP: BenchmarkParallelGet\/redis:tuned\/pool_of_3-8\n {4}not run/m);
      assert.match(text.replace(/\s+/g, ' '), new RegExp(`warning: ${REASONS.warning}`));
      assert.match(text.replace(/\s+/g, ' '), /ended early/);
      // 3 + 3 + 2 + 1 + 3 runs that succeeded.
      const lines = benchmarks(text);
      assert.equal(lines.length, 12);
      for (const line of lines) assert.match(line, LINE);
    });
  }
});
