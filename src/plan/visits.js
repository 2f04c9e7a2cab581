import { cornersAmong } from '../axes/corners.js';
import { processesOfGroup } from './worker-bonds.js';

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
 * @property {number} budgetMs
 * @property {() => number} elapsedMs since the first visit
 * @property {(cells: Cell[]) => {left: string[], isTied: boolean}} verdictOf the ids of the cells of a point that one
 *   more start must have; none once all is known
 * @property {(cells: Cell[]) => string[]} leftOutOf the ids of the cells of a point that are not worth a first start
 *
 * @typedef {ReturnType<typeof createPoint>} Point
 */

/** A point that so many starts do not decide needs another machine. */
const MOST_STARTS = 25;

/**
 * The visits to the points of a map, in passes. In each pass every point of which something is not known gets one
 * start, and workers go from point to point: what decided points save, goes to the others.
 *
 * @param {Cell[][]} groups the points
 * @param {Budget} budget
 * @returns {Generator<Visit>}
 */
export function* visitPoints(groups, budget) {
  const cornersAround = cornersAmong(groups.map(([cell]) => cell));
  const points = groups
    .map((cells, index) => createPoint(cells, index, cornersAround(cells[0]).includes(cells[0]), budget))
    .sort(byNeighbours);
  const isOver = (/** @type {number} */ costMs) => budget.elapsedMs() + costMs > budget.budgetMs;
  // Where workers are started, a visit takes longer.
  const longestMs = { first: 0, later: 0 };
  let workers = '';
  for (const point of points.toSorted(byCorners)) {
    const kind = workers === point.processes ? 'later' : 'first';
    workers = point.processes;
    if (isOver(longestMs[kind])) return;
    const before = budget.elapsedMs();
    yield point.visit(`1 ${point.processes}`);
    longestMs[kind] = Math.max(longestMs[kind], budget.elapsedMs() - before);
  }
  for (let pass = 2; pass <= MOST_STARTS; pass++) {
    const taking = withinTime(points, budget);
    if (taking.length === 0) return;
    for (const point of taking) if (!isOver(point.costMs())) yield point.visit(`${pass} ${point.processes}`);
  }
}

/**
 * Points whose workers can go from one to the other stand together, and tasks come in order: connections are added
 * to those that there are.
 *
 * @param {Point} a
 * @param {Point} b
 */
const byNeighbours = (a, b) => a.processes.localeCompare(b.processes) || a.tasks - b.tasks;

/**
 * The corners come first: by them it is known what need not be measured between them.
 *
 * @param {Point} a
 * @param {Point} b
 */
const byCorners = (a, b) =>
  a.processes.localeCompare(b.processes) || Number(b.isCorner) - Number(a.isCorner) || a.tasks - b.tasks;

/**
 * The points of which something is not known. If there is not time for all of them: those that lack a winner and a tie
 * before those that only lack who shares the tie, and those that need least.
 *
 * @param {Point[]} points
 * @param {Budget} budget
 */
function withinTime(points, { budgetMs, elapsedMs }) {
  const open = points.filter((point) => point.left().length > 0);
  let untilMs = elapsedMs();
  const affordable = open
    .toSorted((a, b) => Number(a.isTied()) - Number(b.isTied()) || a.costMs() - b.costMs())
    .filter((point) => {
      untilMs += point.costMs();
      return untilMs <= budgetMs;
    });
  return open.filter((point) => affordable.includes(point));
}

/**
 * @param {Cell[]} cells
 * @param {number} index
 * @param {boolean} isCorner
 * @param {Budget} budget
 */
function createPoint(cells, index, isCorner, { elapsedMs, verdictOf, leftOutOf }) {
  const [{ tasks }] = cells;
  let starts = 0;
  let msPerCell = 0;
  let left = cells.map(({ id }) => id);
  let isTied = false;

  /** @returns {Generator<Start>} */
  function* oneMore() {
    const before = elapsedMs();
    starts++;
    if (starts === 1) {
      const leftOut = leftOutOf(cells);
      left = left.filter((id) => !leftOut.includes(id));
    }
    yield { start: starts, first: starts, last: starts, isLast: false, cells: left };
    msPerCell = (elapsedMs() - before) / left.length;
    ({ left, isTied } = verdictOf(cells));
  }

  return {
    /** What its workers are bound to. */
    processes: processesOfGroup(cells[0]),
    tasks,
    isCorner,
    left: () => left,
    isTied: () => isTied,
    /** What a start costs, by the one before it. */
    costMs: () => msPerCell * left.length,
    /** @param {string} life @returns {Visit} */
    visit: (life) => ({ index, cells, starts: oneMore(), again: starts > 0, life }),
  };
}
