import { cornersAmong } from '../axes/dimensions.js';
import { processesOfGroup } from '../axes/ids.js';
import { inSameRounds, startsOf } from './rounds.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Cell, Start } from './types.js' */

/**
 * @typedef {object} Visit a group of cells, and the starts that it gets now
 * @property {number} index of the group in the plan
 * @property {Cell[]} cells
 * @property {Iterable<Start>} starts each is asked for when the one before it has been measured
 * @property {boolean} again whether the group was measured before
 * @property {string | null} life visits with the same one, one after the other, share workers: a start is one life
 *   of a worker, that goes from group to group; null where each group has its own
 *
 * @typedef {object} Budget
 * @property {number} budgetMs for everything, starting and ending included
 * @property {() => number} elapsedMs of it
 * @property {(cells: Cell[]) => {left: string[], isTied: boolean}} verdictOf the ids of the cells of a point that one
 *   more start must have; none once all is known
 * @property {(cells: Cell[]) => string[]} leftOutOf the ids of the cells of a point that are not worth a first start
 *
 * @typedef {ReturnType<typeof createPoint>} Point
 */

/**
 * Every group once, with all of its starts.
 * @param {Cell[][]} groups @param {Settings} settings @returns {Visit[]}
 */
export const visitInTurn = (groups, settings) =>
  inSameRounds(groups).map(({ index, cells }) => ({
    index,
    cells,
    starts: startsOf(settings, cells),
    again: false,
    life: null,
  }));

/** Of a cell that is measured once: starting it, and warming it up as far as that goes. */
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
  const nothingLeft = { verdictOf: () => ({ left: [], isTied: false }), leftOutOf: () => [] };
  const points = groups.map((cells, index) =>
    createPoint(cells, index, false, { budgetMs: 0, elapsedMs, ...nothingLeft }),
  );
  for (const point of points.sort(byNeighbours))
    yield point.visit(`1 ${point.processes}`, elapsedMs() + PATIENCE * oneRoundMs(point.cells, settings));
}

/** A point that so many starts do not decide needs another machine. */
const MOST_STARTS = 25;
/** Removing keys, ending workers and the server, the report: measured, 0.3 s on a quiet machine and 0.8 s on a busy one. */
const ENDING_MS = 600;
/**
 * A first visit that starts workers and warms them takes about as long as so many that find them warm. It divides
 * the time; what one visit does not use goes to those after it.
 */
const STARTING = 4;
/** By so much of the budget all of it may take longer, for the sake of points that were never measured. */
const TOLERANCE = 0.05;

/**
 * The visits to the points of a map, in passes. In each pass every point of which something is not known gets one
 * start, and workers go from point to point: what decided points save, goes to the others. In the first pass each
 * point has its share of the time, so that all are measured once before any is measured again.
 * @param {Cell[][]} groups the points @param {Budget} given @returns {Generator<Visit>}
 */
export function* visitPoints(groups, given) {
  const budget = { ...given, budgetMs: given.budgetMs - ENDING_MS };
  const leftMs = () => budget.budgetMs - budget.elapsedMs();
  const cornersAround = cornersAmong(groups.map(([cell]) => cell));
  const points = groups
    .map((cells, index) => createPoint(cells, index, cornersAround(cells[0]).includes(cells[0]), budget))
    .sort(byNeighbours);
  const first = points.toSorted(byCorners);
  const startsWorkers = (/** @type {number} */ place) =>
    first[place].processes !== first[place - 1]?.processes;
  const weights = first.map((point, place) => point.left().length * (startsWorkers(place) ? STARTING : 1));
  const shortestMs = { starting: 0, going: 0 };
  let startingMsPerCell = 0;
  for (const [place, point] of first.entries()) {
    const kind = startsWorkers(place) ? 'starting' : 'going';
    if (shortestMs[kind] > leftMs() + TOLERANCE * given.budgetMs) return;
    const before = budget.elapsedMs();
    const share = weights[place] / weights.slice(place).reduce((sum, weight) => sum + weight, 0);
    yield point.visit(`1 ${point.processes}`, before + share * leftMs());
    shortestMs[kind] = Math.min(shortestMs[kind] || Number.POSITIVE_INFINITY, budget.elapsedMs() - before);
    if (kind === 'starting') startingMsPerCell = Math.max(startingMsPerCell, point.msPerCell());
  }
  for (let pass = 2; pass <= MOST_STARTS; pass++) {
    const taking = withinTime(points, budget);
    if (taking.length === 0) return;
    let workers = '';
    for (const point of taking) {
      const msPerCell = Math.max(point.msPerCell(), workers === point.processes ? 0 : startingMsPerCell);
      if (msPerCell * point.left().length > leftMs()) continue;
      workers = point.processes;
      yield point.visit(`${pass} ${point.processes}`, budget.budgetMs);
    }
  }
}

/**
 * Points whose workers can go from one to the other stand together, and tasks come in order: connections are added
 * to those that there are.
 * @param {Point} a @param {Point} b
 */
const byNeighbours = (a, b) => a.processes.localeCompare(b.processes) || a.tasks - b.tasks;

/** The corners tell what need not be measured between them. @param {Point} a @param {Point} b */
const byCorners = (a, b) =>
  a.processes.localeCompare(b.processes) || Number(b.isCorner) - Number(a.isCorner) || a.tasks - b.tasks;

/**
 * The points of which something is not known. If there is not time for all of them: those that lack a winner and a tie
 * before those that only lack who shares the tie, and those that need least.
 * @param {Point[]} points @param {Budget} budget
 */
function withinTime(points, { budgetMs, elapsedMs }) {
  const open = points.filter((point) => point.left().length > 0);
  let untilMs = elapsedMs();
  const affordable = open
    .toSorted((a, b) => Number(a.isTied()) - Number(b.isTied()) || costMs(a) - costMs(b))
    .filter((point) => {
      untilMs += costMs(point);
      return untilMs <= budgetMs;
    });
  return open.filter((point) => affordable.includes(point));
}

/** @param {Point} point @returns {number} what a start costs, by the one before it */
const costMs = (point) => point.msPerCell() * point.left().length;

/** @param {Cell[]} cells @param {number} index @param {boolean} isCorner @param {Budget} budget */
function createPoint(cells, index, isCorner, { elapsedMs, verdictOf, leftOutOf }) {
  const [{ tasks }] = cells;
  let starts = 0;
  let msPerCell = 0;
  let left = cells.map(({ id }) => id);
  let isTied = false;

  /** @param {number} untilMs @returns {Generator<Start>} */
  function* oneMore(untilMs) {
    const before = elapsedMs();
    starts++;
    if (starts === 1) {
      const leftOut = leftOutOf(cells);
      left = left.filter((id) => !leftOut.includes(id));
    }
    yield {
      ...{ start: starts, first: starts, last: starts, isLast: false, cells: left },
      leftMs: () => untilMs - elapsedMs(),
    };
    msPerCell = (elapsedMs() - before) / left.length;
    ({ left, isTied } = verdictOf(cells));
  }

  return {
    /** What its workers are bound to. */
    processes: processesOfGroup(cells[0]),
    cells,
    tasks,
    isCorner,
    left: () => left,
    isTied: () => isTied,
    msPerCell: () => msPerCell,
    /** @param {string} life @param {number} untilMs when it should have ended @returns {Visit} */
    visit: (life, untilMs) => ({ index, cells, starts: oneMore(untilMs), again: starts > 0, life }),
  };
}
