import assert from 'node:assert/strict';
import { openLoopRun } from '../../../helpers/open-loop-fixture.js';
import { createFixture } from '../../../helpers/report-fixture.js';
import { causesOf, sentencesIn } from '../../../helpers/said.js';

/** @import { Cell } from '../../../../src/run/plan/types.js' */
/** @import { Run } from '../../../../src/store/types.js' */

/**
 * Below the tables of a report with two conditions.
 * @param {(cell: Cell, run: number) => number} p99Ms @param {number} runs @param {Record<string, unknown>} [given]
 * @param {number} [start] of all runs; one each, by default
 */
async function outcomesOf(p99Ms, runs, given, start) {
  const plan = { clients: 'redis,ioredis', scenarios: 'shared-connection', appWork: '0,200us' };
  const report = await createFixture({
    given: { ...plan, rate: 1000, durationMs: 1000, runs, ...given },
    measured: (cell) => ({
      iterations: null,
      runs: Array.from({ length: runs }, (_, index) =>
        Object.assign(
          openLoopRun(index + 1, { latenciesUs: [10], p99Us: 1000 * p99Ms(cell, index) }),
          start && { start },
        ),
      ),
    }),
  });
  return report.comparisons.map((_, index) => causesOf(report, index).join(' '));
}

/** @param {Cell} cell */
const isHeldUp = ({ client, appWorkUs }) => appWorkUs > 0 && client === 'redis';

describe('the lowest p99 at a rate', () => {
  it('is said where a test shows it, of each condition', async () => {
    // Runs of one cell lie up to three times apart.
    const noise = [1, 3, 1.5, 2.5, 2, 1.2];
    assert.deepEqual(await outcomesOf((cell, run) => (isHeldUp(cell) ? 150 : 1) * noise[run], 6), [
      'No significant difference in p99 (1.8 ms).',
      'Significantly lower p99: "ioredis, shared connection" (1.8 ms) than "redis, shared connection" (260 ms).',
    ]);
  });

  it('is not said where nothing differs, or nothing was compared', async () => {
    assert.deepEqual(await outcomesOf((_, run) => 1 + run / 10, 5, { appWork: '0' }), [
      'No significant difference in p99 (1.2 ms).',
    ]);
    // However far runs of one start lie apart, another start may turn them round.
    assert.deepEqual(
      await outcomesOf(({ client }) => (client === 'redis' ? 150 : 1), 6, { appWork: '0' }, 1),
      ['One start of each does not decide which p99 is lower (1 to 150 ms): use --starts 4.'],
    );
  });
});

const SLO_MS = 50;
const BUSY = { eventLoopUtilization: 0.97, cpuUtilization: 0.97 };
const SLICE = {
  elapsedMs: 100,
  waitedMs: 60,
  serverWaitedMs: null,
  stolenMs: null,
  operations: 100,
  cpuUs: 10,
};

/** Why 1,000/s were not sustained in most runs. @type {Record<string, [own: any, why: RegExp, given?: object]>} */
const BROKEN = {
  'the client': [{ client: BUSY, openLoop: { waitingShare: 0 } }, /: the client is 97 % busy\.$/],
  'the server': [
    { server: { cpuUtilization: 0.96, busiestNodeUtilization: 0.96 } },
    /: the server's main thread is 96 % busy\.$/,
  ],
  'unknown where other threads of the server were at work': [
    {
      server: {
        ...{ cpuUtilization: 0.25, busiestNodeUtilization: 0.25 },
        ...{ cpuUsPerCommand: 10, allThreadsCpuUsPerCommand: 40 },
      },
    },
    /: unknown \(client \d+ % busy, all threads of the server 1\.0 CPUs\)\.$/,
  ],
  'unknown where other programs had the processor': [
    { slices: [{ ...SLICE, disturbed: true, repeats: 0 }] },
    /: starved of CPU 60 % of the time, so the bottleneck is unknown\.$/,
  ],
  '--max-in-flight': [{ openLoop: { dropped: 10 } }, /: it hit --max-in-flight 10,000 \(client/],
  'the distance': [{}, /: one round trip takes 60 ms, longer than --slo\.$/, { rtt: '60ms' }],
  'the network or the machine': [{}, /: neither client \(.*\) nor server \(.*\) is saturated/],
};

describe('a rate that was not sustained', () => {
  for (const [what, [own, why, given]] of Object.entries(BROKEN))
    it(`is said with its bottleneck: ${what}`, async () => {
      const report = await createFixture({
        given: {
          clients: 'redis',
          scenarios: 'pool',
          rate: 1000,
          sloMs: `${SLO_MS}ms`,
          durationMs: 1000,
          ...given,
        },
        measured: () => ({
          iterations: null,
          runs: [20, 60, 70, 80, 90].map((ms, index) => {
            const run = openLoopRun(index + 1, { latenciesUs: [1000], p99Us: ms * 1000, held: ms <= SLO_MS });
            return /** @type {Run} */ (
              Object.fromEntries(
                Object.entries({ ...run, ...own }).map(([name, value]) => {
                  const before = /** @type {any} */ (run)[name];
                  return [name, own[name] && !Array.isArray(value) ? { ...before, ...value } : value];
                }),
              )
            );
          }),
        }),
      });
      const advice = sentencesIn(report);
      const rates = report.findings.filter(({ kind }) => kind === 'sustained-rate');
      assert.equal(rates.length, 1);
      assert.match(advice[0], /^"redis[^"]*" does not sustain 1,000\/s: /);
      assert.match(advice[0], why);
    });

  it('is not said where all were', async () => {
    const report = await createFixture({
      given: { clients: 'redis', scenarios: 'pool', rate: 1000, durationMs: 1000 },
      measured: () => ({ iterations: null, runs: [openLoopRun(1, { latenciesUs: [1000], p99Us: 1000 })] }),
    });
    const [rate] = report.findings.flatMap((finding) => (finding.kind === 'sustained-rate' ? finding : []));
    assert.deepEqual([rate.held?.intendedPerSecond, rate.broken], [1000, null]);
    assert.ok(!sentencesIn(report).some((text) => text.includes('sustain')));
  });
});
