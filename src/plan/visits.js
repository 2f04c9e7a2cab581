import { sum } from 'simple-statistics';
import { cornersAmong } from '../axes/dimensions.js';
import { processesOfGroup } from '../axes/ids.js';
import { startsOf } from './rounds.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Cell, Start } from './types.js' */

/**
 * @typedef {object} Visit a group of cells, and the starts that it gets now
 * @property {number} index of the group in the plan
 * @property {Cell[]} cells
 * @property {Iterable<Start>} starts each is asked for when the one before it has been measured
 * @property {boolean} again whether the group was measured before
 * @property {string | null} life consecutive visits with the same one share workers, which go from group to group; null
 *   where each group has its own
 *
 * @typedef {object} Budget
 * @property {number} budgetMs for everything, starting and ending included
 * @property {() => number} elapsedMs of it
 * @property {(cells: Cell[]) => {left: string[], isTied: boolean}} verdictOf the ids of the cells of a point that need
 *   one more start; none once all is known
 * @property {(cells: Cell[]) => string[]} leftOutOf the ids of the cells of a point that are not worth a first start
 *
 * @typedef {ReturnType<typeof createPoint>} Point
 */

/** Every group once, with all of its starts. @param {Cell[][]} groups @param {Settings} settings @returns {Visit[]} */
export const visitInTurn = (groups, settings) =>
  groups.map((cells, index) => ({
    index,
    cells,
    starts: startsOf(settings, cells),
    again: false,
    life: null,
  }));

/** Of a cell that is measured once: starting it, and a short warm-up. */
const QUICK_MS = 600;
/** What a run takes of the time it is set to, with what comes between its slices. */
export const RUN_LENGTHS = 1.5;

/** @param {Cell[]} cells @param {Pick<Settings, 'durationMs'>} settings @returns {number} how long one round of them takes */
export const oneRoundMs = (cells, { durationMs }) =>
  cells.length * (QUICK_MS + RUN_LENGTHS * Number(durationMs));

/** A machine that is slow today may take so many times as long: a ranking a little later beats none. */
const PATIENCE = 2;

/**
 * One short start of every group, as in the first pass of a map.
 * @param {Cell[][]} groups @param {Settings} settings @param {() => number} elapsedMs @returns {Generator<Visit>}
 */
export function* visitOnce(groups, settings, elapsedMs) {
  const budget = { elapsedMs, verdictOf: () => ({ left: [], isTied: false }), leftOutOf: () => [] };
  const points = groups.map((cells, index) => createPoint(cells, index));
  for (const point of points.sort(byNeighbours))
    yield visitOf(point, 1, elapsedMs() + PATIENCE * oneRoundMs(point.cells, settings), budget);
}

/** A point that so many starts do not decide needs another machine. */
const MOST_STARTS = 25;
/** Removing keys, ending workers and the server, the report: measured, 0.3 s on a quiet machine and 0.8 s on a busy one. */
const ENDING_MS = 600;
/** A first visit that starts and warms workers takes about as long as so many that find them warm. */
const STARTING = 4;
/** The budget may be exceeded by this share so that no point is left unmeasured. */
const TOLERANCE = 0.05;

/**
 * The visits to the points of a map, in passes. In each pass every undecided point gets one start, and workers go from
 * point to point; time that decided points save goes to the others. In the first pass each point has its share of the
 * time, so that all are measured once before any is measured again.
 * @param {Cell[][]} groups the points @param {Budget} given @returns {Generator<Visit>}
 */
export function* visitPoints(groups, given) {
  const budget = { ...given, budgetMs: given.budgetMs - ENDING_MS };
  const leftMs = () => budget.budgetMs - budget.elapsedMs();
  const cornersAround = cornersAmong(groups.map(([cell]) => cell));
  const points = groups
    .map((cells, index) => createPoint(cells, index, cornersAround(cells[0]).includes(cells[0])))
    .sort(byNeighbours);
  const first = points.toSorted(byCorners);
  const startsWorkers = (/** @type {number} */ place) =>
    first[place].processes !== first[place - 1]?.processes;
  const weights = first.map((point, place) => point.left.length * (startsWorkers(place) ? STARTING : 1));
  const shortestMs = { starting: 0, going: 0 };
  let startingMsPerCell = 0;
  for (const [place, point] of first.entries()) {
    const kind = startsWorkers(place) ? 'starting' : 'going';
    if (shortestMs[kind] > leftMs() + TOLERANCE * given.budgetMs) return;
    const before = budget.elapsedMs();
    const share = weights[place] / sum(weights.slice(place));
    yield visitOf(point, 1, before + share * leftMs(), budget);
    shortestMs[kind] = Math.min(shortestMs[kind] || Number.POSITIVE_INFINITY, budget.elapsedMs() - before);
    if (kind === 'starting') startingMsPerCell = Math.max(startingMsPerCell, point.msPerCell);
  }
  for (let pass = 2; pass <= MOST_STARTS; pass++) {
    const taking = withinTime(points, budget);
    if (taking.length === 0) return;
    let workers = '';
    for (const point of taking) {
      const msPerCell = Math.max(point.msPerCell, workers === point.processes ? 0 : startingMsPerCell);
      if (msPerCell * point.left.length > leftMs()) continue;
      workers = point.processes;
      yield visitOf(point, pass, budget.budgetMs, budget);
    }
  }
}

/** Workers go from point to point and only add connections. @param {Point} a @param {Point} b */
const byNeighbours = (a, b) => a.processes.localeCompare(b.processes) || a.tasks - b.tasks;

/** Corners come first: they show what need not be measured between them. @param {Point} a @param {Point} b */
const byCorners = (a, b) =>
  a.processes.localeCompare(b.processes) || Number(b.isCorner) - Number(a.isCorner) || a.tasks - b.tasks;

/**
 * The undecided points. If there is not time for all of them: those without a winner or a tie come before those that
 * only lack who shares the tie, and cheap ones before others.
 * @param {Point[]} points @param {Budget} budget
 */
function withinTime(points, { budgetMs, elapsedMs }) {
  const open = points.filter(({ left }) => left.length > 0);
  let untilMs = elapsedMs();
  const affordable = open
    .toSorted((a, b) => Number(a.isTied) - Number(b.isTied) || costMs(a) - costMs(b))
    .filter((point) => {
      untilMs += costMs(point);
      return untilMs <= budgetMs;
    });
  return open.filter((point) => affordable.includes(point));
}

/** @param {Point} point @returns {number} what a start costs, by the one before it */
const costMs = ({ msPerCell, left }) => msPerCell * left.length;

/** @param {Cell[]} cells @param {number} index */
const createPoint = (cells, index, isCorner = false) => ({
  index,
  cells,
  tasks: cells[0].tasks,
  processes: processesOfGroup(cells[0]),
  isCorner,
  starts: 0,
  msPerCell: 0,
  left: cells.map(({ id }) => id),
  isTied: false,
});

/** @param {Point} point @param {number} pass @param {number} untilMs @param {Omit<Budget, 'budgetMs'>} budget @returns {Visit} */
const visitOf = (point, pass, untilMs, budget) => ({
  index: point.index,
  cells: point.cells,
  starts: oneMore(point, untilMs, budget),
  again: point.starts > 0,
  life: `${pass} ${point.processes}`,
});

/** @param {Point} point @param {number} untilMs @param {Omit<Budget, 'budgetMs'>} budget @returns {Generator<Start>} */
function* oneMore(point, untilMs, { elapsedMs, verdictOf, leftOutOf }) {
  const before = elapsedMs();
  const start = ++point.starts;
  if (start === 1) {
    const leftOut = leftOutOf(point.cells);
    point.left = point.left.filter((id) => !leftOut.includes(id));
  }
  const { left: cells } = point;
  const leftMs = () => untilMs - elapsedMs();
  yield { start, first: start, last: start, isLast: false, cells, leftMs };
  point.msPerCell = (elapsedMs() - before) / cells.length;
  Object.assign(point, verdictOf(point.cells));
}
