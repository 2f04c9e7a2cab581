import { groupBy, pairsOf } from '../../../collections.js';
import { duration, joined, spanOf } from '../../../report/figures.js';
import { contrastFamily } from '../../../statistics/contrasts.js';
import { isOfEnough, metricNamed, samplesOf } from '../../../store/metrics.js';
import { about } from '../judge/no-verdict.js';

/** @import { CellResult } from '../../../store/types.js' */
/** @import { FindingFile } from './definitions.js' */

const P99 = metricNamed('p99Us');

/**
 * Which cells have the lowest p99 at a rate that all of them sustained: all groups as one family.
 * @satisfies {FindingFile<'lowest-p99'>}
 */
export default {
  id: 'lowest-p99',
  place: 'cause',

  find({ cells }) {
    const rivals = rivalsIn(cells);
    const contrasts = contrastFamily(
      rivals.map((members) => ({ pairs: pairsOf(members), of: (cell) => samplesOf(cell.runs, P99) })),
    );
    return rivals.map((members, index) => {
      const { between } = contrasts[index];
      const differ = (/** @type {CellResult} */ a, /** @type {CellResult} */ b) => between(a, b)?.differs;
      const [lowest, ...others] = members;
      const higher = others.filter((cell) => differ(lowest, cell));
      const lower = members.filter(
        (cell) => higher.length > 0 && !higher.includes(cell) && higher.every((other) => differ(cell, other)),
      );
      return {
        ...about(members, lowest.group),
        figures: members.map((cell) => ({ cell: cell.id, p99Us: p99Of(cell) })),
        lower: lower.map(({ id }) => id),
        higher: higher.map(({ id }) => id),
        notCompared: others.filter((cell) => between(lowest, cell) === null).map(({ id }) => id),
      };
    });
  },

  say({ figures, lower, higher, notCompared }, { name }) {
    const range = spanOf(duration, figures, ({ p99Us }) => p99Us);
    if (notCompared.length === figures.length - 1)
      return `One start of each does not decide which p99 is lower (${range}): use --starts 4.`;
    const but = notCompared.length === 0 ? '' : `; not compared: ${joined(notCompared.map(name))}`;
    if (lower.length === 0) return `No significant difference in p99 (${range})${but}.`;
    const textOf = (/** @type {string} */ id) =>
      `${name(id)} (${duration(Number(figures.find(({ cell }) => cell === id)?.p99Us))})`;
    return `Significantly lower p99: ${textOf(lower[0])} than ${textOf(higher[0])}.`;
  },
};

/** At a rate that was not sustained a latency mostly shows how long the run was. @param {CellResult[]} cells */
function rivalsIn(cells) {
  const held = cells.filter(({ fault, openLoop, summary }) => {
    if (fault !== undefined || openLoop?.search) return false;
    return summary?.openLoop?.held && summary.latency && isOfEnough(P99, summary) && !summary.tooShort;
  });
  return groupBy(held, ({ group }) => group)
    .filter((members) => members.length > 1)
    .map((members) => members.toSorted((a, b) => p99Of(a) - p99Of(b)));
}

/** @param {CellResult} cell */
const p99Of = ({ summary }) => Number(summary?.openLoop?.p99Us);
