import { sameBut } from '../../../axes/all-axes.js';
import { groupBy, mustGet } from '../../../collections.js';
import { times } from '../../../report/figures.js';
import { inverse } from '../../../statistics/contrasts.js';
import { codeDifference } from '../judge/code-costs.js';
import { mainPartText } from './code-words.js';

/** @import { CellResult } from '../../../store/types.js' */
/** @import { Contrast } from '../../../statistics/contrasts.js' */
/** @import { VersionEntry, VersionSeries } from '../judge/types.js' */
/** @import { FindingFile } from './definitions.js' */

/**
 * Between which releases of a client, or of Node, its CPU per operation changed most.
 * @satisfies {FindingFile<'version-change'>}
 */
export default {
  id: 'version-change',
  place: 'choose',

  find: ({ groups }) =>
    groups.flatMap(({ cells, comparison: { versions } }) =>
      // Series that differ only in the client's options tell the same: the first is enough.
      groupBy(
        versions,
        ({ axis, entries: [first] }) => `${axis} ${sameBut([axis, 'variant'], cells)(cellOf(first, cells))}`,
      ).flatMap(([series]) => changeIn(series, cells)),
    ),

  say({ from, to, ratio, code }, { name }) {
    const where = code === undefined ? null : mainPartText(code);
    return `${name(to)} uses ${times(ratio)} as much client CPU per operation as ${name(from)}${where === null ? '' : `: ${where}`}.`;
  },
};

/** @param {VersionSeries} series @param {CellResult[]} cells of its group */
function changeIn({ axis, entries }, cells) {
  const step = largestChange(entries);
  if (step === null) return [];
  const [from, to] = [step.before.cell, step.after.cell];
  const { ratio, low, high } = step.contrast;
  const code = codeDifference(cellOf(step.after, cells), cellOf(step.before, cells));
  const { group } = cells[0];
  return [{ group, cells: [from, to], axis, from, to, ratio, low, high, ...(code && { code }) }];
}

/** @type {(entry: VersionEntry, cells: CellResult[]) => CellResult} */
const cellOf = (entry, cells) => mustGet(new Map(cells.map((cell) => [cell.id, cell])), entry.cell);

/** @typedef {{before: VersionEntry, after: VersionEntry, contrast: Contrast}} Step the contrast is that of the later one */

/** Between neighbours; else to the newest, because small steps may add up. @type {(entries: VersionEntry[]) => Step | null} */
function largestChange(entries) {
  const newest = entries[entries.length - 1];
  const steps = entries.flatMap((after, index) => {
    const contrast = after.cpuUsPerOp.toPrevious;
    return contrast?.differs ? [{ before: entries[index - 1], after, contrast }] : [];
  });
  const ways = entries.flatMap((before) => {
    const contrast = before.cpuUsPerOp.toNewest;
    return contrast?.differs ? [{ before, after: newest, contrast: inverse(contrast) }] : [];
  });
  // The same for twice and for half.
  const sizeOf = (/** @type {Step} */ { contrast: { ratio } }) => Math.abs(Math.log(ratio));
  const [largest = null] = (steps.length > 0 ? steps : ways).sort((a, b) => sizeOf(b) - sizeOf(a));
  return largest;
}
