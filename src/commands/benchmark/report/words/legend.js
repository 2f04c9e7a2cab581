import { axesOf } from '../../../../axes/all-axes.js';
import { conditionsOf } from '../../../../axes/cell-names.js';
import { askedDuration } from '../../../../numbers.js';
import { said } from '../../../../report/figures.js';

/** @import { Tested } from '../../../../store/types.js' */
/** @import { CellResult, Report } from '../../../../store/types.js' */

const BEHIND =
  'behind: the best over this, with its interval; ≈ within 10 %, ? not shown; kept awake: the same while no CPU could sleep';

/** @type {(report: Report) => string[]} */
export function legendOf({ cells, settings, comparisons }) {
  const inClosedLoop = new Set(cells.flatMap(({ group, openLoop }) => (openLoop === null ? [group] : [])));
  const closed = comparisons.filter(({ group }) => inClosedLoop.has(group));
  const tests = closed.filter(({ ranking }) => ranking.length > 1).map(({ test }) => test);
  return said([
    closed.length > 0 && BEHIND,
    ...[...new Set(tests)].map((test) => `test: ${test}`),
    cells.some(isSpread) && `order of keys: ${settings.keyDistribution}`,
  ]);
}

/** Not where the workload brings its keys. @param {CellResult} cell */
const isSpread = ({ keys, chosen }) =>
  keys > 1 && chosen?.workload.data === undefined && !chosen?.workload.startsProcesses;

/** @param {CellResult[]} cells @param {Report} report */
export const groupTitle = (cells, report) => titleParts(cells, report).join(', ');

/** @param {CellResult[]} cells of a group @param {Report} report @returns {string[]} */
function titleParts(cells, { settings }) {
  const axes = axesOf(cells);
  const conditions = [...axes.filter((axis) => !axis.titledLast), ...axes.filter((axis) => axis.titledLast)];
  return said([
    // Values that --compare makes choices are named in rows.
    ...conditions.map(({ title }) => {
      const [text = '', ...others] = new Set(cells.map((cell) => title?.(cell, settings)));
      return others.length > 0 ? '' : text;
    }),
    settings.durationMs !== null && `${askedDuration(settings.durationMs * 1000)} per run`,
  ]);
}

/**
 * The titles of all groups: what all have in common, and what each has besides.
 * @type {(groups: CellResult[][], report: Report) => {common: string[], titles: string[]}}
 */
export function sharedTitles(groups, report) {
  const partsOfAll = groups.map((cells) => titleParts(cells, report));
  const isCommon = (/** @type {string} */ part) => partsOfAll.every((parts) => parts.includes(part));
  const titles = partsOfAll.map((parts, place) => {
    const text = parts.filter((part) => !isCommon(part)).join(', ');
    return text === '' ? conditionsOf(groups[place][0], groups.flat()) : text;
  });
  // A group without a part of its own is distinguished from the others by all of its parts.
  return groups.length > 1 && (new Set(titles).size < partsOfAll.length || titles.includes(''))
    ? { common: [], titles: partsOfAll.map((parts) => parts.join(', ')) }
    : { common: (partsOfAll[0] ?? []).filter(isCommon), titles: titles };
}

const TEST = 't-test of the logarithms of each start, with one model of cells and starts';

const NONE = {
  'one-cell': 'none: there is only one cell',
  'one-start': 'none: one start of each cell does not show how much starts differ',
  'open-loop': 'none: an open loop runs at a given rate',
  'not-compared': 'none: nothing is compared',
};

/** @param {Tested} tested @returns {string} the test that decided what differs: `t-test of …, p corrected for 3 comparisons by step-down minP` */
export function testText({ by, comparisons, reason }) {
  if (by === null) return NONE[reason ?? 'one-cell'];
  const correction =
    comparisons === 1 ? 'one comparison' : `p corrected for ${comparisons} comparisons by step-down minP`;
  return `${TEST}, ${correction}`;
}
