import { nameSubjects } from '../../../../axes/cell-names.js';
import { groupBy } from '../../../../collections.js';
import { count } from '../../../../numbers.js';
import { factText, URGENT } from '../../../../report/fact-words.js';
import { said } from '../../../../report/figures.js';
import { gridLines } from '../../../../report/grid.js';
import { wrap } from '../../../../report/wrap.js';
import { metricNamed, textOf } from '../../../../store/metrics.js';
import { choicesGrid } from '../tables/choices-grid.js';
import { sentencesAt } from './findings.js';

/** @import { Remark } from '../../../../report/types.js' */
/** @import { CellResult, Report } from '../../../../store/types.js' */

export const PARTIAL_NOTE = 'The benchmark ended early; these are the runs completed by then.';

/** The first screen has room for this many cells in a line. */
const MOST_NAMED = 2;

/**
 * What the figures alone do not say, each once: what failed, what spoils all figures, and what else makes a run doubtful.
 * @param {CellResult[]} cells @returns {Remark[]} in this order
 */
export function remarksOf(cells) {
  const names = nameSubjects(cells);
  const all = [...new Set(names.values())];
  const facts = cells.flatMap(({ runs }) => runs.flatMap(({ warningFacts = [] }) => warningFacts));
  const urgent = new Set(
    facts.flatMap((fact) => (URGENT.has(fact.kind) ? `warning: ${factText(fact)}` : [])),
  );
  const remarks = cells.flatMap((cell) => {
    const texts = [...new Set(textsOf(cell))];
    const first = texts.find(isFailure);
    return texts.map((text) => ({ text, name: `${names.get(cell.id)}`, isFirst: text === first }));
  });
  return groupBy(remarks, ({ text }) => text)
    .map((own) => {
      const [{ text }] = own;
      const whose = [...new Set(own.map(({ name }) => name))];
      const who = whoText(whose, all);
      /** @type {Remark['above']} */
      const above = own.some(({ isFirst }) => isFirst)
        ? 'failed'
        : urgent.has(text) && whose.length === all.length
          ? 'spoils'
          : undefined;
      // Why a cell failed is said once in short, however many of its runs did.
      if (above === undefined && (isFailure(text) || (text.startsWith('warning: ') && !urgent.has(text))))
        return { text, who };
      const shortly = whose.length > MOST_NAMED ? `${whose.length} cells` : who;
      return { text, who, cells: whose.length, ...(above && { above }), inShort: `${shortly}: ${text}` };
    })
    .toSorted((one, other) => orderOf(one) - orderOf(other));
}

/** @param {string} text */
const isFailure = (text) => text.startsWith('failed: ');

/** @param {Remark} remark */
function orderOf({ above, inShort, text }) {
  if (above !== undefined) return above === 'failed' ? 0 : 1;
  if (inShort !== undefined) return text.startsWith('warning: ') ? 2 : 3;
  return isFailure(text) ? 4 : 5;
}

/** @param {CellResult} cell @returns {string[]} */
const textsOf = (cell) =>
  said([
    cell.skipped !== null && `skipped: ${factText(cell.skipped)}`,
    cell.summary?.tooShort === true &&
      `its runs took ${textOf(metricNamed('elapsedMs'), cell.summary.elapsedMs)}, too short to compare: something slowed down the warm-up that set their length; run it again`,
    answersOf(cell),
    ...cell.runs.flatMap(({ failed, warnings }) => [
      failed !== null && `failed: ${failed}`,
      ...warnings.map((warning) => `warning: ${warning}`),
    ]),
  ]);

/** Fewer than these are named one by one. */
const MANY = 4;

/** `all cells`, or `all cells but redis, pool of 3`, if the list would name nearly all. @param {string[]} whose @param {string[]} all */
function whoText(whose, all) {
  const others = all.filter((name) => !whose.includes(name));
  if (whose.length < 2 || (others.length > 0 && whose.length < MANY)) return whose.join('; ');
  if (others.length === 0) return 'all cells';
  return others.length <= whose.length / 3 ? `all cells but ${others.join('; ')}` : whose.join('; ');
}

/** @param {CellResult} cell @returns {string | null} the replies to EXISTS; an open loop has them in its table */
function answersOf({ summary, openLoop }) {
  if (openLoop !== null || !summary?.answers) return null;
  const { answers } = summary;
  // If all cells have the same remark, it is printed once.
  if (answers.false === 0) return 'every EXISTS returned true';
  return `EXISTS returned true ${count(answers.true, 'time')}, false ${count(answers.false, 'time')}`;
}

/**
 * Adds to a format that writes only figures what makes those of each group doubtful, and at the end what to choose.
 * @param {Report} report @param {number} width @param {(cells: CellResult[]) => string[]} figuresOf the lines of one group
 */
export function renderSections(report, width, figuresOf) {
  const { comparisons, cells, choices, partial } = report;
  const groups = comparisons.flatMap((comparison) => {
    const group = cells.filter((cell) => cell.group === comparison.group);
    // These formats show next to a cell why it failed or was skipped.
    const remarks = remarksOf(group).filter(({ text }) => !/^(?:skipped|failed): /.test(text));
    return [figuresOf(group), remarks.flatMap(({ text, who }) => wrap(`${who}: ${text}`, width))];
  });
  const rows = choices.length > 0 ? gridLines(choicesGrid(choices), { width }) : [];
  const sentences = sentencesAt(report, 'choose').flatMap((text) => wrap(text, width));
  return `${[...groups, rows, sentences, partial ? wrap(PARTIAL_NOTE, width) : []]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}
