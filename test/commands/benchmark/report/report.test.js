import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/cli/render.js';
import { reportOf } from '../../../../src/commands/benchmark/report/report.js';
import { conditionsReport } from '../../../helpers/conditions-fixture.js';

/** @import { Report } from '../../../../src/store/types.js' */

/** @param {Report} report @returns {Promise<string>} the heading of its page */
async function headingOf(report) {
  const page = await renderReport(report, 'html');
  return (/<h1>(.*?)<\/h1>/.exec(page)?.[1] ?? '').replaceAll(/<[^>]*>/g, '');
}

const ONE = {
  clients: 'redis:tuned,ioredis',
  scenarios: 'shared-connection',
  poolSize: undefined,
  tasks: 8,
  rtt: '0',
  runs: 6,
  starts: 6,
};
const TWO = { ...ONE, tasks: '1,8,64' };
const fasterBy =
  (/** @type {number} */ times) =>
  (/** @type {any} */ { client }) =>
    client === 'redis' ? times * 1e5 : 1e5;

describe('report/words: the heading of a page', () => {
  for (const [what, given, facts, expected] of /** @type {const} */ ([
    [
      'the fastest',
      ONE,
      { speedOf: fasterBy(1.5) },
      /^redis:tuned, shared connection is fastest: 1\.\d+x \([\d.]+–[\d.]+\) ahead of ioredis, shared connection$/,
    ],
    [
      'a tie',
      { ...ONE, clients: 'redis:tuned,redis,ioredis' },
      { luck: 0.004, speedOf: fasterBy(2) },
      /^\S+, shared connection and \S+, shared connection tie for the fastest$/,
    ],
    [
      'nothing decided',
      ONE,
      { luck: 0.1, speedOf: fasterBy(1.02) },
      /^Too noisy to decide: medians are close, but the cells are not shown to be equal$/,
    ],
    [
      'a busy machine',
      ONE,
      { luck: 0.9, speedOf: fasterBy(1.1) },
      /^Too noisy to compare: differences under .* do not show here$/,
    ],
    [
      'conditions',
      TWO,
      { speedOf: fasterBy(1.5) },
      /^redis:tuned, shared connection is best, or tied, in 3 of 3 conditions$/,
    ],
    [
      'one start',
      { ...TWO, runs: 1, starts: 1 },
      {},
      /^One start of each does not decide what is faster: cells look up to [\d.]+x apart$/,
    ],
    ['a smoke run', { ...ONE, smoke: true }, {}, /^A smoke run only shows that everything works/],
  ])) {
    it(`${what}: the verdict, and the settings are small`, async () => {
      const report = await conditionsReport(given, facts);
      assert.match(await headingOf(report), expected);
      assert.match(await renderReport(report, 'html'), /<\/h1>\n<p class="facts">GET · 64 keys/);
      const screen = (await renderReport(report, 'table', { width: 200 })).replaceAll('\n', ' ');
      assert.equal(screen.split(await headingOf(report)).length, 2, 'a screen says it once');
    });
  }
});

describe('report: the runs of every cell as a picture', () => {
  /** @param {Record<string, unknown>} given @param {number} luck how much starts differ */
  async function namesOfStrong(given, luck) {
    const report = await conditionsReport(given, { luck, speedOf: fasterBy(1) });
    const rows = reportOf(report).sections.flatMap(({ chart }) =>
      chart?.kind === 'ranges' ? chart.rows : [],
    );
    assert.equal(rows.length, 2);
    return rows.filter(({ strong }) => strong).map(({ name }) => name);
  }

  it('while another may be faster none is bold; a tie is', async () => {
    assert.equal((await namesOfStrong(ONE, 0.1)).length, 0);
    assert.equal((await namesOfStrong(ONE, 0.004)).length, 2);
  });
});
