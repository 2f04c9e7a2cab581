import { nameCells } from '../../../../axes/cell-names.js';
import { groupBy, mustGet } from '../../../../collections.js';
import { factText } from '../../../../report/fact-words.js';
import { withWarnings } from '../../../../store/results.js';
import { sentencesOf } from '../../findings/all.js';
import { mainCauses } from '../../findings/slower.js';
import { choiceRows } from '../tables/choices-grid.js';
import { testText } from './legend.js';

/** @import { Context, Place } from '../../findings/definitions.js' */
/** @import { CellResult, Report, ReportData } from '../../../../store/types.js' */

/** @param {ReportData} data @returns {Report} with the rows of choices and the sentences for its warnings */
export function withWords(data) {
  return {
    ...data,
    cells: data.cells.map(withWarnings),
    comparisons: data.comparisons.map((comparison) => ({ ...comparison, test: testText(comparison.tested) })),
    choices: choiceRows(data),
    // A report that is read again has these warnings already.
    warnings: [
      ...new Set([...data.warningFacts.map(factText), ...data.warnings, ...sentencesAt(data, 'warning')]),
    ],
  };
}

/**
 * @param {ReportData} data @param {Place} place
 * @param {string} [group] of this one alone; by default of all, where details are only those of no group
 * @returns {string[]} sentences
 */
export function sentencesAt(data, place, group) {
  const context = contextOf(data);
  if (group !== undefined) {
    const found = data.findings.filter((finding) => finding.group === group);
    return sentencesOf(place === 'cause' ? mainCauses(found) : found, place, context);
  }
  const found =
    place === 'details' ? data.findings.filter((finding) => finding.group === null) : data.findings;
  // Cells of several groups may share the names that they have in these.
  return sentencesOf(found, place, { ...context, name: nameAmong(data.cells) });
}

/** @type {(data: ReportData) => Context} */
export function contextOf({ cells, settings, servers }) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const cell = (/** @type {string} */ id) => mustGet(byId, id);
  const names = new Map(
    groupBy(cells, ({ group }) => group).map((members) => [members[0].group, nameAmong(members)]),
  );
  const name = (/** @type {string} */ id) => names.get(cell(id).group)?.(id) ?? id;
  const measured = cells.filter(({ summary }) => summary !== null);
  return { settings, servers, measured, cell, name };
}

/** @type {(cells: CellResult[]) => Context['name']} */
function nameAmong(cells) {
  /** @type {Map<string, string> | undefined} cells may be many, and most reports name few */
  let names;
  return (id) => {
    names ??= nameCells(cells);
    return `"${names.get(id)}"`;
  };
}
