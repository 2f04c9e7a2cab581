import { clientName } from '../../axes/cell-names.js';
import { latencyCurve } from '../../core/statistics/latency.js';
import { isSearch } from '../judge/compare-group.js';
import { choicesGrid, codeNotes } from './tables/choices-grid.js';
import { conditionGrid } from './tables/condition-grid.js';
import { costGrid, groupGrids, latencyGrid, runsGrid, testGrid } from './tables/group-grids.js';
import { mainGrid } from './tables/main-grid.js';
import { ratedGrid, ratedNotes } from './tables/rated-grid.js';
import { headedGroups, isClosed, isOpen, runsDiffer } from './tables/result-rows.js';
import { sentencesAt } from './words/findings.js';
import { legendOf } from './words/legend.js';
import { environmentGrid, originFacts } from './words/origin-facts.js';
import { PARTIAL_NOTE, remarksOf } from './words/remarks.js';

/** @import { Curves, Ranges, Report, Row, Section } from '../../core/report/types.js' */
/** @import { Report as Result } from '../../core/store/types.js' */
/** @import { HeadedGroup } from './tables/result-rows.js' */

/** What a benchmark has to say: the table, what to choose, and all that is behind it. @param {Result} result @returns {Report} */
export function reportOf(result) {
  const { common, groups } = headedGroups(result);
  return {
    title: titleOf(result, common),
    facts: [...originFacts(result), ...(runsDiffer(groups) ? ['runs: iterations differ'] : [])],
    sections: [...firstSections(result, groups), ...detailSections(result, groups)].filter(
      ({ grid, chart, notes = [] }) => grid || chart || notes.length > 0,
    ),
    remarks: [...remarksOf(result.cells), ...result.warnings.map((text) => ({ text }))],
    verdicts: result.assertions,
  };
}

/** @param {Result} result @param {string[]} common what the titles of all groups share */
function titleOf({ cells, suite, servers }, common) {
  const transports = [...new Set(cells.map(({ transport }) => transport))];
  const [{ kind, software, version }] = servers;
  const where = [
    kind === 'managed' ? 'local' : 'external',
    ...(servers.length === 1 ? [software, version ?? ''] : ['servers']),
  ].filter(Boolean);
  const over = transports.length === 1 ? ` over ${OVER[transports[0]]}` : '';
  const parts = common.length > 0 ? common : [suite.title];
  return [...parts, `${where.join(' ')}${over}`].join(' · ');
}

const OVER = { tcp: 'TCP', unix: 'a unix socket', tls: 'TLS' };

/** @param {Result} result @param {HeadedGroup[]} groups @returns {Section[]} */
function firstSections(result, groups) {
  const winners = conditionGrid(result);
  const { length } = groups.flatMap(({ rows }) => [...rows, 'its heading']);
  // A small table says all by itself.
  const isGrid = winners !== null && length > MOST_LINES;
  const choices = result.choices.length > 0 ? choicesGrid(result.choices) : undefined;
  const first = /** @type {const} */ ('first');
  const room = /** @type {const} */ ('room');
  const [notes, ...causes] = notesOf(result, groups);
  return [
    { place: first, notes: result.partial ? [partialText(result)] : [] },
    ...(isGrid
      ? [
          { ...winners.fields, place: first },
          { grid: winners.legend, place: first },
          { place: first, notes },
          { place: room, heading: 'Choices', grid: choices },
        ]
      : [...mainSections(groups, first), { place: first, grid: choices, notes }]),
    { place: room, notes: groups.length > 1 ? [] : causes.slice(0, MORE_CAUSES).flat() },
    ...(isGrid ? mainSections(groups, 'room') : []),
    ...(winners !== null && !isGrid
      ? [
          { ...winners.fields, place: /** @type {const} */ ('room') },
          { grid: winners.legend, place: /** @type {const} */ ('room') },
        ]
      : []),
    ...groups.flatMap((group) =>
      groupGrids(group, true).map((grid) => ({
        place: /** @type {const} */ ('room'),
        heading: group.heading,
        grid,
      })),
    ),
  ];
}

/** Rows of a table of several groups that leaves room for the choices below it. */
const MOST_LINES = 8;

/** @param {Result} result */
export const partialText = ({ failure }) =>
  failure === null ? PARTIAL_NOTE : `The benchmark ended early: ${failure}`;

/** Each kind of group has a table of its own. @param {HeadedGroup[]} groups @param {'first' | 'room'} place @returns {Section[]} */
function mainSections(groups, place) {
  const open = groups.filter(({ cells }) => isOpen(cells));
  const closed = groups.filter(isClosed);
  const heading = place === 'room' ? 'Results' : '';
  return [
    { place, heading, grid: closed.length > 0 ? mainGrid(closed) : undefined },
    { place, heading, grid: open.length > 0 ? ratedGrid(open, true) : undefined },
  ];
}

/** Besides the first, if there is room. */
const MORE_CAUSES = 2;

/** @param {Result} result @param {HeadedGroup[]} groups @returns {[notes: string[], ...causes: string[][]]} with the first cause in the notes */
function notesOf(result, groups) {
  const [main, ...others] = groups.flatMap(({ comparison: { group }, heading }) =>
    sentencesAt(result, 'cause', group).map((text) => (heading === '' ? text : `${heading}: ${text}`)),
  );
  const notes = [
    ...codeNotes(result.choices, result.cells),
    ...sentencesAt(result, 'choose'),
    ...sentencesAt(result, 'condition'),
    ...(main === undefined ? [] : [main]),
    ...sentencesAt(result, 'next'),
  ];
  return [notes, ...others.map((text) => [text])];
}

/** @param {Result} result @param {HeadedGroup[]} groups @returns {Section[]} */
function detailSections(result, groups) {
  const closed = groups.filter((group) => !isOpen(group.cells));
  const open = groups.filter(({ cells }) => isOpen(cells));
  /** @param {HeadedGroup} group @param {string} text */
  const headed = ({ heading }, text) => (heading === '' ? text : `${heading}: ${text}`);
  const place = /** @type {const} */ ('details');
  /** @type {Section[]} */
  const sections = [
    { place, heading: 'All runs', grid: runsGrid(closed) },
    {
      place,
      heading: 'All figures',
      grid: open.length > 0 ? ratedGrid(open) : undefined,
      notes: ratedNotes(result.cells),
    },
    ...groups.filter(isClosed).map((group) => ({
      place,
      chart: rangesOf(group.rows, headed(group, 'operations per second of every run')),
    })),
    {
      place,
      heading: 'Tests',
      grid: testGrid(closed),
      notes: [...legendOf(result), ...sentencesAt(result, 'details')],
    },
    {
      place,
      heading: 'Causes',
      notes: groups.flatMap((group) =>
        sentencesAt(result, 'details', group.comparison.group).map((text) => headed(group, text)),
      ),
    },
    ...groups
      .filter(({ cells }) => !isSearch(cells))
      .map((group) => ({
        place,
        chart: curvesOf(group.rows, headed(group, 'latency of operations by percentile')),
      })),
    { place, heading: 'Latency', grid: latencyGrid(closed) },
    { place, heading: 'Costs', grid: result.settings.smoke ? undefined : costGrid(closed) },
    ...groups.flatMap((group) =>
      groupGrids(group, false).map((grid) => ({ place, heading: group.heading, grid })),
    ),
    { place, heading: 'Environment', grid: environmentGrid(result) },
  ];
  return sections;
}

/** @param {Row[]} rows @param {string} label @returns {Ranges | undefined} */
function rangesOf(rows, label) {
  const run = rows.filter(({ cell }) => cell.runs.length > 0);
  if (run.every(({ cell }) => cell.summary === null)) return undefined;
  return {
    kind: 'ranges',
    label,
    rows: run.map(({ name, cell: { runs, summary }, columns, state }) => ({
      name,
      values: runs.map(({ failed, opsPerSecond }) => (failed === null ? opsPerSecond : null)),
      median: summary?.opsPerSecond,
      interval: summary?.intervals.opsPerSecond ?? undefined,
      strong: state === 'fastest' || state === 'close',
      notes: [columns['ops/s'], columns.behind],
    })),
  };
}

/** @param {Row[]} rows @param {string} label @returns {Curves | undefined} */
function curvesOf(rows, label) {
  const cells = rows.map(({ cell }) => cell);
  const lines = rows.flatMap(({ name, cell }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    if (points.length < 2) return [];
    const family = clientName(cell, cells);
    return {
      name,
      family,
      label: name.startsWith(`${family}, `) ? name.slice(family.length + 2) : name,
      points,
    };
  });
  if (lines.length === 0) return undefined;
  return { kind: 'curves', label, lines };
}
