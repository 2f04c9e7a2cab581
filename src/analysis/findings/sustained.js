import { nameCells, nameSubjects } from '../../axes/names.js';
import { sameBut } from '../../axes/pairing.js';
import { duration, percent, whole } from '../../report/words/figures.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Comparison, OpenLoopSummary, Summary } from '../types.js'
 */

/** Objects that wait for a reply live longer than those that the collector is made for. */
const MUCH_GARBAGE = 0.2;

/** @typedef {CellResult & {summary: Summary & {openLoop: OpenLoopSummary}}} RatedCell */

/**
 * How the cells of one group kept to the rate that all of them were given.
 *
 * @param {string} group
 * @param {CellResult[]} cells
 * @returns {Comparison} those that held the rate first, the lowest p99 first; the
 *   steps of each search by their rate
 */
export function compareOpenLoop(group, cells) {
  const names = nameCells(cells);
  const searched = cells.some(({ openLoop }) => openLoop?.search);
  const rated = searched ? ladders(cells).flatMap(({ alike }) => alike) : ratedCells(cells).sort(byHolding);
  const most = Math.max(...rated.map(({ summary }) => summary.opsPerSecond));
  return {
    group,
    test: 'none: an open loop does what it is told, or does not',
    versions: [],
    ranking: rated.map(({ id, summary }) => ({
      cell: id,
      opsPerSecond: summary.opsPerSecond,
      timesSlower: most / summary.opsPerSecond,
      ...{ againstFastest: null, againstFirst: null, ofCeiling: null },
    })),
    conclusion:
      rated.length === 0
        ? 'No cell of this group gave a result.'
        : searched
          ? highestText(rated)
          : `${rated.map((cell) => `"${names.get(cell.id)}" ${heldText(cell)}`).join('; ')}.`,
    // What gave way is said once, above the highest rate that was held.
    explanation: (searched ? [] : rated)
      .filter(({ summary }) => !summary.openLoop.held)
      .map((cell) => `"${names.get(cell.id)}": ${gaveWay(cell)}.`),
  };
}

/**
 * The sentence for each client and way to connect: the highest rate that it held, and what gave way
 * first above it.
 *
 * @param {CellResult[]} cells of all rates
 * @returns {string[]}
 */
export function sustainedRates(cells) {
  const names = nameCells(cells, ['step', 'rate']);
  return ladders(cells).map(({ alike, held, broken }) => {
    const subject = `"${names.get(alike[0].id)}"`;
    const best = held ? `${subject} held ${whole(rateOf(held))} a second, ${latencyText(held)}` : null;
    if (!broken) return `${best}: the highest rate that was tried, so that nothing gave way.`;
    const late = isTooLate(broken) ? `, p99 ${duration(p99Of(broken))},` : '';
    const why = `at ${whole(rateOf(broken))} a second${late} ${gaveWay(broken)}`;
    return best === null ? `${subject} held no rate that was tried: ${why}.` : `${best}; ${why}.`;
  });
}

/**
 * The cells that differ in their rate only: the highest rate below the first that was not held, and that one.
 *
 * @param {CellResult[]} cells
 * @returns {{alike: RatedCell[], held: RatedCell | undefined, broken: RatedCell | undefined}[]}
 */
function ladders(cells) {
  const rated = ratedCells(cells);
  const everythingButRate = sameBut(['rate'], rated);
  const keyOf = (/** @type {RatedCell} */ cell) => `${cell.copy} ${everythingButRate(cell)}`;
  return [...new Set(rated.map(keyOf))].map((key) => {
    const alike = rated.filter((cell) => keyOf(cell) === key).sort(byRate);
    const broken = alike.find(({ summary }) => !summary.openLoop.held);
    const held = alike.filter((cell) => !broken || rateOf(cell) < rateOf(broken)).at(-1);
    return { alike, held, broken };
  });
}

/**
 * The p99 latency from the schedule over the rate, for each client and way to connect.
 *
 * @param {CellResult[]} cells the steps of a search
 * @returns {{name: string, points: {rate: number, us: number, held: boolean}[]}[]} those that have latencies
 */
export function rateCurves(cells) {
  const names = nameSubjects(cells);
  return ladders(cells)
    .map(({ alike }) => ({
      name: names.get(alike[0].id) ?? '',
      points: alike.flatMap(({ summary: { openLoop, latency } }) =>
        latency ? [{ rate: openLoop.intendedPerSecond, us: latency.p99Us, held: openLoop.held }] : [],
      ),
    }))
    .filter(({ points }) => points.length > 0);
}

/**
 * @param {RatedCell[]} rated the steps of a search
 * @returns {string} what each client held, the most first
 */
function highestText(rated) {
  const { sloMs = null } = rated[0].openLoop ?? {};
  const names = nameCells(rated, ['step', 'rate']);
  const rates = ladders(rated)
    .map(({ alike, held }) => ({ name: names.get(alike[0].id), rate: held ? rateOf(held) : 0 }))
    .sort((a, b) => b.rate - a.rate)
    .map(({ name, rate }) => `"${name}" ${rate === 0 ? 'none that was tried' : whole(rate)}`);
  const within = sloMs === null ? '' : ` with a p99 within ${duration(sloMs * 1000)}`;
  return `Highest rate a second that was held${within}: ${rates.join('; ')}.`;
}

/** @param {CellResult[]} cells @returns {RatedCell[]} */
const ratedCells = (cells) =>
  /** @type {RatedCell[]} */ (cells.filter(({ summary }) => summary?.openLoop != null));

/** @param {RatedCell} a @param {RatedCell} b */
const byHolding = (a, b) =>
  Number(b.summary.openLoop.held) - Number(a.summary.openLoop.held) || p99Of(a) - p99Of(b);

/** @param {RatedCell} a @param {RatedCell} b */
const byRate = (a, b) => rateOf(a) - rateOf(b);

/** @param {RatedCell} cell */
const rateOf = ({ summary }) => summary.openLoop.intendedPerSecond;

/** @param {RatedCell} cell */
const latencyText = ({ summary: { latency } }) =>
  latency === null ? 'latencies not recorded' : `p99 ${duration(latency.p99Us)} from the schedule`;

/** @param {RatedCell} cell @returns {boolean} whether it was not held for its latency */
const isTooLate = (cell) =>
  !cell.summary.openLoop.held && cell.openLoop?.sloMs != null && p99Of(cell) > cell.openLoop.sloMs * 1000;

/** @param {RatedCell} cell @returns {number} µs; 0 where none was recorded */
const p99Of = ({ summary: { latency } }) => latency?.p99Us ?? 0;

/** @param {RatedCell} cell */
function heldText(cell) {
  const { held, intendedPerSecond, achievedPerSecond, dropped } = cell.summary.openLoop;
  if (held) return `held ${whole(intendedPerSecond)} a second, ${latencyText(cell)}`;
  if (isTooLate(cell)) return `held ${whole(intendedPerSecond)} a second only with ${latencyText(cell)}`;
  const lost = dropped > 0 ? ` and dropped ${whole(dropped)}` : '';
  return `reached ${whole(achievedPerSecond)} of ${whole(intendedPerSecond)} a second${lost}`;
}

/**
 * What gave way first, from the measured figures: the client's event loop, the server's main thread, the
 * bound on what may be under way, or what lies between client and server.
 *
 * @param {RatedCell} cell
 * @returns {string}
 */
function gaveWay(cell) {
  const { bottleneck, client, server, openLoop } = cell.summary;
  const { clientBusy, serverBusy } = bottleneck;
  const client_ = `the client's event loop ${percent(clientBusy)} busy`;
  const server_ = serverBusy === null ? "the server's CPU not known" : `the server ${percent(serverBusy)}`;
  if (bottleneck.limit === 'client') {
    const memory = `${whole(client.peakRssBytes / 1e6)} MB`;
    return `the client's event loop gave way first (${percent(clientBusy)} busy, ${server_}, ${memory}${garbageText(cell)})`;
  }
  if (bottleneck.limit === 'server') {
    return `the server's CPU gave way first (its main thread ${percent(serverBusy)} busy, ${client_})`;
  }
  if (openLoop.waited + openLoop.dropped > 0) {
    const bound = `the bound of ${whole(cell.openLoop?.maxInFlight)} commands under way, which keeps memory bounded,`;
    return `${bound} was reached first (${client_}, ${server_}${garbageText(cell)}): the server or the network stalled, or the bound is too small`;
  }
  const bytes = ((server.netInputBytes ?? 0) + (server.netOutputBytes ?? 0)) / 1e6;
  return `neither side was at its end (${client_}, ${server_}, ${whole(bytes)} MB moved): the network or this machine gave way`;
}

/** @param {RatedCell} cell @returns {string} what to do where most of the time went into garbage */
function garbageText({ summary: { client, averageMs } }) {
  const garbage = client.gcPauseMs / averageMs;
  return garbage < MUCH_GARBAGE
    ? ''
    : `, collecting garbage for ${percent(garbage)} of the time: fewer under way may be faster, --max-in-flight`;
}
