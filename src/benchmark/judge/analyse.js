import { alike } from '../../core/alike.js';
import { noConclusion } from '../findings/about.js';
import { findAll } from '../findings/all.js';
import { adviceOn } from './advice.js';
import { compareGroup, contrastGroups } from './compare-group.js';
import { compareOpenLoop, ladders } from './open-loop.js';
import { fastestOf } from './outcome.js';
import { aheadThoughCold } from './warm-runs.js';

/** @import { CpuLimited } from '../../core/machine/types.js' */
/** @import { CellResult, MeasuredDistance, ReportData, ResultFacts } from '../../core/store/types.js' */
/** @import { Silence } from '../findings/about.js' */
/** @import { Advice } from './advice.js' */
/** @import { ComparedGroup, ContrastedGroup } from './compare-group.js' */
/** @import { Fastest } from './outcome.js' */

/** @typedef {Pick<ResultFacts['settings'], 'runs' | 'races' | 'untilStable' | 'smoke'>} Settings */

/**
 * What findings are made from.
 * @typedef {object} Judged
 * @property {CellResult[]} cells
 * @property {Settings} settings
 * @property {boolean} partial whether it ended early
 * @property {MeasuredDistance[]} distances
 * @property {CpuLimited | undefined} limited
 * @property {ComparedGroup[]} groups
 * @property {Fastest[]} fastest of each group of which that is known
 * @property {ComparedGroup[]} decided those groups
 * @property {Silence[]} silent why nothing is recommended, or not known of a group
 * @property {Advice} advice
 */

/**
 * All that is concluded from the cells of a benchmark.
 * @param {CellResult[]} cells @param {Settings} settings @param {boolean} partial @param {MeasuredDistance[]} [distances]
 * @param {CpuLimited} [limited] @returns {Pick<ReportData, 'comparisons' | 'findings'>}
 */
export function analyse(cells, settings, partial, distances = [], limited = undefined) {
  const groups = contrastGroups(
    alike(cells, ({ group }) => group),
    settings.races,
  ).map((group) => ({ ...group, comparison: comparisonOf(group) }));
  const comparisons = groups.map(({ comparison }) => comparison);
  if (settings.smoke)
    return { comparisons, findings: [{ kind: 'no-conclusion', ...noConclusion('smoke', []) }] };
  const silences = groups.map(silenceOf);
  const closed = groups.filter(
    (group, place) => silences[place] === null && group.cells[0].openLoop === null,
  );
  // Advice is about operations per second, which an open loop is given.
  const advice = ladders(cells).length > 0 ? { decisions: [], winners: [], silent: [] } : adviceOn(groups);
  const findings = findAll({
    ...{ cells, settings, partial, distances, limited, groups, advice },
    fastest: closed.map(({ comparison }) => fastestOf(comparison)),
    decided: closed,
    silent: [...advice.silent, ...silences.flatMap((silence) => silence ?? [])],
  });
  return { comparisons, findings };
}

/** @param {ContrastedGroup} group */
function comparisonOf(group) {
  return group.cells[0].openLoop === null ? compareGroup(group) : compareOpenLoop(group.cells);
}

/** @param {ComparedGroup} group @returns {Silence | null} why nothing is known of it */
function silenceOf(group) {
  const { cells, comparison } = group;
  const [first, ...others] = comparison.ranking;
  if (cells[0].openLoop !== null)
    return comparison.ranking.length > 0 ? null : noConclusion('no-result', [], comparison.group);
  const ahead = aheadThoughCold([group]);
  if (ahead.length > 0) return noConclusion('ahead-though-cold', ahead, comparison.group);
  if (first === undefined) return noConclusion('no-result', [], comparison.group);
  return others.length > 0 && others.every(({ againstFastest }) => againstFastest === null)
    ? noConclusion('single-runs', [{ id: first.cell }], comparison.group)
    : null;
}
