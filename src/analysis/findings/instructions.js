import { about } from './about.js';

/** @import { CellResult, CountedStart } from '../../results/types.js' */
/** @import { Contrast, Finding, Summary } from '../types.js' */
/** @import { ContrastedGroup } from './compare-group.js' */

/** @typedef {CellResult & {summary: Summary, counted: CountedStart[]}} CountedCell */

/** Batches that differ by more make another way of working. */
const OTHERWISE = 1.25;

/** Instructions per operation, by counted starts. @param {ContrastedGroup[]} groups @returns {Finding[]} */
export const instructionsIn = (groups) =>
  groups.flatMap(({ compared, between, contrastBy }) => {
    const cells = compared
      .flatMap((cell) => (cell.counted === undefined ? [] : /** @type {CountedCell} */ (cell)))
      .sort((a, b) => perOp(a) - perOp(b));
    if (cells.length < 2) return [];
    const [fewest, ...others] = cells;
    return {
      kind: 'instructions',
      ...about(cells, fewest.group),
      source: fewest.counted[0].source,
      starts: Math.min(...cells.map(({ counted }) => counted.length)),
      fewest: { cell: fewest.id, perOp: perOp(fewest) },
      others: others.flatMap(({ id }) => {
        const contrast = contrastBy('instructionsPerOp', id, fewest.id);
        if (contrast === null) return [];
        const { ratio, low, high, differs } = contrast;
        return { cell: id, ratio, low, high, differs, inTime: inTime(between(id, fewest.id)) };
      }),
      otherwise: cells.flatMap(batchedOtherwise),
    };
  });

/** @param {CountedCell} cell */
const perOp = ({ summary }) => Number(summary.counted?.instructionsPerOp);

/** @param {Contrast | null} contrast in operations per second @returns {'slower' | 'faster' | 'open'} */
function inTime(contrast) {
  if (!contrast?.differs) return 'open';
  return contrast.ratio < 1 ? 'slower' : 'faster';
}

/** Counting slows a client down, so its commands may be batched differently. @param {CountedCell} cell */
function batchedOtherwise({ id, summary, counted }) {
  const timed = summary.server.commandsPerRead;
  const { commandsPerRead } = counted[0].counted;
  if (timed === null || commandsPerRead === null) return [];
  const isFar = Math.max(timed, commandsPerRead) > OTHERWISE * Math.min(timed, commandsPerRead);
  return isFar ? [{ cell: id, timed, counted: commandsPerRead }] : [];
}
