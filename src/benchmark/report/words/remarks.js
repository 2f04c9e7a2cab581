import { nameSubjects } from '../../../axes/cell-names.js';
import { count } from '../../../axes/number-words.js';
import { said } from '../../../core/report/figures.js';
import { bullets, wrap } from '../../../core/report/wrap.js';
import { metricNamed } from '../../../core/store/metrics/metric-values.js';
import { textOf } from '../../../core/store/metrics/text.js';
import { alike } from '../../judge/alike.js';
import { factText } from './fact-words.js';
import { URGENT } from './warning-words.js';

/** @import { Comparison } from '../../judge/types.js' */
/** @import { CellResult, Report } from '../../../core/store/types.js' */

export const PARTIAL_NOTE = 'The benchmark ended early; these are the runs completed by then.';

/**
 * What the figures alone do not say, each once: what was skipped, what failed and what makes a run doubtful.
 * @param {CellResult[]} cells of one group
 */
export function remarksOf(cells) {
  const names = nameSubjects(cells);
  const all = [...new Set(names.values())];
  const remarks = cells.flatMap((cell) =>
    [...new Set(textsOf(cell))].map((text) => ({ text, name: `${names.get(cell.id)}` })),
  );
  return alike(remarks, ({ text }) => text).map((own) => {
    const whose = [...new Set(own.map(({ name }) => name))];
    return { text: own[0].text, who: whoText(whose, all), cells: whose.length };
  });
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

/** The first screen has room for this many cells in a line, and for this many lines. */
const [MOST_NAMED, MOST_REMARKS] = [2, 4];

/**
 * The same for the first screen: what failed or was skipped, urgent warnings, and how many there are in `all`.
 * @param {CellResult[]} cells
 */
export function remarksInShort(cells) {
  const remarks = remarksOf(cells);
  const inShort = (/** @type {typeof remarks[number]} */ { text, who, cells: whose }) =>
    `${whose > MOST_NAMED ? `${whose} cells` : who}: ${text}`;
  const warnings = remarks.filter(({ text }) => text.startsWith('warning: '));
  const failures = remarks.filter((each) => !warnings.includes(each)).map(inShort);
  const hidden = failures.length - MOST_REMARKS;
  const urgent = urgentTexts(cells);
  const more = hidden > 0 && `${count(hidden, 'more remark')} with --details`;
  return {
    failures: said([...failures.slice(0, MOST_REMARKS), more]),
    warnings: warnings.filter(({ text }) => urgent.has(text)).map(inShort),
    all: warnings.length,
  };
}

/** @param {CellResult[]} cells @returns {Set<string>} as `remarksOf` writes them */
const urgentTexts = (cells) =>
  new Set(
    cells
      .flatMap(({ runs }) => runs.flatMap(({ warningFacts = [] }) => warningFacts))
      .filter(({ kind }) => URGENT.has(kind))
      .map((fact) => `warning: ${factText(fact)}`),
  );

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

/** For formats that show next to a cell why it failed or was skipped. @param {CellResult[]} cells of one group */
const warningLines = (cells) =>
  remarksOf(cells)
    .filter(({ text }) => !/^(?:skipped|failed): /.test(text))
    .map(({ text, who }) => `${who}: ${text}`);

/**
 * Adds to a format that writes only figures what those of each group mean, and at the end what to do.
 * @param {Report} report @param {number} width @param {(cells: CellResult[]) => string[]} figuresOf the lines of one group
 */
export function renderSections({ comparisons, cells, settings, advice, partial }, width, figuresOf) {
  const groups = comparisons.flatMap((comparison) => {
    const group = cells.filter((cell) => cell.group === comparison.group);
    return [
      figuresOf(group),
      wordsOf(comparison, settings.smoke, width),
      warningLines(group).flatMap((line) => wrap(line, width)),
    ];
  });
  return `${[...groups, advice.flatMap((line) => wrap(line, width)), partial ? wrap(PARTIAL_NOTE, width) : []]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** What the figures of a group mean, and why. @param {Comparison} comparison @param {boolean} smoke @param {number} width */
export function wordsOf({ conclusion, explanation }, smoke, width) {
  if (smoke) return [];
  const reasons = explanation.flatMap((sentence) => bullets(sentence, width));
  return [...wrap(conclusion, width), ...(reasons.length > 0 ? ['Why:', ...reasons] : [])];
}
