import { dot, ruleX, ruleY } from '@observablehq/plot';
import { logDomain } from '../../charts/scales.js';
import { duration, micro } from '../../words/figures.js';
import { rowChart } from './row-layout.js';

/** @import { Row } from '../../tables/types.js' */
/** @import { Markup } from './markup.js' */

const DEPTH = 14;

/**
 * What an operation costs: the time from one to the next (the inverse of throughput), and the CPU time of client and
 * server in it. A side whose mark touches the end of the bar is fully busy.
 * @param {Row[]} results of one group @returns {Markup | null} null where no run succeeded
 */
export function costChart(results) {
  const rows = results.flatMap((row) => costOf(row) ?? []);
  if (rows.length === 0) return null;
  const domain = logDomain(
    rows.flatMap(({ eachUs, clientUs, serverUs }) => [eachUs, ...known(clientUs, serverUs)]),
  );
  const label = 'Time and CPU time per operation, a row for each cell';
  return rowChart(label, rows, { depth: DEPTH, domain, tickText: duration, marksOf });
}

/** @param {Row} row */
function costOf({ name, cell, state }) {
  const { summary, runs } = cell;
  if (!summary || !(summary.opsPerSecond > 0)) return null;
  const { limit } = summary.bottleneck;
  const commands = runs.reduce((sum, run) => sum + run.commands, 0);
  const operations = runs.reduce((sum, run) => sum + run.operations, 0);
  const { cpuUsPerCommand } = summary.server;
  return {
    name,
    strong: state === 'fastest' || state === 'close',
    notes: [limit === null ? '' : limit.replace('-', ' ')],
    eachUs: 1e6 / summary.opsPerSecond,
    clientUs: summary.client.cpuUsPerOp,
    serverUs: cpuUsPerCommand === null ? null : (cpuUsPerCommand * commands) / operations,
  };
}

/** @param {(number | null)[]} figures @returns {number[]} those that a logarithmic axis can show */
const known = (...figures) => figures.filter((figure) => figure !== null && figure > 0).map(Number);

/** @typedef {NonNullable<ReturnType<typeof costOf>>} Cost */

/** @param {(Cost & {y: number})[]} placed */
function marksOf(placed) {
  const marks = placed.flatMap(({ name, y, clientUs, serverUs }) => [
    ...cpuMarks('server', serverUs, y, name),
    ...cpuMarks('client', clientUs, y, name),
  ]);
  return [
    ...spanMarks(placed),
    dot(marks, {
      x: 'us',
      y: 'y',
      r: 4.5,
      symbol: 'symbol',
      fill: 'fill',
      stroke: 'stroke',
      title: 'title',
      strokeWidth: 1.5,
    }),
  ];
}

/** @param {keyof typeof SIDES} side @param {number | null} us @param {number} y @param {string} name of the row */
const cpuMarks = (side, us, y, name) =>
  known(us).map((value) => ({
    ...SIDES[side],
    us: value,
    y,
    title: `${name}: ${micro(value)} of ${side} CPU`,
  }));

/** @param {(Cost & {y: number})[]} placed @returns the time from one operation to the next, as bars with an end */
function spanMarks(placed) {
  const spans = placed.map(({ y, eachUs, clientUs, serverUs }) => ({
    y,
    eachUs,
    from: Math.min(eachUs, ...known(clientUs, serverUs)),
    title: `one operation per ${micro(eachUs)}`,
  }));
  return [
    ruleY(spans, { x1: 'from', x2: 'eachUs', y: 'y', stroke: 'var(--mark)', strokeOpacity: 0.5 }),
    ruleX(spans, {
      x: 'eachUs',
      y1: ({ y }) => y - DEPTH / 2 - 2,
      y2: ({ y }) => y + DEPTH / 2 + 2,
      stroke: 'var(--ink)',
      strokeWidth: 2,
      title: 'title',
    }),
  ];
}

/** Told apart by shape and fill, not by colour alone. */
const SIDES = {
  client: { symbol: 'circle', fill: 'var(--accent)', stroke: 'var(--accent)' },
  server: { symbol: 'diamond', fill: 'var(--page)', stroke: 'var(--server)' },
};
