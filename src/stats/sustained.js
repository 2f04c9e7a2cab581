import { duration, percent, whole } from '../text/figures.js';
import { clientName, nameCells, scenarioKey, workloadName } from './names.js';

/** Objects that wait for a reply live longer than those that the collector is made for. */
const MUCH_GARBAGE = 0.2;

/** @typedef {import('../types.js').CellResult & {summary: import('../types.js').Summary & {openLoop: import('../types.js').OpenLoopSummary}}} RatedCell */

/**
 * How the cells of one group kept to the rate that all of them were given.
 *
 * @param {string} group
 * @param {import('../types.js').CellResult[]} cells
 * @returns {import('../types.js').Comparison} those that held the rate first, the lowest p99 first
 */
export function compareOpenLoop(group, cells) {
  const names = nameCells(cells);
  const rated = ratedCells(cells).sort(byHolding);
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
        : `${rated.map((cell) => `"${names.get(cell.id)}" ${heldText(cell)}`).join('; ')}.`,
    explanation: rated
      .filter(({ summary }) => !summary.openLoop.held)
      .map((cell) => `"${names.get(cell.id)}": ${gaveWay(cell)}.`),
  };
}

/**
 * The sentence for each client and way to connect: the highest rate that it held, and what gave way
 * first above it.
 *
 * @param {import('../types.js').CellResult[]} cells of all rates
 * @returns {string[]}
 */
export function sustainedRates(cells) {
  const rated = ratedCells(cells);
  const keys = [...new Set(rated.map(everythingButRate))];
  return keys.map((key) => {
    const alike = rated
      .filter((cell) => everythingButRate(cell) === key)
      .sort((a, b) => rateOf(a) - rateOf(b));
    const broken = alike.find(({ summary }) => !summary.openLoop.held);
    const held = alike.filter((cell) => !broken || rateOf(cell) < rateOf(broken)).at(-1);
    const subject = `"${nameOf(alike[0])}"`;
    const best = held ? `${subject} held ${whole(rateOf(held))} a second, ${latencyText(held)}` : null;
    if (!broken) return `${best}: the highest rate that was asked for, so that nothing gave way.`;
    const why = `at ${whole(rateOf(broken))} a second ${gaveWay(broken)}`;
    return best === null ? `${subject} held no rate that was asked for: ${why}.` : `${best}; ${why}.`;
  });
}

/** @param {import('../types.js').CellResult[]} cells @returns {RatedCell[]} */
const ratedCells = (cells) =>
  /** @type {RatedCell[]} */ (cells.filter(({ summary }) => summary?.openLoop != null));

/** @param {RatedCell} a @param {RatedCell} b */
const byHolding = (a, b) =>
  Number(b.summary.openLoop.held) - Number(a.summary.openLoop.held) ||
  (a.summary.latency?.p99Us ?? 0) - (b.summary.latency?.p99Us ?? 0);

/** @param {RatedCell} cell */
const rateOf = ({ summary }) => summary.openLoop.intendedPerSecond;

/** @param {RatedCell} cell */
const everythingButRate = (cell) =>
  [
    ...[cell.client, cell.variant, cell.copy, scenarioKey(cell), cell.pipelining, cell.workload],
    ...[cell.transport, cell.topology, cell.pin, cell.processes, cell.tasks, cell.keySize, cell.valueSize],
  ].join();

/** @param {RatedCell} cell */
const nameOf = (cell) =>
  [
    ...[clientName(cell), workloadName(cell), cell.scenario.replaceAll('-', ' '), cell.pipelining],
    ...(cell.processes > 1 ? [`${cell.processes} processes`] : []),
  ].join(', ');

/** @param {RatedCell} cell */
const latencyText = ({ summary: { latency } }) =>
  latency === null ? 'latencies not recorded' : `p99 ${duration(latency.p99Us)} from the schedule`;

/** @param {RatedCell} cell */
function heldText(cell) {
  const { held, intendedPerSecond, achievedPerSecond, dropped } = cell.summary.openLoop;
  if (held) return `held ${whole(intendedPerSecond)} a second, ${latencyText(cell)}`;
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
function gaveWay({ summary: { bottleneck, client, server, openLoop, averageMs }, openLoop: plan }) {
  const { clientBusy, serverBusy } = bottleneck;
  const client_ = `the client's event loop ${percent(clientBusy)} busy`;
  const server_ = serverBusy === null ? "the server's CPU not known" : `the server ${percent(serverBusy)}`;
  if (bottleneck.limit === 'client') {
    const memory = `${whole(client.peakRssBytes / 1e6)} MB`;
    const garbage = client.gcPauseMs / averageMs;
    const advice =
      garbage < MUCH_GARBAGE
        ? ''
        : `, collecting garbage for ${percent(garbage)} of the time: fewer under way may be faster, --max-in-flight`;
    return `the client's event loop gave way first (${percent(clientBusy)} busy, ${server_}, ${memory}${advice})`;
  }
  if (bottleneck.limit === 'server') {
    return `the server's CPU gave way first (its main thread ${percent(serverBusy)} busy, ${client_})`;
  }
  const full = openLoop.waited + openLoop.dropped > 0;
  const bound = `the bound of ${whole(plan?.maxInFlight)} commands under way, which keeps memory bounded,`;
  const bytes = ((server.netInputBytes ?? 0) + (server.netOutputBytes ?? 0)) / 1e6;
  return full
    ? `${bound} was reached first (${client_}, ${server_}): the server or the network stalled, or the bound is too small`
    : `neither side was at its end (${client_}, ${server_}, ${whole(bytes)} MB moved): the network or this machine gave way`;
}
