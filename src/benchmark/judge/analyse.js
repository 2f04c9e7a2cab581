import { noConclusion } from '../findings/about.js';
import { findAll } from '../findings/all.js';
import { compareGroup, contrastGroups } from '../findings/compare-group.js';
import { fastestOf } from '../findings/group-findings.js';
import { notMeasured } from '../findings/measured-under.js';
import { recommend } from '../findings/recommend.js';
import { alike } from './alike.js';
import { compareOpenLoop, ladders, sustainedFirst } from './open-loop.js';
import { aheadThoughCold } from './warm-runs.js';

/** @import { CpuLimited } from '../../core/machine/types.js' */
/** @import { CellResult, MeasuredDistance, ReportData, ResultFacts } from '../../core/store/types.js' */
/** @import { Finding, NoConclusion } from './types.js' */
/** @import { ComparedGroup, ContrastedGroup } from '../findings/compare-group.js' */

/** @typedef {Pick<ResultFacts['settings'], 'runs' | 'races' | 'untilStable' | 'smoke'>} Settings */

/**
 * What findings are made from.
 * @typedef {object} Judged
 * @property {CellResult[]} cells
 * @property {Settings} settings
 * @property {MeasuredDistance[]} distances
 * @property {CpuLimited | undefined} limited
 * @property {ComparedGroup[]} groups
 * @property {ComparedGroup[]} decided of which it is known what is fastest
 * @property {(NoConclusion & {group: string | null, cells: string[]})[]} silent why it is not known in others
 */

/**
 * All that is concluded from the cells of a benchmark.
 * @param {CellResult[]} cells @param {Settings} settings
 * @param {boolean} partial whether it ended early @param {MeasuredDistance[]} [distances]
 * @param {CpuLimited} [limited] @returns {Pick<ReportData, 'comparisons' | 'findings'>}
 */
export function analyse(cells, settings, partial, distances = [], limited = undefined) {
  const groups = contrastGroups(
    alike(cells, ({ group }) => group),
    settings.races,
  ).map((group) => ({
    ...group,
    comparison: comparisonOf(group),
  }));
  const comparisons = groups.map(({ comparison }) => comparison);
  if (settings.smoke) return { comparisons, findings: [noConclusion('smoke', [])] };
  const outcomes = groups.map((group) => ({ group, found: outcomesIn(group) }));
  const decided = outcomes.flatMap(({ group, found }) =>
    found.some(({ kind }) => kind === 'fastest') ? group : [],
  );
  const all = outcomes.flatMap(({ found }) => found);
  const silent = all.flatMap((each) => (each.kind === 'no-conclusion' ? each : []));
  const others = findAll({ cells, settings, distances, limited, groups, decided, silent });
  const isOpen = ladders(cells).length > 0;
  return {
    comparisons,
    findings: [
      // Advice is about operations per second, which an open loop is given.
      ...(isOpen ? [notMeasured(cells, partial)] : recommend(groups, partial)),
      ...all.filter(({ kind }) => kind !== 'no-conclusion'),
      ...others,
    ],
  };
}

/** @param {ContrastedGroup} group */
function comparisonOf(group) {
  const { cells } = group;
  if (cells[0].openLoop === null) return compareGroup(group);
  return compareOpenLoop(cells);
}

/** @param {ComparedGroup} group @returns {Finding[]} */
function outcomesIn(group) {
  const { cells, comparison } = group;
  if (cells[0].openLoop !== null)
    return sustainedFirst(cells).length > 0 ? [] : [noConclusion('no-result', [], comparison.group)];
  const ahead = aheadThoughCold([group]);
  return ahead.length > 0
    ? [noConclusion('ahead-though-cold', ahead, comparison.group)]
    : [fastestOf(comparison)];
}
