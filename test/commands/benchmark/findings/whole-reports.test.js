import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/cli/render.js';
import { createReport } from '../../../../src/commands/benchmark/conclude.js';
import { withWords } from '../../../../src/commands/benchmark/report/words/findings.js';
import { NIGHTLY } from '../../../helpers/nightly.js';
import { createRandom } from '../../../helpers/random.js';
import { createLines, goodRun } from '../../../helpers/report-fixture.js';

/**
 * @import { Sources } from '../../../../src/run/plan/types.js'
 * @import { ReportData, ResultEnd, ResultHeader, RunRecord } from '../../../../src/store/types.js'
 */

const RUNS = 5;
const TRIALS = NIGHTLY ? 150 : 30;

/**
 * @param {number} trials few, because a report takes its time
 * @returns {number} the share of claims that chance gives where 5 % is right: two standard deviations above that
 */
const mostOf = (trials) => 0.05 + 2 * Math.sqrt((0.05 * 0.95) / trials);

/** Findings that say that something is better, worse or changed. */
const CLAIMS = ['slower', 'version-change'];

/** The machine, and how far apart medians lie of which nothing can be claimed. */
const UNTESTED = /^(- |<sub>)?(Node |Too noisy|Differences under)/;

/** What sentences, and tables without a question mark, say of things that differ. */
const CLAIMED = [/\dx slower/, /uses [\d.]+x/, /is slower/, /(?<!≈ )(?<![\d.])[\d.]+x(?!\?)/];

/** @param {ReportData} data @returns {Promise<boolean>} whether any table or sentence of it claims a difference */
async function claims(data) {
  const report = withWords(data);
  const inData =
    JSON.stringify(report.comparisons).includes('"differs":true') ||
    report.findings.some(
      (finding) => CLAIMS.includes(finding.kind) || (finding.kind === 'choice' && finding.gains.length > 0),
    );
  const text = await renderReport(report, 'markdown');
  const inText = text
    .split('\n')
    .some((line) => !UNTESTED.test(line) && CLAIMED.some((claim) => claim.test(line)));
  assert.equal(inText, inData, text);
  return inData;
}

/**
 * The lines of a report of equal cells, and the same with noise of its own each time it is asked.
 *
 * @param {Record<string, unknown>} given
 * @param {Sources} [sources]
 */
async function equalCells(given, sources) {
  const lines = await createLines({
    given: { runs: RUNS, tasks: 8, ...given },
    sources,
    measured: ({ tasks }) => ({
      iterations: 100,
      runs: Array.from({ length: RUNS }, (_, index) =>
        goodRun(index + 1, { tasks, iterations: 100, averageMs: 100 }),
      ),
    }),
  });
  const random = createRandom(13);
  const noise = () => Math.exp(0.03 * random.normal());
  return () => {
    const [header, ...rest] = lines.map((line) => (line.type === 'run' ? disturbed(line, noise) : line));
    const end = rest.pop();
    return createReport(
      /** @type {ResultHeader} */ (header),
      /** @type {any[]} */ (rest),
      /** @type {ResultEnd} */ (end),
    );
  };
}

/** @param {RunRecord} record @param {() => number} noise @returns {RunRecord} */
function disturbed(record, noise) {
  const { client, opsPerSecond } = record.run;
  assert.ok(client && opsPerSecond);
  return {
    ...record,
    run: {
      ...record.run,
      opsPerSecond: opsPerSecond * noise(),
      client: { ...client, cpuUsPerOp: Number(client.cpuUsPerOp) * noise() },
    },
  };
}

const RELEASES = new Map(
  ['5.12.1', '6.3.1'].map((version) => [
    `redis@${version}`,
    { package: 'redis', version, path: null, entry: 'file:///x.js', commit: null },
  ]),
);

describe('whole reports of equal cells, by simulation', function () {
  this.timeout(600_000);
  for (const [what, trials, given, sources] of /** @type {const} */ ([
    ['8 cells of one group', TRIALS, { clients: 'redis,ioredis' }],
    [
      '4 groups of 3 cells',
      TRIALS,
      {
        clients: 'redis',
        tasks: '1,8',
        size: '10,1000',
        scenarios: 'pool,shared-connection,connection-per-task',
      },
    ],
    [
      '2 releases in 2 scenarios and 3 groups',
      TRIALS,
      { clients: 'redis@5.12.1,redis@6.3.1', tasks: '1,8,64', scenarios: 'pool,shared-connection' },
      { releases: RELEASES },
    ],
  ])) {
    it(`${what}: at most 5 % of the reports claim anything anywhere`, async function () {
      const next = await equalCells(given, sources);
      let claiming = 0;
      for (let trial = 0; trial < trials; trial++) if (await claims(next())) claiming++;
      const alarms = claiming / trials;
      /** @type {Mocha.Runnable} */ (this.test).title += ` (${(alarms * 100).toFixed(1)} %)`;
      assert.ok(alarms <= mostOf(trials), `${alarms * 100} %`);
    });
  }
});
