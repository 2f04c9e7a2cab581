/**
 * Default benchmarks in a row: is the answer the same?
 * Run by hand on a machine that does nothing else: node test/performance/repeatability.js [benchmarks] [busy loops]
 * or over reports in JSON that were kept: node test/performance/repeatability.js FILE…
 *
 * Targets (issue 14), of ten benchmarks of at most 45 s: the same first sentence in 9; each ratio to the fastest
 * cell within 5 % of its median over the ten in 9 of 11 cells; operations a second within 8 % in 9 of 12. Beside
 * three busy loops: the same order of the cells whose ratio is over 1.3, and the disturbance named.
 */
import { readFile } from 'node:fs/promises';
import { median } from 'simple-statistics';
import { benchmark } from '../../src/commands/benchmark.js';
import { startBusyLoops } from './busy-loops.js';

/** @import { Report } from '../../src/results/types.js' */

const LIMITS = { ratio: 0.05, opsPerSecond: 0.08 };

const args = process.argv.slice(2);
const reports = Number.isNaN(Number(args[0] ?? 10))
  ? await Promise.all(args.map(async (file) => JSON.parse(await readFile(file, 'utf8'))))
  : await measure(Number(args[0] ?? 10), Number(args[1] ?? 0));
show(reports);

/** @param {number} count @param {number} loops @returns {Promise<Report[]>} */
async function measure(count, loops) {
  const end = startBusyLoops(loops);
  const all = [];
  try {
    for (let index = 1; index <= count; index++) {
      const startedAt = performance.now();
      const report = await benchmark();
      all.push(report);
      const detected = Number(report.comparisons[0].tested.tellsApart) * 100;
      console.log(
        `${index}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s, differences from ${detected.toFixed(0)} %: ${report.advice[0]}`,
      );
    }
  } finally {
    end();
  }
  return all;
}

/** @param {Report[]} all */
function show(all) {
  const sentences = all.map(({ advice }) => advice[0]);
  const most = Math.max(
    ...sentences.map((sentence) => sentences.filter((other) => other === sentence).length),
  );
  console.log(`\nthe same first sentence in ${most} of ${all.length}`);
  for (const sentence of new Set(sentences)) console.log(`  ${sentence}`);
  const ids = all[0].cells.map(({ id }) => id);
  const rates = ids.map((id) => all.map((report) => opsPerSecond(report, id)));
  const fastest = rates.reduce((a, b) => (median(b) > median(a) ? b : a));
  const rows = ids.map((id, place) => ({
    cell: id.split('/').slice(0, 2).join(', '),
    ratios:
      rates[place] === fastest ? [] : all.map((report) => ratioTo(report, ids[rates.indexOf(fastest)], id)),
    rates: rates[place],
  }));
  for (const { cell, ratios, rates: own } of rows) {
    console.log(
      `${cell.padEnd(36)} ops/s ${whole(median(own)).padStart(8)} ${spread(own)}  ratio ${ratios.length > 0 ? `${median(ratios).toFixed(2).padStart(6)} ${spread(ratios)}` : 'fastest'}`,
    );
  }
  const within = (/** @type {number[][]} */ lists, /** @type {number} */ limit) =>
    `${lists.filter((list) => farthest(list) <= limit).length} of ${lists.length}`;
  const ratios = rows.map((row) => row.ratios).filter(({ length }) => length > 0);
  console.log(`ratios within ${LIMITS.ratio * 100} %: ${within(ratios, LIMITS.ratio)} cells`);
  console.log(
    `operations a second within ${LIMITS.opsPerSecond * 100} %: ${within(rates, LIMITS.opsPerSecond)} cells`,
  );
}

/** @param {Report} report @param {string} id */
function opsPerSecond({ cells }, id) {
  return cells.find((cell) => cell.id === id)?.summary?.opsPerSecond ?? Number.NaN;
}

/**
 * As the report gives it, within rounds.
 *
 * @param {Report} report
 * @param {string} fastest over all reports
 * @param {string} id
 */
function ratioTo({ comparisons }, fastest, id) {
  const [one, other] = [fastest, id].map(
    (cell) => comparisons[0].ranking.find((place) => place.cell === cell)?.timesSlower ?? Number.NaN,
  );
  return other / one;
}

/** @param {number[]} values @returns {number} how far the farthest lies from the median */
function farthest(values) {
  return Math.max(...values.map((value) => Math.abs(value / median(values) - 1)));
}

/** @param {number[]} values */
function spread(values) {
  return `± ${(farthest(values) * 100).toFixed(0).padStart(2)} %`;
}

/** @param {number} value */
function whole(value) {
  return Math.round(value).toLocaleString('en-US');
}
