import { percent } from './figures.js';

/**
 * @import { WarningFinding } from '../../analysis/types.js'
 * @import { Words } from './findings.js'
 */

/** @template {WarningFinding['kind']} Kind @typedef {Extract<WarningFinding, {kind: Kind}>} Of */

/** What makes figures doubtful. @satisfies {Record<string, Words>} */
export const WARNING_WORDS = {
  'few-runs': {
    warnings: (/** @type {Of<'few-runs'>[]} */ [{ runs }]) => [
      `${runs === 1 ? 'one run of each cell is not enough' : `${runs} runs of each cell are few`}: intervals are wide and small differences cannot be seen; use --runs 5 or more (6 for a 95 % interval)`,
    ],
  },
  unstable: {
    warnings: (/** @type {Of<'unstable'>[]} */ all, { name }) => {
      const cells = all.flatMap(({ reaches }) =>
        reaches.map(
          (each) =>
            `${name(each.cell)} ${each.percent === null ? 'too few runs' : `± ${percent(each.percent / 100)}`}`,
        ),
      );
      return [
        `not stable within ${all[0].limitPercent} %: ${cells.join(', ')}; use more --max-runs, or a longer --run-time`,
      ];
    },
  },
};
