import { count } from '../../axes/number-words.js';
import { tenths } from '../../metrics/text.js';
import { percent, times, whole } from './figures.js';

/** @import { Context, Of, Words } from './findings.js' */

/** @typedef {Of<'instructions'>} Instructions */

/** Whether a difference in instructions shows in time. */
const IN_TIME = {
  slower: 'it is slower too',
  faster: 'it is faster all the same',
  open: 'in time, no difference was shown',
};

/** What cells execute, which is not what they take. @satisfies {Words} */
export const INSTRUCTION_WORDS = {
  instructions: {
    outcome: (finding, context) => otherTexts(finding, context).slice(0, MOST_ON_FIRST_SCREEN),
    explanation: (finding, context) => [
      sourceText(finding, context),
      ...otherTexts(finding, context),
      ...finding.otherwise.map(
        ({ cell, timed, counted }) =>
          `While ${context.name(cell)} was counted, the server read ${tenths(counted)} commands at a time instead of ${tenths(timed)}: its instructions are those of such batches.`,
      ),
    ],
  },
};

const MOST_ON_FIRST_SCREEN = 2;

/** @param {Instructions} finding @param {Context} context */
const sourceText = ({ source, starts, fewest: { cell, perOp } }, { name }) =>
  `Counted by ${SOURCES[source]} in ${count(starts, 'start')} of their own: ${name(cell)} executes fewest instructions, ${whole(perOp)} per operation.`;

/** @type {Record<Instructions['source'], string>} */
const SOURCES = { perf: "the processor's counters", valgrind: 'valgrind' };

/** @param {Instructions} finding @param {Context} context */
function otherTexts({ fewest, others, starts }, { name }) {
  if (others.length === 0)
    return [`Instructions were counted in ${count(starts, 'start')}: too few to compare.`];
  return others.map(({ cell, ratio, low, high, differs, inTime }) => {
    const [one, other] = [name(cell), name(fewest.cell)];
    return differs
      ? `${one} executes ${times(ratio)} the instructions per operation of ${other} (±${percent(Math.sqrt(high / low) - 1)}); ${IN_TIME[inTime]}.`
      : `No difference was shown between the instructions per operation of ${one} and ${other} (${times(low)} to ${times(high)}).`;
  });
}
