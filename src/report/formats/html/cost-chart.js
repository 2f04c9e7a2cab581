import { duration, micro } from '../../words/figures.js';
import { rowChart } from './row-layout.js';

/** @import { Row } from '../../tables/types.js' */

/** Pixels. */
const [DEPTH, BAR] = [14, 2];
/** Distinguished by shape and fill, not by colour alone. */
const SIDES = {
  server: { symbol: 'diamond', fill: 'var(--page)', stroke: 'var(--server)' },
  client: { symbol: 'circle', fill: 'var(--accent)', stroke: 'var(--accent)' },
};

/**
 * What an operation costs: the time from one to the next (the inverse of throughput), and the CPU time of client and
 * server in it. A side whose mark touches the end of the bar is fully busy.
 * @param {Row[]} results of one group @returns null where no run succeeded
 */
export const costChart = (results) =>
  rowChart(
    'Time and CPU time per operation, a row for each cell',
    results.flatMap((row) => costOf(row) ?? []),
    {
      depth: DEPTH,
      bandWidth: BAR,
      dots: { r: 4.5, symbol: 'symbol', stroke: 'stroke', strokeWidth: 1.5 },
      tickText: duration,
    },
  );

/** @param {Row} row */
function costOf({ name, cell: { summary, runs }, state }) {
  if (!summary || !(summary.opsPerSecond > 0)) return null;
  const { limit } = summary.bottleneck;
  const commands = runs.reduce((sum, run) => sum + run.commands, 0);
  const operations = runs.reduce((sum, run) => sum + run.operations, 0);
  const eachUs = 1e6 / summary.opsPerSecond;
  const points = [
    cpuPoint('server', (Number(summary.server.cpuUsPerCommand) * commands) / operations, name),
    cpuPoint('client', Number(summary.client.cpuUsPerOp), name),
    // A logarithmic axis has no place for 0.
  ].filter(({ value }) => value > 0);
  return {
    name,
    strong: state === 'fastest' || state === 'close',
    notes: [limit === null ? '' : limit.replace('-', ' ')],
    band: {
      low: Math.min(eachUs, ...points.map(({ value }) => value)),
      high: eachUs,
      color: 'var(--mark)',
    },
    line: { value: eachUs, title: `one operation per ${micro(eachUs)}` },
    points,
  };
}

/** @param {keyof typeof SIDES} side @param {number} us @param {string} name of the row */
const cpuPoint = (side, us, name) => ({
  ...SIDES[side],
  value: us,
  title: `${name}: ${micro(us)} of ${side} CPU`,
});
