import { conditionsOf, nameChoices } from '../../../axes/cell-names.js';
import { count } from '../../../axes/number-words.js';
import { joined, percent, times } from '../../../core/report/figures.js';
import { NO_TIE } from '../../findings/group-findings.js';
import { alike } from '../../judge/alike.js';
import { variationText } from './certainty-words.js';

/** @import { Finding } from '../../judge/types.js' */
/** @import { Context, Words } from './findings.js' */

/** @template {string} Reason @typedef {Extract<Finding & {kind: 'no-conclusion'}, {reason: Reason}>} Of */

const MORE = 'To see smaller differences use more --runs, or --until-stable 2.';

/** Why nothing is recommended. @type {{[Reason in Of<string>['reason']]: (finding: Of<Reason>, context: Context) => string}} */
const REASONS = {
  smoke: () => 'A smoke run only shows that everything works; it is too short to compare anything.',
  'no-result': ({ group }, context) =>
    coldText(group, context) ??
    `No cell ${group === null ? '' : 'of this group '}has a result that can be compared.`,
  'nothing-to-compare': ({ group }, context) =>
    coldText(group, context) ?? 'Nothing to compare: no group has two comparable cells.',
  'single-runs': ({ cells }, context) =>
    `${fastestText(cells, context)}. One run does not show which differences another start would repeat, how large they are, or why. Use --runs 5 or more.`,
  'ahead-though-cold': ({ cells }, context) => aheadText(cells, context),
  'no-single-best': ({ cells }, context) =>
    `No choice is best everywhere. The highest medians are those of ${joined(wherePlaced(cells, context))}; see the grid.`,
  'no-choice-differs': (_, { measured }) =>
    `No single choice made a significant difference: cells that differ do so in several choices at once${new Set(measured.map(({ pin }) => pin)).size > 1 ? ', or in --pin' : ''}. See the tables.`,
  'copies-differ': ({ mostTimes }) =>
    `Copies of the same cell differ by up to ${times(mostTimes)}, so differences of that size mean nothing on this machine.`,
  'no-difference': (finding) =>
    `No difference that this machine can detect: choose for other reasons. ${noiseText(finding)}${MORE}`,
  'too-noisy': (finding) =>
    `${tooNoisyText(finding)} ${noiseText(finding)}Use more --runs, a longer --run-time, or a quieter machine.`,
};

/** @param {Of<any>} finding @param {Context} context @returns {string} */
const reasonText = (finding, context) => /** @type {any} */ (REASONS)[finding.reason](finding, context);

/** @satisfies {Words} */
export const SILENT_WORDS = {
  'no-conclusion': {
    advice: (finding, context) => (finding.group === null ? reasonText(finding, context) : []),
    conclusion: reasonText,
  },
};

/** @param {string | null} group @param {Context} context @returns {string | null} null where all were warm */
function coldText(group, { measured }) {
  const cells = group === null ? measured : measured.filter((cell) => cell.group === group);
  const cold = cells.filter(({ warm }) => warm === false).length;
  return cold === 0
    ? null
    : `Nothing to compare: ${cold} of ${count(cells.length, 'cell')} ${cold === 1 ? 'was' : 'were'} still warming up when timed. ${WARMER}`;
}

const WARMER = 'Use more --warmup-runs, a longer --budget, or a quieter machine.';

/** More conditions are counted. */
const MOST_NAMED = 2;

/** @param {string[]} cells ids of the fastest of each group, or of one @param {Context} context */
function fastestText(cells, context) {
  const { measured } = context;
  const which = measured.some(({ warm }) => warm === false) ? ' of the warm cells' : '';
  const names =
    cells.length === 1 ? `"${nameChoices(measured).get(cells[0])}"` : joined(wherePlaced(cells, context));
  return `Fastest${which} after one run each: ${names}`;
}

/** @param {string[]} cells ids @param {Context} context */
function aheadText(cells, { name }) {
  const who = cells.length > MOST_NAMED ? `${cells.length} cells` : joined(cells.map(name));
  return `The fastest is not known: ${who} ${cells.length === 1 ? 'was' : 'were'} far ahead of all others, and not yet warm. ${WARMER}`;
}

/** @param {string[]} cells ids of the fastest of each group @param {Context} context @returns {string[]} and where they are */
function wherePlaced(cells, { cell, measured }) {
  const names = nameChoices(measured);
  return alike(cells, (id) => names.get(id)).map((own) => {
    const where = own.map((id) => conditionsOf(cell(id), measured));
    return `"${names.get(own[0])}" (${where.length > MOST_NAMED ? `in ${where.length} groups` : where.join('; ')})`;
  });
}

/** Fewer runs show only the largest differences, even on a quiet machine. */
const FEW_RUNS = 5;

/** @param {Of<'too-noisy'> | Of<'no-difference'>} finding @returns {string} nothing where the control shows how large the noise is */
const noiseText = (finding) => (finding.tellsApart === undefined ? `${variationText(finding)} ` : '');

/** @param {Of<'too-noisy'>} finding */
function tooNoisyText({ mostRuns, widestReachShare, farthestApartTimes, tellsApart }) {
  // The control's noise is printed below; intervals of medians are wider where rounds drift.
  const hasControl = tellsApart !== undefined;
  const [why, runs] =
    mostRuns < FEW_RUNS
      ? ['Too few runs to decide', `${mostRuns} runs`]
      : ['Too noisy to decide', `${mostRuns} runs this noisy`];
  const known = `after ${mostRuns} runs each is known only to ± ${percent(widestReachShare)}.`;
  if (farthestApartTimes < NO_TIE)
    return `${why}: medians are close, but ${hasControl || widestReachShare < NO_TIE - 1 ? `${runs} do not show that the cells are equal.` : known}`;
  const apart = `${why}: cells look up to ${times(farthestApartTimes)} apart`;
  return `${apart}, but ${hasControl || farthestApartTimes - 1 > widestReachShare ? `with ${runs} that may be chance.` : known}`;
}
