import assert from 'node:assert/strict';
import { join } from 'node:path';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { rateText } from '../../src/report/figures.js';
import { endStarted, runCli, STATE } from '../helpers/cli.js';
import { runMain } from '../helpers/main.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { adviceOf } from '../helpers/said.js';
import { timed } from '../helpers/timed.js';

/**
 * @import { OpenLoopPlan } from '../../src/run/plan/types.js'
 * @import { CellResult, Report } from '../../src/store/types.js'
 */

const RAW_SET = ['--clients', 'raw', '--scenarios', 'shared-connection', '--workload', 'set', '--size', '20'];

/** @param {CellResult} cell */
const loadOf = ({ openLoop }) => /** @type {OpenLoopPlan} */ (openLoop);

/** @param {CellResult} cell */
const heldOf = ({ runs }) => runs.map(({ openLoop }) => openLoop?.held);

describe('--rate-search', () => {
  afterEach(endStarted);

  timed('with --profile is profiled at the highest rate that was held', async () => {
    const { cells } = await benchmark({
      ...{ clients: 'raw', scenarios: 'shared-connection', size: 10, profile: true },
      ...{ rateSearch: '1000-2000', sloMs: '1s', durationMs: '200ms', warmupRuns: 0 },
    });
    const rateOf = (/** @type {CellResult} */ cell) => loadOf(cell).ratePerSecond;
    const held = cells.filter(({ summary }) => summary?.openLoop?.held);
    const highest = Math.max(...held.map(rateOf));
    assert.ok(cells.length > 1 && held.length > 0);
    for (const cell of cells)
      assert.equal(cell.profiles?.cpu !== undefined, rateOf(cell) === highest, cell.id);
  });

  timed(
    'finds the highest rate that is held, each step confirmed, and the server counted every command',
    async () => {
      const server = await startRedis();
      try {
        const { code, stdout, stderr } = await runCli([
          ...[...RAW_SET, '--url', server.url, '--rate-search', '2000-4000000', '--slo', '1m'],
          ...['--duration', '200ms', '--warmup-runs', '0', '--format', 'json', '--no-save'],
        ]);
        assert.equal(code, 0, stderr);
        /** @type {Report} */
        const report = JSON.parse(stdout);
        assert.deepEqual(schemaErrors(report), []);
        const steps = report.cells.toSorted((a, b) => loadOf(a).ratePerSecond - loadOf(b).ratePerSecond);
        assert.equal(new Set(steps.map(({ group }) => group)).size, 1);
        for (const step of steps) {
          const votes = heldOf(step);
          const most = Math.max(...[true, false].map((vote) => votes.filter((each) => each === vote).length));
          assert.equal(most, 2, `${step.id}: ${votes}`);
          assert.equal(step.summary?.openLoop?.held, votes.filter(Boolean).length === 2);
          for (const run of step.runs) {
            assert.equal(run.openLoop?.intendedPerSecond, loadOf(step).ratePerSecond);
            assert.equal(run.server?.commands, run.openLoop?.acknowledged);
          }
        }
        const [low] = steps;
        assert.equal(loadOf(low).ratePerSecond, 2000);
        // No machine does four million a second from one process.
        const first = steps.findIndex(({ summary }) => !summary?.openLoop?.held);
        assert.ok(first > 0, 'the lowest rate is held, the highest is not');
        const [held, broken] = [steps[first - 1], steps[first]].map((step) => loadOf(step).ratePerSecond);
        assert.ok(broken / held <= 1.05, `${held} held, ${broken} not`);
        assert.match(adviceOf(report)[0], new RegExp(`sustains ${rateText(held)} `));
      } finally {
        await server.stop();
      }
    },
  );

  timed('says so where the end of the search is held, and shows it again', async () => {
    const { code, stdout, stderr, temp } = await runCli([
      ...[...RAW_SET, '--rate-search', '100-300', '--slo', '1m', '--duration', '300ms', '--workload', 'get'],
      ...['--warmup-runs', '0'],
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /"raw, shared connection" sustains 300\/s \(p99 .*, the\s+highest\s+rate\s+tried/s);
    assert.match(stdout, / · 100 to 300\/s \(open loop\) · /);
    for (const rate of [100, 200, 300])
      assert.match(stdout, new RegExp(`^ .* ${rate} .* (yes|2 of 3) `, 'm'));
    assert.match(stderr, /100\/s: sustained, p99 [\d.]+ ms, [\d.]+ ms/);
    assert.doesNotMatch(stdout + stderr, /too few runs per cell/);
    const state = { XDG_STATE_HOME: join(temp, STATE) };
    const again = await runMain(['report', 'last'], state);
    assert.equal(again.stdout, stdout);
    const inFormat = async (/** @type {string} */ format) =>
      (await runMain(['report', 'last', '--format', format], state)).stdout;
    assert.match(await inFormat('markdown'), /^\| raw, shared connection \| 200 \| \d+ \| (yes|2 of 3) \|/m);
    assert.match(await inFormat('csv'), /^raw:default[^,]*\/200\/s\/.*,true,/m);
    const page = await inFormat('html');
    assert.match(page, /<th scope="row">raw, shared connection<\/th><td>300<\/td>/);
    assert.doesNotMatch(page, /class="best"/);
  });

  timed('with a list of rates, --slo decides what is held', async () => {
    const rates = [
      ...['--rate', '200', '--duration', '300ms', '--runs', '1', '--warmup-runs', '0'],
      ...['--format', 'json', '--no-save'],
    ];
    const held = async (/** @type {string} */ slo) => {
      const { stdout } = await runCli([...RAW_SET, ...rates, '--slo', slo]);
      return JSON.parse(stdout).cells[0].summary.openLoop.held;
    };
    assert.equal(await held('1m'), true);
    // A thousandth of a millisecond is less than any network takes.
    assert.equal(await held('0.001ms'), false);
  });
});
