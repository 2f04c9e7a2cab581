import { nameCells } from '../../axes/names.js';
import { sameBut } from '../../axes/pairing.js';
import { micro, percent, times } from '../../report/words/figures.js';
import { isSlower } from './claims.js';

/**
 * @import { Cell } from '../../plan/types.js'
 * @import { CellResult, ServerCost } from '../../results/types.js'
 * @import { Bottleneck, Comparison, Contrast, Summary } from '../types.js'
 */

/** A cost that is less than this many times the other's is no reason worth a sentence. */
const NOTABLE = 1.25;
/** Reasons must account for half of a cell's slowness (on a logarithmic scale), or it counts as unexplained. */
const ACCOUNTED = 0.5;
/** Garbage collection for longer than this part of the time is named. */
const MUCH_GARBAGE = 0.1;

/**
 * Why the cells of a group stand in the order in which they stand, from the measured figures alone: a
 * sentence for the fastest and what limits it, and one for each cell that is clearly slower.
 *
 * @param {CellResult[]} cells of one group
 * @param {Pick<Comparison, 'ranking'>} comparison
 * @returns {string[]}
 */
export function explainGroup(cells, { ranking }) {
  const names = nameCells(cells);
  const entries = ranking.flatMap((place) => {
    const cell = cells.find(({ id }) => id === place.cell);
    return cell?.summary ? [{ ...place, cell, summary: cell.summary, name: `"${names.get(cell.id)}"` }] : [];
  });
  const [fastest, ...others] = entries;
  if (fastest === undefined) return [];
  return [
    `${fastest.name} ${limitText(fastest)}.`,
    ...others
      .filter(isSlower)
      .map((entry) => slowerText(entry, fastest, placementEffect(entry, fastest, entries))),
  ];
}

/**
 * @typedef {object} Entry
 * @property {CellResult} cell
 * @property {Summary} summary
 * @property {string} name
 * @property {number} timesSlower
 * @property {Contrast | null} againstFastest
 */

/**
 * @param {Entry} entry
 * @returns {string}
 */
function limitText({ cell, summary: { bottleneck, client, server, latency } }) {
  const clientBusy = `the client ${percent(bottleneck.clientBusy)} busy`;
  const serverBusy = bottleneck.serverBusy === null ? '' : `the server ${percent(bottleneck.serverBusy)}`;
  switch (bottleneck.limit) {
    case 'client':
      return `is limited by the client: ${percent(bottleneck.clientBusy)} busy, ${micro(client.cpuUsPerOp)} of CPU an operation`;
    case 'server':
      return `is limited by the server: ${busyPart(cell, server, bottleneck)} ${percent(bottleneck.serverBusy)} busy, ${micro(server.cpuUsPerCommand)} of CPU a command`;
    case 'round-trips': {
      const wait = latency === null ? '' : `: half of its operations take ${micro(latency.p50Us)} or less`;
      return `is limited by round trips (${clientBusy}, ${serverBusy}, ${cell.tasks} under way at most)${wait}`;
    }
    default:
      return `has no limit that the figures show: ${clientBusy}, and the server does not tell its CPU`;
  }
}

/**
 * @param {Cell} cell
 * @param {ServerCost} server
 * @param {Bottleneck} bottleneck
 * @returns {string} the part of the server that is as busy as the bottleneck says
 */
function busyPart({ topology }, { busiestNodeUtilization }, { serverBusy }) {
  if (topology !== 'cluster') return 'its main thread';
  return Number(serverBusy) > Number(busiestNodeUtilization)
    ? 'the processor that its nodes share'
    : 'its busiest node';
}

/**
 * How many times slower a cell is than the same cell with the placement of the fastest.
 *
 * @param {Entry} entry
 * @param {Entry} fastest
 * @param {Entry[]} entries
 * @returns {number} 1 where there is no such cell
 */
function placementEffect({ cell, timesSlower }, fastest, entries) {
  const rest = sameBut(
    ['pin'],
    entries.map((entry) => entry.cell),
  );
  const twin = entries.find(
    (other) =>
      other.cell.pin === fastest.cell.pin && rest(other.cell) === rest(cell) && other.cell.pin !== cell.pin,
  );
  return twin ? timesSlower / twin.timesSlower : 1;
}

/**
 * @param {Entry} entry
 * @param {Entry} fastest
 * @param {number} placement how many times slower it is for its placement alone
 * @returns {string}
 */
function slowerText(entry, fastest, placement) {
  const { reasons, explained } = findReasons(entry, fastest, placement);
  const slower = `${entry.name} is ${times(entry.timesSlower)} slower`;
  if (reasons.length === 0) return `${slower}, and the figures do not explain it.`;
  return explained
    ? `${slower}: ${reasons.join('; ')}.`
    : `${slower}, which the figures explain only in part: ${reasons.join('; ')}.`;
}

/**
 * What costs more in a slower cell than in the fastest, the cause before its effects.
 *
 * @param {Entry} entry
 * @param {Entry} fastest
 * @param {number} placement
 * @returns {{reasons: string[], explained: boolean}}
 */
function findReasons({ cell, summary, timesSlower }, { cell: { pin }, summary: best }, placement) {
  const reasons = [];
  let accounted = 1;
  if (placement >= NOTABLE) {
    reasons.push(`with --pin ${pin} instead of ${cell.pin} the same cell is ${times(placement)} as fast`);
    accounted = placement;
  }
  const opened = (summary.server.connections ?? 0) / (summary.server.commands ?? 1);
  if (opened > 0.01) reasons.push('it opens a connection for each operation');

  const batching = ratio(best.server.commandsPerRead, summary.server.commandsPerRead);
  if (batching >= NOTABLE && opened <= 0.01) {
    reasons.push(
      `each read of the server brought ${plain(summary.server.commandsPerRead)} commands instead of ${plain(best.server.commandsPerRead)}`,
    );
  }
  const clientCost = ratio(summary.client.cpuUsPerOp, best.client.cpuUsPerOp);
  if (clientCost >= NOTABLE) {
    reasons.push(
      `the client used ${times(clientCost)} the CPU an operation (${micro(summary.client.cpuUsPerOp)} against ${micro(best.client.cpuUsPerOp)})`,
    );
    accounted = Math.max(accounted, clientCost);
  }
  const serverCost = ratio(summary.server.cpuUsPerCommand, best.server.cpuUsPerCommand);
  if (serverCost >= NOTABLE) {
    reasons.push(
      `the server used ${times(serverCost)} the CPU a command (${micro(summary.server.cpuUsPerCommand)} against ${micro(best.server.cpuUsPerCommand)})`,
    );
    if (summary.bottleneck.limit === 'server') accounted = Math.max(accounted, serverCost);
  }
  const pause = garbageShare(cell);
  if (pause >= MUCH_GARBAGE) reasons.push(`garbage collection took ${percent(pause)} of the time`);
  if (summary.bottleneck.limit === 'round-trips') {
    const { clientBusy, serverBusy } = summary.bottleneck;
    reasons.push(
      `it waits: the client was ${percent(clientBusy)} busy and the server ${percent(serverBusy)}`,
    );
    // Time in which neither side works is time that the round trips take.
    accounted *= idle(summary) / idle(best);
  }
  return { reasons, explained: Math.log(accounted) >= ACCOUNTED * Math.log(timesSlower) };
}

/**
 * @param {Summary} summary
 * @returns {number} time per operation over the time in which the busier side worked for it, at least 1
 */
const idle = ({ bottleneck: { clientBusy, serverBusy } }) => 1 / Math.max(clientBusy, serverBusy ?? 0, 0.01);

/** @param {CellResult} cell */
function garbageShare({ runs }) {
  const good = runs.filter((run) => run.client !== null && run.elapsedMs);
  const pauses = good.reduce((sum, run) => sum + Number(run.client?.gcPauseMs), 0);
  return pauses / good.reduce((sum, run) => sum + Number(run.elapsedMs), 0);
}

/**
 * @param {number | null} a
 * @param {number | null} b
 * @returns {number} 0 where one of them is not known
 */
const ratio = (a, b) => (a === null || !b ? 0 : a / b);

/** @param {number | null} value */
const plain = (value) => (value === null ? '?' : value.toFixed(1));
