/** @import { Cell, Start } from './types.js' */

/**
 * @typedef {object} Visit a group of cells, and the starts that it gets now
 * @property {number} index of the group in the plan
 * @property {Cell[]} cells
 * @property {Iterable<Start>} starts each is asked for when the one before it has been measured
 * @property {boolean} again whether the group was measured before
 *
 * @typedef {object} Budget
 * @property {number} budgetMs
 * @property {() => number} elapsedMs since the first visit
 * @property {(cells: Cell[]) => string[]} leftOf the ids of the cells of a point that one more start must have for
 *   its decision; empty once it is decided
 */

/** A point that so many starts do not decide needs another machine. */
const MOST_STARTS = 25;

/**
 * The visits to the points of a map. Each is measured until it is decided, or has had its share of the time;
 * what the decided ones leave of theirs goes to the others.
 *
 * @param {Cell[][]} groups the points
 * @param {Budget} budget
 * @returns {Generator<Visit>}
 */
export function* visitPoints(groups, budget) {
  const points = groups.map((cells, index) => createPoint(cells, index, budget));
  const shareOf = (/** @type {number} */ sharers) =>
    budget.elapsedMs() + (budget.budgetMs - budget.elapsedMs()) / sharers;
  for (const [place, point] of points.entries()) {
    const costs = points.slice(0, place).map(({ firstMs }) => firstMs());
    if (budget.elapsedMs() + Math.max(0, ...costs) > budget.budgetMs) return;
    yield point.visit(shareOf(points.length - place));
  }
  for (;;) {
    const open = points
      .filter((point) => point.mayGoOn(budget.budgetMs))
      .sort((a, b) => a.left().length - b.left().length);
    if (open.length === 0) return;
    for (const [place, point] of open.entries()) {
      // At least one start: in the end a share is shorter than that.
      const untilMs = Math.max(shareOf(open.length - place), budget.elapsedMs() + point.costMs());
      if (point.mayGoOn(budget.budgetMs)) yield point.visit(Math.min(budget.budgetMs, untilMs));
    }
  }
}

/**
 * @param {Cell[]} cells
 * @param {number} index
 * @param {Budget} budget
 */
function createPoint(cells, index, { elapsedMs, leftOf }) {
  let starts = 0;
  let msPerCell = 0;
  let firstMs = 0;
  const left = () => (starts === 0 ? cells.map(({ id }) => id) : leftOf(cells));
  const costMs = () => msPerCell * (starts === 0 ? cells.length : left().length);
  const mayGoOn = (/** @type {number} */ untilMs) =>
    starts < MOST_STARTS && left().length > 0 && elapsedMs() + costMs() <= untilMs;

  /** @param {number} untilMs @returns {Generator<Start>} */
  function* startsUntil(untilMs) {
    while (mayGoOn(untilMs)) {
      const taking = left();
      const before = elapsedMs();
      starts++;
      yield { start: starts, first: starts, last: starts, isLast: false, cells: taking };
      const tookMs = elapsedMs() - before;
      msPerCell = tookMs / taking.length;
      firstMs ||= tookMs;
    }
  }

  return {
    left,
    /** What its first start took. */
    firstMs: () => firstMs,
    /** What a start costs, by the one before it; 0 where nothing is known. */
    costMs,
    mayGoOn,
    /** @param {number} untilMs @returns {Visit} */
    visit: (untilMs) => ({ index, cells, starts: startsUntil(untilMs), again: starts > 0 }),
  };
}
