import { sum } from 'simple-statistics';
import { alike } from '../alike.js';
import { FEWEST_POINTS, trendOf } from '../statistics/slope.js';
import { about } from './about.js';

/** @import { CellResult, Run } from '../../results/types.js' */
/** @import { Finding, Growth } from '../types.js' */

/** At first a client fills its caches, and its code is compiled. */
const WARM_UP = 1 / 4;
/** If the second half grows more slowly, compared with all of it, growth comes to an end. */
const GOES_ON = 1 / 2;
const FEWEST_RUNS = Math.ceil(FEWEST_POINTS / (1 - WARM_UP));
/** Whether the runs of an open loop are watched for growth. @param {{runs: number}} settings */
export const showsGrowth = ({ runs }) => runs >= FEWEST_RUNS;

const MS_PER_HOUR = 3_600_000;

/** What matters at least. Node and this tool keep 0.5 to 1 kB per run (raw, redis, ioredis); 50 kB more come and go. */
const LEAST = {
  bytes: 128e3,
  bytesPerRun: 2000,
  bytesPerHour: 0.5e6,
  bytesPerOp: 8,
  sockets: 1,
  cpuShare: 0.2,
};

/**
 * What may grow in a process for hours.
 * @type {Record<Growth['figure'], {of: (run: Run) => number | null | undefined, least: (span: Span) => number}>}
 */
const FIGURES = {
  heapBytes: {
    of: ({ settled }) => settled?.heapBytes,
    least: ({ runs, hours, perHour }) =>
      Math.max(
        LEAST.bytes,
        LEAST.bytesPerRun * runs,
        hours * Math.min(LEAST.bytesPerHour, LEAST.bytesPerOp * perHour),
      ),
  },
  sockets: { of: ({ settled }) => settled?.sockets, least: () => LEAST.sockets },
  cpuUsPerOp: {
    // Next to other programs an operation takes longer.
    of: ({ client, slices = [] }) => (slices.some(({ disturbed }) => disturbed) ? null : client?.cpuUsPerOp),
    least: ({ from }) => LEAST.cpuShare * from,
  },
};
const NAMES = /** @type {Growth['figure'][]} */ (Object.keys(FIGURES));

/**
 * @typedef {{runs: number, hours: number, perHour: number, from: number}} Span `perHour`: operations; `from`: at first
 */

/** What grew while cells ran at a rate for long. @param {CellResult[]} cells @returns {Finding[]} */
export const growthFound = (cells) =>
  cells.flatMap((cell) => {
    const runs = longestLife(cell.runs);
    if (runs.length === 0) return [];
    const judged = runs.slice(Math.floor(runs.length * WARM_UP));
    const perHour = (sum(runs.map(({ operations }) => operations)) / elapsedIn(runs)) * MS_PER_HOUR;
    return {
      ...{ kind: /** @type {const} */ ('growth'), ...about([cell]), cell: cell.id },
      ...{ ms: elapsedIn(runs), perHour, missing: Math.max(1, FEWEST_RUNS - runs.length) },
      figures: NAMES.flatMap((figure) => growthOf(figure, judged, perHour) ?? []),
    };
  });

/** The watched runs of the process that has most. @param {Run[]} runs */
function longestLife(runs) {
  const watched = runs.filter(({ settled, failed }) => settled !== undefined && failed === null);
  const lives = alike(watched, ({ start }) => start).sort((a, b) => b.length - a.length);
  return lives[0] ?? [];
}

/** @param {Run[]} runs */
const elapsedIn = (runs) => sum(runs.map(({ elapsedMs }) => Number(elapsedMs)));

/** @param {Growth['figure']} figure @param {Run[]} runs @param {number} perHour @returns {Growth | null} */
function growthOf(figure, runs, perHour) {
  const { of, least } = FIGURES[figure];
  const points = runs.flatMap((run, index) => {
    const y = of(run);
    return y == null ? [] : [{ x: elapsedIn(runs.slice(0, index + 1)) / MS_PER_HOUR, y }];
  });
  if (points.length < FEWEST_POINTS) return null;
  const trend = trendOf(points);
  const { from, slope, low, late } = trend;
  const hours = points[points.length - 1].x - points[0].x;
  const span = { runs: points.length, hours, perHour, from };
  const grows = low > 0 && late >= GOES_ON * slope && low * hours >= least(span);
  return { figure, ...trend, grows };
}
