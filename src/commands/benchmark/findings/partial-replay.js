import { percent } from '../../../report/figures.js';
import { about } from '../judge/no-verdict.js';

/** @import { FindingFile } from './definitions.js' */

/** More than this reads as 100 %. */
const ALL = 0.995;
/** With less of a recording, figures are those of something else. */
const NEARLY_ALL = 0.9;

/**
 * Less is replayed than was recorded; `cells`: one of each recording. It changes how all else is read.
 * @satisfies {FindingFile<'partial-replay'>}
 */
export default {
  id: 'partial-replay',
  place: 'condition',

  find({ cells }) {
    const partial = cells.filter(({ chosen }) => (chosen?.workload.data?.share ?? 1) < ALL);
    const examples = [...new Map(partial.map((cell) => [cell.workload, cell])).values()];
    return examples.length === 0 ? [] : [about(examples)];
  },

  say: ({ cells }, { cell }) =>
    cells.map((id) => {
      const { title, data } = cell(id).chosen.workload;
      const share = Number(data?.share);
      const sent = `The ${title} sends ${percent(share)} of the recorded commands`;
      return share < NEARLY_ALL ? `${sent}, so the figures do not represent the service.` : `${sent}.`;
    }),
};
