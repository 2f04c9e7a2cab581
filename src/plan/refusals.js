import { dimensionsOf } from '../axes/dimensions.js';
import { UsageError } from '../errors.js';
import { choicesOf } from '../options/plugin-names.js';
import { batchSizeOf } from './loads.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Cell } from './types.js' */
/** @import { Catalogue } from '../plugins/types.js' */

/** Smaller batches than the cell's name says are refused. @param {Settings} settings @param {Catalogue} catalogue */
export function checkBatches(settings, catalogue) {
  const { iterations, smoke } = settings;
  if (typeof iterations !== 'number' || smoke) return;
  for (const [name, mode] of choicesOf(settings, catalogue).pipelining) {
    const size = batchSizeOf(mode, catalogue) ?? 1;
    if (size > iterations) {
      throw new UsageError(
        `--iterations ${iterations} never fills a batch of ${name}; expected at least ${size} iterations, or smaller batches`,
      );
    }
  }
}

/** A start of a cell: process, warm-up, run. Less than any map needs: with 15 cells at a point, 1.2 s was measured. */
const START_MS = 500;
/** Rows, columns, and several maps. */
const CONDITIONS = { fewest: 2, most: 3 };

/** @param {Cell[][]} groups @param {number} [budgetMs] @throws {UsageError} */
export function checkMapPlan(groups, budgetMs = Number.POSITIVE_INFINITY) {
  const cells = groups.flat();
  const dimensions = dimensionsOf(cells);
  const found = dimensions.map(
    ({ axis, examples }) => `${examples.map((cell) => axis.row(cell)).join(', ')}`,
  );
  if (dimensions.length < CONDITIONS.fewest) {
    throw new UsageError(
      `a map needs two conditions with several values each, but there is ${found.length === 0 ? 'none' : `one (${found[0]})`}; give more, as in --tasks 1,8,64 --rtt 0,2ms`,
    );
  }
  if (dimensions.length > CONDITIONS.most) {
    throw new UsageError(
      `a map takes two conditions with several values each, or three for several maps, but there are ${dimensions.length} (${found.join('; ')}); give one value to some of them`,
    );
  }
  if (groups.every((group) => group.length < 2)) {
    throw new UsageError('a map compares choices, but there is only one; give more --clients or --scenarios');
  }
  const onceMs = START_MS * cells.length;
  if (onceMs <= budgetMs) return;
  const fits = Math.floor((budgetMs / onceMs) * groups.length);
  throw new UsageError(
    `--budget: expected about ${seconds(onceMs)} at least, to start each of ${cells.length} cells at ${groups.length} points once, got ${seconds(budgetMs)}, which is enough for ${fits === 1 ? '1 point' : `${fits} points`} with as many choices; give fewer values, --clients or --scenarios, or more time`,
  );
}

/** @param {number} ms @returns {string} in a form that the option takes */
const seconds = (ms) => `${Math.ceil(ms / 1000)}s`;
