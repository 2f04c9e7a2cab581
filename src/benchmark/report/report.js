import { clientName } from '../../axes/cell-names.js';
import { perSecond } from '../../core/report/figures.js';
import { latencyCurve } from '../../core/statistics/latency.js';
import { isSearch } from '../judge/compare-group.js';
import { choicesGrid, codeNotes } from './tables/choices-grid.js';
import { conditionGrid } from './tables/condition-grid.js';
import {
  costGrid,
  headedGroups,
  isClosed,
  isOpen,
  latencyGrid,
  mainGrid,
  partGrid,
  ratedGrid,
  ratedNotes,
  runsDiffer,
  runsGrid,
  testGrid,
  versionGrid,
} from './tables/grids.js';
import { sentencesAt } from './words/findings.js';
import { legendOf } from './words/legend.js';
import { environmentGrid, originFacts } from './words/origin-facts.js';
import { PARTIAL_NOTE, remarksOf } from './words/remarks.js';

/** @import { Curves, Ranges, Report, Section } from '../../core/report/types.js' */
/** @import { Report as Result } from '../../core/store/types.js' */
/** @import { HeadedGroup } from './tables/grids.js' */

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

const OVER = { tcp: 'TCP', unix: 'a unix socket', tls: 'TLS' };

/** @param {Result} result @param {string[]} common what the titles of all groups share */
function titleOf({ cells, suite, servers }, common) {
  const transports = [...new Set(cells.map(({ transport }) => transport))];
  const [{ kind, software, version }] = servers;
  const where = [
    kind === 'managed' ? 'local' : 'external',
    ...(servers.length === 1 ? [software, version ?? ''] : ['servers']),
  ].filter(Boolean);
  const over = transports.length === 1 ? ` over ${OVER[transports[0]]}` : '';
  return [...(common.length > 0 ? common : [suite.title]), `${where.join(' ')}${over}`].join(' · ');
}

/** Rows of a table of several groups that leaves room for the choices below it. */
const MOST_LINES = 8;
/** Causes besides the first, if there is room. */
const MORE_CAUSES = 2;
/** Rows of parts that the first screen has room for. */
const MOST_PARTS = 12;

/** @param {HeadedGroup} group @param {string} text */
const headed = ({ heading }, text) => (heading === '' ? text : `${heading}: ${text}`);

/** @param {Result} result @param {HeadedGroup[]} groups @returns {Section[]} */
function firstSections(result, groups) {
  const [first, room] = /** @type {const} */ (['first', 'room']);
  const winners = conditionGrid(result);
  // A small table says all by itself.
  const isGrid = winners !== null && groups.length + groups.flatMap(({ rows }) => rows).length > MOST_LINES;
  const choices = result.choices.length > 0 ? choicesGrid(result.choices) : undefined;
  const [main, ...causes] = groups.flatMap((group) =>
    sentencesAt(result, 'cause', group.comparison.group).map((text) => headed(group, text)),
  );
  const notes = [
    ...codeNotes(result.choices, result.cells),
    ...['choose', 'condition'].flatMap((place) => sentencesAt(result, /** @type {any} */ (place))),
    ...(main === undefined ? [] : [main]),
    ...sentencesAt(result, 'next'),
  ];
  const [closed, open] = [groups.filter(isClosed), groups.filter(({ cells }) => isOpen(cells))];
  // Each kind of group has a table of its own.
  const tables = [
    closed.length > 0 ? mainGrid(closed) : undefined,
    open.length > 0 ? ratedGrid(open, true) : undefined,
  ].map((grid) => (isGrid ? { place: room, heading: 'Results', grid } : { place: first, heading: '', grid }));
  const winnersAt = (/** @type {'first' | 'room'} */ place) =>
    winners === null
      ? []
      : [
          { ...winners.fields, place },
          { grid: winners.legend, place },
        ];
  return [
    { place: first, notes: result.partial ? [partialText(result)] : [] },
    ...(isGrid
      ? [...winnersAt(first), { place: first, notes }, { place: room, heading: 'Choices', grid: choices }]
      : [...tables, { place: first, grid: choices, notes }]),
    { place: room, notes: groups.length > 1 ? [] : causes.slice(0, MORE_CAUSES) },
    ...(isGrid ? tables : winnersAt(room)),
    ...groups.flatMap(({ cells, comparison, heading }) => {
      const parts = partGrid(cells);
      const place = (parts?.rows.length ?? 0) > MOST_PARTS ? /** @type {const} */ ('details') : room;
      return [
        { place: room, heading, grid: versionGrid(cells, comparison) ?? undefined },
        { place, heading, grid: parts ?? undefined },
      ];
    }),
  ];
}

/** @param {Result} result */
export const partialText = ({ failure }) =>
  failure === null ? PARTIAL_NOTE : `The benchmark ended early: ${failure}`;

/** @param {Result} result @param {HeadedGroup[]} groups @returns {Section[]} */
function detailSections(result, groups) {
  const [closed, open] = [groups.filter(isClosed), groups.filter(({ cells }) => isOpen(cells))];
  const place = /** @type {const} */ ('details');
  return [
    { place, heading: 'All runs', grid: runsGrid(closed) },
    {
      place,
      heading: 'All figures',
      grid: open.length > 0 ? ratedGrid(open) : undefined,
      notes: ratedNotes(result.cells),
    },
    ...closed.map((group) => ({ place, chart: rangesOf(group) })),
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
    ...groups.filter(({ cells }) => !isSearch(cells)).map((group) => ({ place, chart: curvesOf(group) })),
    { place, heading: 'Latency', grid: latencyGrid(closed) },
    { place, heading: 'Costs', grid: result.settings.smoke ? undefined : costGrid(closed) },
    { place, heading: 'Environment', grid: environmentGrid(result) },
  ];
}

/** @param {HeadedGroup} group @returns {Ranges | undefined} */
function rangesOf(group) {
  const run = group.rows.filter(({ cell }) => cell.runs.length > 0);
  if (run.every(({ cell }) => cell.summary === null)) return undefined;
  return {
    kind: 'ranges',
    label: headed(group, 'operations per second of every run'),
    rows: run.map(({ name, cell: { runs, summary }, behind, state }) => ({
      name,
      values: runs.map(({ failed, opsPerSecond }) => (failed === null ? opsPerSecond : null)),
      median: summary?.opsPerSecond,
      interval: summary?.intervals.opsPerSecond ?? undefined,
      strong: state === 'fastest' || state === 'close',
      notes: [perSecond(summary?.opsPerSecond), behind],
    })),
  };
}

/** @param {HeadedGroup} group @returns {Curves | undefined} */
function curvesOf(group) {
  const lines = group.rows.flatMap(({ name, cell }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    const family = clientName(cell, group.cells);
    const label = name.startsWith(`${family}, `) ? name.slice(family.length + 2) : name;
    return points.length < 2 ? [] : { name, family, label, points };
  });
  if (lines.length === 0) return undefined;
  return { kind: 'curves', label: headed(group, 'latency of operations by percentile'), lines };
}
