import { sum } from 'simple-statistics';
import { duration, micro, whole } from '../../words/figures.js';
import { rowChart } from './row-chart.js';

/** @import { Row } from '../../tables/types.js' */

/** Pixels from the first run of a cell down to the last. */
const RUNS_DEPTH = 18;
/** With more runs of a cell than this points are smaller; with five times as many smaller still, and without titles. */
const MANY = 20;

/** @param {Row} row */
const isStrong = ({ state }) => state === 'fastest' || state === 'close';

/** Every run, the first above and the last below, with the cell's median and its interval. @param {Row[]} results of one group */
export function runsChart(results) {
  const rows = results.filter(({ cell }) => cell.runs.length > 0).map(runsOf);
  const most = Math.max(...rows.map(({ points }) => points.length));
  const small = { r: most > MANY * 5 ? 1.2 : 2, ...(most > MANY * 5 && { title: null }) };
  return rowChart('Operations per second of every run, a row for each cell', rows, {
    depth: RUNS_DEPTH,
    spread: true,
    dots: most > MANY ? small : { r: 3.2, stroke: 'var(--page)', strokeWidth: 0.8 },
    tickText: whole,
  });
}

/** @param {Row} row */
function runsOf(row) {
  const { name, cell, columns } = row;
  const strong = isStrong(row);
  const color = strong ? 'var(--accent)' : 'var(--mark)';
  const { summary } = cell;
  const interval = summary?.intervals.opsPerSecond;
  return {
    name,
    strong,
    notes: [columns['ops/s'], columns.slower],
    band: interval ? { ...interval, color } : undefined,
    line: summary ? { value: summary.opsPerSecond } : undefined,
    points: cell.runs.flatMap(({ failed, opsPerSecond, round }) => {
      const title = `${name}, run ${round}: ${whole(opsPerSecond)} operations per second`;
      return failed === null && opsPerSecond ? [{ value: opsPerSecond, fill: color, title }] : [];
    }),
  };
}

const [COST_DEPTH, BAR] = [14, 2];
/** Client and server are distinguished by shape and fill, not by colour alone. */
const LOOKS = {
  server: { symbol: 'diamond', fill: 'var(--page)', stroke: 'var(--server)' },
  client: { symbol: 'circle', fill: 'var(--accent)', stroke: 'var(--accent)' },
};

/** The time from one operation to the next, and the CPU time of client and server in it. @param {Row[]} results of one group */
export const costChart = (results) =>
  rowChart(
    'Time and CPU time per operation, a row for each cell',
    results.flatMap((row) => costOf(row) ?? []),
    {
      depth: COST_DEPTH,
      bandWidth: BAR,
      dots: { r: 4.5, symbol: 'symbol', stroke: 'stroke', strokeWidth: 1.5 },
      tickText: duration,
    },
  );

/** @param {Row} row */
function costOf(row) {
  const { name, cell } = row;
  const { summary, runs } = cell;
  if (!summary || !(summary.opsPerSecond > 0)) return null;
  const commandsPerOp = sum(runs.map(({ commands }) => commands)) / sum(runs.map((run) => run.operations));
  const eachUs = 1e6 / summary.opsPerSecond;
  const points = [
    cpuPoint('server', Number(summary.server.cpuUsPerCommand) * commandsPerOp, name),
    cpuPoint('client', Number(summary.client.cpuUsPerOp), name),
    // A logarithmic axis has no place for 0.
  ].filter(({ value }) => value > 0);
  return {
    name,
    strong: isStrong(row),
    notes: [summary.bottleneck.limit?.replace('-', ' ') ?? ''],
    band: {
      low: Math.min(eachUs, ...points.map(({ value }) => value)),
      high: eachUs,
      color: 'var(--mark)',
    },
    line: { value: eachUs, title: `one operation per ${micro(eachUs)}` },
    points,
  };
}

/** @param {keyof typeof LOOKS} which @param {number} us @param {string} name of the row */
const cpuPoint = (which, us, name) => ({
  ...LOOKS[which],
  value: us,
  title: `${name}: ${micro(us)} of ${which} CPU`,
});
