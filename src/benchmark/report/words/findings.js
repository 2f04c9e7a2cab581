import { nameCells } from '../../../axes/cell-names.js';
import { FAULT_WORDS } from '../../../break/fault-words.js';
import { COLD_WORDS } from '../../../cold/cold-words.js';
import { sentencesOf } from '../../findings/all.js';
import { mainCauses } from '../../findings/slower.js';
import { alike } from '../../judge/alike.js';
import { CERTAINTY_WORDS, testText } from './certainty-words.js';
import { CONDITION_WORDS } from './condition-words.js';
import { factText } from './fact-words.js';
import { RECOMMENDATION_WORDS } from './recommendation-words.js';

/** @import { Comparison, Finding, GroupComparison } from '../../judge/types.js' */
/** @import { CellResult, Report, ReportData } from '../../../core/store/types.js' */

/**
 * What the words of a finding are made from.
 * @typedef {object} Context
 * @property {Report['settings']} settings
 * @property {CellResult[]} measured cells with a result
 * @property {Report['servers']} servers
 * @property {(id: string) => CellResult} cell
 * @property {(id: string) => string} name a cell's name in its group, in quotes
 */

/**
 * Where sentences stand. On the first screen: `advice`, what to do and what it brings; `sure`, how sure that is, without
 * tests and p; `conditions`; `outcome`, the main causes below the table of a group; `next`, what to ask next. In the
 * details: `details` of those, `conclusion` and `explanation` of a group. `warnings` go to stderr.
 * @typedef {'advice' | 'sure' | 'conditions' | 'outcome' | 'next' | 'details' | 'conclusion' | 'explanation' | 'warnings'} Place
 * @typedef {{[Kind in Finding['kind']]?: Partial<Record<Place, Told<Of<Kind>>>>}} Words
 */

/** @template {Finding['kind']} Kind @typedef {Extract<Finding, {kind: Kind}>} Of a finding of one kind */
/**
 * @template Each
 * @typedef {((finding: Each, context: Context) => string | string[]) | {all: (findings: Each[], context: Context) => string[]}} Told each by itself, or all findings of a kind together
 */

/**
 * The words of every kind of finding, in the order in which they are printed.
 * @type {Partial<Record<Finding['kind'], Partial<Record<Place, Told<any>>>>>}
 */
export const WORDS = {
  ...FAULT_WORDS,
  ...COLD_WORDS,
  ...RECOMMENDATION_WORDS,
  ...CERTAINTY_WORDS,
  ...CONDITION_WORDS,
};

/** @param {ReportData} data @returns {Report} with the sentences for its findings */
export function withWords(data) {
  const context = contextOf(data);
  const ofAll = data.findings.filter(({ group }) => group === null);
  const overall = data.findings.filter(
    ({ group, kind }) => group === null || WORDS[kind]?.advice || WORDS[kind]?.sure,
  );
  // Cells of several groups may share the names that they have in these.
  const amongAll = { ...context, name: nameAmong(data.cells) };
  const texts = (/** @type {Place} */ place) => tell(overall, place, amongAll);
  return {
    ...data,
    cells: data.cells.map(cellWithWords),
    comparisons: data.comparisons.map((comparison) => comparisonWithWords(comparison, data, context)),
    advice: [
      ...texts('advice'),
      ...sentencesOf(data.findings, 'choose', amongAll),
      ...texts('sure'),
      ...sentencesOf(data.findings, 'condition', amongAll),
      ...texts('conditions'),
      ...texts('next'),
    ],
    details: [...sentencesOf(ofAll, 'details', amongAll), ...texts('details')],
    // A report that is read again has these warnings already.
    warnings: [
      ...new Set([
        ...data.warningFacts.map(factText),
        ...data.warnings,
        ...sentencesOf(data.findings, 'warning', amongAll),
      ]),
    ],
  };
}

/** @param {ReportData} report @param {Place} place @returns {string[]} its sentences of one place */
export const sentencesAt = (report, place) => tell(report.findings, place, contextOf(report));

/** @param {ReportData} report @param {string} group @returns {string[]} what came out in a group, and the main causes */
export const outcomesIn = (report, group) => outcomes(report.findings, group, contextOf(report));

/** @param {Finding[]} findings @param {string} group @param {Context} context @returns {string[]} */
function outcomes(findings, group, context) {
  const own = findings.filter((finding) => finding.group === group);
  return [...tell(own, 'outcome', context), ...sentencesOf(mainCauses(own), 'cause', context)];
}

/** @param {CellResult} cell @returns {CellResult} itself where no run has a warning as data: runs may be many */
function cellWithWords(cell) {
  const facts = new Set(cell.runs.flatMap(({ warningFacts = [] }) => warningFacts));
  if (facts.size === 0) return cell;
  // Those of a saved file are the same objects in all runs.
  const texts = new Map([...facts].map((fact) => [fact, factText(fact)]));
  const runs = cell.runs.map((run) => {
    const own = run.warningFacts?.map((fact) => texts.get(fact) ?? '') ?? [];
    // A report that is read again has these sentences already.
    return own.length === 0 ? run : { ...run, warnings: [...new Set([...own, ...run.warnings])] };
  });
  return { ...cell, runs };
}

/** @param {GroupComparison} comparison @param {ReportData} data @param {Context} context @returns {Comparison} */
function comparisonWithWords(comparison, data, context) {
  const findings = data.findings.filter(({ group }) => group === comparison.group);
  return {
    ...comparison,
    test: testText(comparison.tested),
    outcome: outcomes(data.findings, comparison.group, context),
    conclusion: tell(findings, 'conclusion', context).join('; '),
    explanation: [...sentencesOf(findings, 'details', context), ...tell(findings, 'explanation', context)],
  };
}

/** @param {Finding[]} findings @param {Place} place @param {Context} context @returns {string[]} */
const tell = (findings, place, context) =>
  Object.entries(WORDS).flatMap(([kind, words]) => {
    const own = findings.filter((finding) => finding.kind === kind);
    return own.length > 0 ? textsOf(words[place], own, context) : [];
  });

/** @param {Told<any> | undefined} told @param {Finding[]} findings of one kind @param {Context} context @returns {string[]} */
export function textsOf(told, findings, context) {
  if (told === undefined) return [];
  if (typeof told === 'function') return findings.flatMap((finding) => told(finding, context));
  return told.all(findings, context);
}

/** @param {ReportData} data @returns {Context} */
export function contextOf({ cells, settings, servers }) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const cell = (/** @type {string} */ id) => /** @type {CellResult} */ (byId.get(id));
  const names = new Map(alike(cells, ({ group }) => group).map((own) => [own[0].group, nameAmong(own)]));
  const name = (/** @type {string} */ id) => names.get(cell(id).group)?.(id) ?? id;
  const measured = cells.filter(({ summary }) => summary !== null);
  return { settings, servers, measured, cell, name };
}

/** @param {CellResult[]} cells @returns {Context['name']} */
function nameAmong(cells) {
  /** @type {Map<string, string> | undefined} cells may be many, and most reports name few */
  let names;
  return (id) => {
    names ??= nameCells(cells);
    return `"${names.get(id)}"`;
  };
}
