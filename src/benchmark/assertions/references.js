import { axesOf } from '../../axes/all-axes.js';
import { naming, UsageError } from '../../core/errors.js';
import { METRICS } from '../../core/store/fields.js';
import { hasInterval, metricNamed } from '../../core/store/metrics.js';
import { figuresOf, parseAssertion } from './parse.js';

/** @import { Cell } from '../../core/plan/types.js' */

/**
 * Finds the one cell with all these parts.
 * @template {Cell} Found @param {string} name such as `pool`, `redis:tuned/pool` or `redis, shared connection`
 * @param {Found[]} cells @returns {Found} @throws {UsageError} if there is none, or more than one
 */
export function findCell(name, cells) {
  const found = cellsNamed(name, cells);
  const running = found.filter((cell) => cell.skipped === null);
  if (running.length === 1) return running[0];
  if (running.length > 1) {
    throw new UsageError(
      `'${name}' is the name of ${running.length} cells; name more of their parts: ${listed(running)}`,
    );
  }
  if (found.length > 0) {
    const { reason } = /** @type {Cell & {reason?: string}} */ (found[0]);
    throw new UsageError(`the cell '${name}' is skipped${reason === undefined ? '' : `: ${reason}`}`);
  }
  throw new UsageError(`no cell has the name '${name}'; there are ${listed(cells)}`);
}

/** @template {Cell} Found @param {string} name @param {Found[]} cells @returns {Found[]} those with all the parts named */
export function cellsNamed(name, cells) {
  const wanted = name.split(/[/,]/).map(asWritten);
  return cells.filter((cell) => {
    const parts = partsOf(cell);
    return wanted.every((part) => parts.includes(part));
  });
}

/** The parts of its id (of `mix:get=1` also `mix`), and its axes as rows and titles name them. @param {Cell} cell */
function partsOf(cell) {
  const [client, ...others] = cell.id.split('/');
  const axes = axesOf([cell]);
  const names = axes.flatMap((axis) => {
    if (axis.aliases) return axis.aliases(cell);
    // What follows the name of another axis, such as the 3 of a pool, is no name by itself.
    return axis.rowGlue === undefined ? axis.row(cell) : [];
  });
  return [client, ...others.flatMap(beginnings), ...names.map(asWritten)];
}

/** @param {string} part @returns {string[]} with all, and with fewer of its words */
function beginnings(part) {
  const words = asWritten(part).split(':');
  return words.map((_, index) => words.slice(0, index + 1).join(':'));
}

/** Blanks may be written as in a table or as in an id. @param {string} text */
const asWritten = (text) => text.trim().replaceAll(/\s+/g, '-');

const LISTED = 12;

/** @param {Cell[]} cells */
const listed = (cells) =>
  cells
    .slice(0, LISTED)
    .map(({ id }) => id)
    .concat(cells.length > LISTED ? [`${cells.length - LISTED} more`] : [])
    .join(', ');

/**
 * Checks before a benchmark that its assertions can be decided.
 * @param {string[]} assertions @param {boolean} strict @param {Cell[]} cells of the plan
 * @throws {UsageError}
 */
export function checkReferences(assertions, strict, cells) {
  for (const text of assertions) {
    naming('--assert', () => {
      const figures = figuresOf(parseAssertion(text));
      for (const { cell = '' } of figures) findCell(cell, cells);
      const without = figures.find(({ metric = '' }) => !hasInterval(metricNamed(metric)));
      if (!strict || without === undefined) return;
      const names = METRICS.filter(hasInterval).map(({ id }) => id);
      throw new UsageError(
        `--assert-strict needs intervals, which '${without.metric}' has not; use one of ${names.join(', ')}`,
      );
    });
  }
}
