import { groupBy } from '../../collections.js';
import { UsageError } from '../../errors.js';
import { factsOf, resultsOf } from '../../store/results.js';
import { waitsOf } from '../../store/slices.js';
import { checkReferences, evaluateAssertion } from './assertions.js';
import { findAll } from './findings/all.js';
import { KEPT_WHEN_BUSY, tooBusy } from './findings/too-busy.js';
import { adviceOn, ofOneStart } from './judge/advice.js';
import {
  compareGroup,
  compareOpenLoop,
  contrastGroups,
  contrastsWithin,
  fastestOf,
  ladders,
  showsDifference,
} from './judge/compare-group.js';
import { aheadThoughCold, noConclusion, noiseFloorOf, uncompared } from './judge/no-verdict.js';
import { withWords } from './report/words/findings.js';

/** @import { CpuLimited } from '../../machine/types.js' */
/** @import { CellResult, Ending, MeasuredDistance, Report, ReportData, ResultFacts, ResultHeader, ResultRecord } from '../../store/types.js' */
/** @import { TooBusy } from './findings/types.js' */
/** @import { Advice } from './judge/advice.js' */
/** @import { ComparedGroup } from './judge/compare-group.js' */
/** @import { Fastest, NoVerdict } from './judge/types.js' */
/** @typedef {ResultFacts['settings']} Settings */

/**
 * What a benchmark shows, with its words.
 * @type {(header: ResultHeader, records: ResultRecord[], ending: Ending) => Report}
 */
export const conclude = (header, records, ending) => withWords(createReport(header, records, ending));

/** The same without words. @type {(header: ResultHeader, records: ResultRecord[], ending: Ending) => ReportData} */
export function createReport(header, records, ending) {
  const { partial, warningFacts, warnings } = ending;
  const facts = factsOf(header, records, ending);
  const limited = warningFacts.find((fact) => fact.kind === 'cpu-limited');
  const usedMs = Date.parse(ending.finishedAt) - Date.parse(facts.startedAt);
  const about = { distances: facts.distances, limited, usedMs };
  const concluded = analyse(resultsOf(header, records), facts.settings, partial, about);
  const assertions = decide(concluded.cells, facts.settings);
  return { ...facts, ...concluded, assertions, warningFacts, warnings };
}

/** None for a smoke run. @param {CellResult[]} cells @param {Pick<Settings, 'assert' | 'assertStrict' | 'smoke' | 'races'>} settings */
function decide(cells, { assert, assertStrict, smoke, races }) {
  const between = contrastsWithin(cells, races);
  return smoke ? [] : assert.map((text) => evaluateAssertion(text, cells, assertStrict, between));
}

/**
 * @template {Pick<ReportData, 'settings' | 'cells' | 'assertions'>} Any @param {Any} report
 * @param {Pick<Settings, 'assert' | 'assertStrict'>} assertions @returns {Any} with these assertions
 * @throws {UsageError} if its cells and figures cannot decide them
 */
export function withAssertions(report, { assert, assertStrict }) {
  if (report.settings.smoke) {
    throw new UsageError('--assert needs real figures, and this result is a smoke run');
  }
  if (assertStrict && assert.length === 0) {
    throw new UsageError('--assert-strict has no effect without an assertion; add --assert, or leave it out');
  }
  const settings = { ...report.settings, assert, assertStrict };
  checkReferences(assert, assertStrict, report.cells);
  return { ...report, settings, assertions: decide(report.cells, settings) };
}

/**
 * What findings are made from.
 * @typedef {object} Judged
 * @property {CellResult[]} cells
 * @property {Settings} settings
 * @property {boolean} partial whether it ended early
 * @property {MeasuredDistance[]} distances
 * @property {CpuLimited | undefined} limited
 * @property {number} usedMs the time that it took
 * @property {TooBusy | null} busy why nothing is advised
 * @property {ComparedGroup[]} groups
 * @property {Fastest[]} fastest of each group of which that is known
 * @property {ComparedGroup[]} decided those groups
 * @property {NoVerdict[]} noVerdicts why nothing is recommended, or not known of a group
 * @property {Advice} advice
 */

/**
 * All that is concluded from the cells of a benchmark, and the cells with the speeds that the comparison estimates.
 * @param {CellResult[]} measured @param {Settings} settings @param {boolean} partial
 * @param {{distances?: MeasuredDistance[], limited?: CpuLimited, usedMs?: number}} [known] @returns {Pick<ReportData, 'cells' | 'comparisons' | 'findings'>}
 */
export function analyse(measured, settings, partial, { distances = [], limited, usedMs = 0 } = {}) {
  const groups = contrastGroups(
    groupBy(measured, ({ group }) => group),
    settings.races,
  ).map((group) => ({
    ...group,
    comparison: group.cells[0].openLoop === null ? compareGroup(group) : compareOpenLoop(group.cells),
  }));
  const comparisons = groups.map(({ comparison }) => comparison);
  const estimated = new Map(groups.flatMap((group) => group.cells.map((cell) => [cell.id, cell])));
  const cells = measured.map((cell) => estimated.get(cell.id) ?? cell);
  if (settings.smoke)
    return {
      cells,
      comparisons: comparisons.map(uncompared),
      findings: [{ kind: 'no-conclusion', ...noConclusion('smoke', []) }],
    };
  const unknowns = groups.map(noVerdictOn);
  const closed = groups.filter(
    (group, place) => unknowns[place] === null && group.cells[0].openLoop === null,
  );
  const busy = busyIn(cells, groups);
  // Advice is about operations per second, which an open loop is given.
  const isAdvised = busy === null && ladders(cells).length === 0;
  const advice = isAdvised ? adviceOn(groups) : { decisions: [], winners: [], noVerdicts: [] };
  const found = findAll({
    cells,
    settings,
    partial,
    distances,
    limited,
    usedMs,
    groups,
    advice,
    busy,
    fastest: closed.map(({ comparison }) => fastestOf(comparison)),
    decided: closed,
    noVerdicts: [...advice.noVerdicts, ...unknowns.flatMap((noVerdict) => noVerdict ?? [])],
  });
  if (busy === null) return { cells, comparisons, findings: found };
  const findings = found.filter(({ kind }) => KEPT_WHEN_BUSY.includes(kind));
  return { cells, comparisons: comparisons.map(uncompared), findings };
}

/** @param {CellResult[]} cells @param {ComparedGroup[]} groups */
function busyIn(cells, groups) {
  const compared = groups.filter(({ ranked }) => ranked.length > 1);
  if (compared.length === 0) return null;
  const waits = waitsOf(cells.flatMap(({ runs }) => runs.filter(({ failed }) => failed === null)));
  const isShown = compared.some(showsDifference);
  const floors = compared.flatMap(({ tested }) => ('tellsApart' in tested ? noiseFloorOf(tested) : []));
  return tooBusy(waits?.waitedShare ?? null, floors, isShown);
}

/** @param {ComparedGroup} group @returns {NoVerdict | null} why nothing is known of it */
function noVerdictOn(group) {
  const { group: id, ranking } = group.comparison;
  const [first] = ranking;
  const isOpen = group.cells[0].openLoop !== null;
  const ahead = isOpen ? [] : aheadThoughCold([group]);
  if (ahead.length > 0) return noConclusion('ahead-though-cold', ahead, id);
  if (first === undefined) return noConclusion('no-result', [], id);
  return !isOpen && first.verdict === 'not measured' ? ofOneStart([group], id) : null;
}
