import { roundTripUsOf } from '../judge/costs.js';
import { about, noConclusion } from './about.js';
import { sharesOf } from './limit.js';
import { isSearch, ladders, sustainedFirst } from './sustained.js';

/** @import { CellResult } from '../../core/store/types.js' */
/** @import { Finding, GaveWay, RateFigures } from '../judge/types.js' */
/** @import { RatedCell } from './sustained.js' */

/** The highest sustained rate of each choice, and the bottleneck above it. @param {CellResult[]} cells @returns {Finding[]} */
export const sustainedRates = (cells) =>
  ladders(cells).map(({ steps, held, broken }) => ({
    kind: 'sustained-rate',
    ...about(steps),
    held: held ? figuresOf(held) : null,
    broken: broken ? { ...figuresOf(broken), ...bottleneckOf(broken) } : null,
  }));

/** @param {CellResult[]} cells of one group @returns {Finding[]} */
export function keptRates(cells) {
  const rated = sustainedFirst(cells);
  if (rated.length === 0) return [noConclusion('no-result', [], cells[0].group)];
  // A search reports its rates for all groups together.
  if (isSearch(cells)) return [];
  return rated.map((cell) => ({
    kind: 'rate',
    ...about([cell], cell.group),
    cell: cell.id,
    ...figuresOf(cell),
    gaveWay: cell.summary.openLoop.held ? null : bottleneckOf(cell),
  }));
}

/** @param {RatedCell} cell @returns {RateFigures} */
function figuresOf({ openLoop, summary }) {
  const { held, intendedPerSecond, achievedPerSecond, dropped, p99Us } = summary.openLoop;
  const sloMs = openLoop?.sloMs ?? Number.POSITIVE_INFINITY;
  const tooLate = !held && Number(p99Us) > sloMs * 1000;
  return { intendedPerSecond, achievedPerSecond, dropped, held, tooLate, p99Us };
}

const GIVES_WAY = /** @type {const} */ (['client', 'application', 'server', 'processor']);

/**
 * What was the bottleneck: client, application or server, --max-in-flight, the network, or the CPU that other programs used.
 * @param {RatedCell} cell @returns {GaveWay}
 */
function bottleneckOf(cell) {
  const { openLoop: load, summary } = cell;
  const { bottleneck, client, server, openLoop, averageMs } = summary;
  const roundTripUs = roundTripUsOf(cell);
  const isTooFar = load?.sloMs != null && roundTripUs > load.sloMs * 1000;
  const { limit } = bottleneck;
  const atBound = openLoop.waited + openLoop.dropped > 0;
  return {
    what: isTooFar
      ? 'distance'
      : (GIVES_WAY.find((each) => each === limit) ?? (atBound ? 'bound' : 'neither')),
    ...(isTooFar && { roundTripUs }),
    ...sharesOf(summary),
    peakRssBytes: client.peakRssBytes,
    garbageShare: client.gcPauseMs / averageMs,
    movedBytes: (server.netInputBytes ?? 0) + (server.netOutputBytes ?? 0),
    maxInFlight: load?.maxInFlight ?? null,
  };
}
