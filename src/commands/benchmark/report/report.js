import { clientName, nameSubjects } from '../../../axes/cell-names.js';
import { count, joined, perSecond, ratioText, said } from '../../../report/figures.js';
import { environmentGrid, originFacts } from '../../../report/origin-facts.js';
import { partialText, remarksOf } from '../../../report/run-remarks.js';
import { latencyCurve } from '../../../statistics/latency.js';
import { isSearch } from '../judge/compare-group.js';
import { breakdownGrid, passNotes } from './tables/breakdown-grid.js';
import { choicesGrid, codeNotes } from './tables/choices-grid.js';
import { conditionGrid } from './tables/condition-grid.js';
import { detailsOf } from './tables/details-grids.js';
import { DRIFT, driftGrid } from './tables/drift-grid.js';
import { mainGrid } from './tables/main-grid.js';
import { partGrid } from './tables/part-grid.js';
import { RATED, ratedGrid } from './tables/rated-grid.js';
import { comparesNothing, headedGroups, isBestKnown, isBusy, isClosed, runsDiffer } from './tables/rows.js';
import { versionGrid } from './tables/version-grid.js';
import { sentencesAt } from './words/findings.js';
import { legendOf } from './words/legend.js';

/** @import { Curves, Ranges, Report, Section } from '../../../report/types.js' */
/** @import { Report as Result } from '../../../store/types.js' */
/** @import { Headline } from './tables/condition-grid.js' */
/** @import { HeadedGroup } from './tables/rows.js' */

/** @type {(result: Result) => Report} */
export function reportOf(result) {
  const { common, groups } = headedGroups(result);
  const conditions = conditionGrid(result);
  const kinds = {
    conditions,
    groups,
    closed: groups.filter(isClosed),
    open: groups.filter((group) => !isClosed(group)),
  };
  return {
    title: titleOf(result, common),
    ...headlineOf(result, conditions?.verdict),
    facts: originFacts(result),
    sections: [...firstSections(result, kinds), ...detailSections(result, kinds)].filter(
      ({ grid, chart, notes = [] }) => grid || chart || notes.length > 0,
    ),
    remarks: [
      // The first line says already that other programs took the CPU.
      ...remarksOf(result.cells, isBusy(result) ? ['processor-taken'] : []),
      ...result.warnings.map((text) => ({ text })),
    ],
    verdicts: result.assertions,
  };
}

/**
 * What a benchmark came to, in one line; as a `summary` too where a verdict is said by no sentence.
 * @param {Result} result
 * @param {Headline} [overConditions] the same, where conditions vary
 */
function headlineOf(result, overConditions) {
  const [sentence] = [...sentencesAt(result, 'first'), ...sentencesAt(result, 'choose')];
  if (sentence !== undefined) return { headline: sentence.split('. ')[0].replace(/\.$/, '') };
  const { text: headline, isVerdict } = overConditions ?? fastestIn(result);
  return { headline, ...(isVerdict && { summary: headline }) };
}

const MOST_NAMED = 3;
/** @type {Headline} */
const NO_HEADLINE = { text: '', isVerdict: false };

/** @type {(result: Result) => Headline} */
function fastestIn(result) {
  const [fastest] = result.findings.filter((finding) => finding.kind === 'fastest');
  // What is fastest in one group is not in all.
  if (fastest === undefined || result.comparisons.length > 1) return NO_HEADLINE;
  const { cell, ties, doubtful, slower } = fastest;
  const names = nameSubjects(result.cells);
  const [first, ...others] = [cell, ...ties].map((id) => names.get(id) ?? id);
  const [comparison] = result.comparisons;
  if (comparison.ranking.length > 1 && !isBestKnown(comparison, result.cells))
    return { text: `Not decided; ahead: ${first}`, isVerdict: false };
  if (doubtful.length > 0) return { text: `Nothing is over 10 % faster than ${first}`, isVerdict: true };
  if (others.length > 0)
    return {
      text:
        others.length < MOST_NAMED
          ? `${joined([first, ...others])} tie for the fastest`
          : `${count(others.length + 1, 'choice')} tie for the fastest, ${first} among them`,
      isVerdict: true,
    };
  if (slower.length === 0) return NO_HEADLINE;
  const [{ cell: next, ...ratio }] = slower;
  const ahead = ratioText({ ...ratio, verdict: 'faster' });
  return { text: `${first} is fastest: ${ahead} ahead of ${names.get(next) ?? next}`, isVerdict: true };
}

/** @typedef {Record<'groups' | 'closed' | 'open', HeadedGroup[]> & {conditions: ReturnType<typeof conditionGrid>}} Kinds */

const OVER = { tcp: 'TCP', unix: 'a unix socket', tls: 'TLS' };

/** @param {Result} result @param {string[]} common what the titles of all groups share */
function titleOf({ cells, suite, servers }, common) {
  const transports = [...new Set(cells.map(({ transport }) => transport))];
  const [{ kind, software, version }] = servers;
  const where = kind === 'managed' ? 'local' : 'external';
  const what = servers.length === 1 ? said([software, version]).join(' ') : 'servers';
  const over = transports.length === 1 ? ` over ${OVER[transports[0]]}` : '';
  return [...(common.length > 0 ? common : [suite.title]), `${where} ${what}${over}`].join(' · ');
}

/** Rows of a table of several groups that leaves room for the choices below it. */
const MOST_LINES = 8;
const MORE_CAUSES = 2;
const MOST_PARTS = 12;

/** @param {HeadedGroup} group @param {string} text */
const headed = ({ heading }, text) => (heading === '' ? text : `${heading}: ${text}`);

/** @param {HeadedGroup[]} groups @param {Result} result @param {'cause' | 'details'} place @returns {string[]} of each of them */
const sentencesOfGroups = (groups, result, place) =>
  groups.flatMap((group) =>
    sentencesAt(result, place, group.comparison.group).map((text) => headed(group, text)),
  );

/** @type {(result: Result, kinds: Kinds) => Section[]} */
function firstSections(result, { conditions, groups, closed, open }) {
  const isGrid =
    conditions !== null && groups.length + groups.flatMap(({ rows }) => rows).length > MOST_LINES;
  const choices = result.choices.length > 0 ? choicesGrid(result.choices) : undefined;
  const lost = result.findings.flatMap((found) => (found.kind === 'where-time-goes' ? found.cells : []));
  const breakdown = breakdownGrid(groups, lost);
  const cost = passNotes(result.cells);
  const [main = [], ...causes] = sentencesOfGroups(groups, result, 'cause');
  const code = codeNotes(result.choices, result.cells);
  const choose = sentencesAt(result, 'choose');
  const condition = sentencesAt(result, 'condition');
  const next = sentencesAt(result, 'next');
  const below = {
    notes: [...code, ...choose, ...condition, ...[main].flat(), ...next],
    yields: [...[main].flat(), ...condition, ...next, ...code],
  };
  // Each kind of group has a table of its own.
  const grids = [closed.length > 0 && mainGrid(closed), open.length > 0 && ratedGrid(open, true)];
  /** @type {Section[]} */
  const tables = grids.map((grid) => ({
    place: isGrid ? 'room' : 'first',
    ...(isGrid && { heading: 'Results' }),
    grid: grid || undefined,
  }));
  /** @type {Section[]} */
  const ofConditions = conditions
    ? [
        {
          place: breakdown && !isGrid ? 'room' : 'first',
          heading: 'The fastest choice',
          grid: conditions.grid,
          notes: conditions.notes,
        },
      ]
    : [];
  /** @type {Section[]} */
  const concluded =
    isGrid || breakdown
      ? [
          ...(isGrid ? [] : tables),
          ...ofConditions,
          { place: 'first', ...below },
          { place: 'room', heading: 'Choices', grid: choices },
        ]
      : [...tables, ...ofConditions, { place: 'first', grid: choices, ...below }];
  return [
    {
      place: 'first',
      notes: [...(result.partial ? [partialText(result)] : []), ...sentencesAt(result, 'first')],
    },
    ...concluded,
    {
      place: 'first',
      heading: 'Where the time of an operation goes, in µs: p50 · p99',
      grid: breakdown,
      notes: [...sentencesAt(result, 'breakdown'), ...cost],
      yields: cost,
    },
    { place: 'room', notes: groups.length > 1 ? [] : causes.slice(0, MORE_CAUSES) },
    ...(isGrid ? tables : []),
    ...closed.map(rangesSection),
    ...groups.flatMap((group) => groupSections(group, result)),
  ];
}

/** @type {(group: HeadedGroup) => Section} */
const rangesSection = (group) => ({ place: 'room', chart: rangesOf(group) });

/** @type {(group: HeadedGroup, result: Result) => Section[]} */
function groupSections(group, result) {
  const { cells, comparison, heading } = group;
  const drift = driftGrid(group, result.settings);
  const parts = partGrid(cells);
  const isLong = Number(parts?.rows.length) > MOST_PARTS;
  return [
    { place: 'first', heading, grid: drift, notes: drift ? [DRIFT] : [] },
    { place: 'room', heading, grid: versionGrid(cells, comparison, comparesNothing(result)) },
    { place: isLong ? 'details' : 'room', heading, grid: parts },
  ];
}

/** Why their times do not compare. */
const DIFFERENT_RUNS =
  'A slower cell makes fewer iterations, so that its runs are not much longer: compare ops/s, not these milliseconds.';

/** @type {(result: Result, kinds: Kinds) => Section[]} */
function detailSections(result, { conditions, groups, closed, open }) {
  const notes = [...legendOf(result), ...sentencesAt(result, 'details')];
  /** @type {Omit<Section, 'place'>[]} */
  const sections = [
    { heading: 'All choices', grid: conditions?.all ?? undefined },
    { ...detailsOf('All runs', closed), notes: runsDiffer(closed) ? [DIFFERENT_RUNS] : [] },
    ...(open.length > 0 ? [{ heading: 'All figures', grid: ratedGrid(open), notes: RATED }] : []),
    { ...detailsOf('Tests', closed), notes },
    { heading: 'Causes', notes: sentencesOfGroups(groups, result, 'details') },
    ...groups.filter(({ cells }) => !isSearch(cells)).map((group) => ({ chart: curvesOf(group) })),
    detailsOf('Latency', closed),
    ...(result.settings.smoke ? [] : [detailsOf('Costs', closed)]),
    { heading: 'Environment', grid: environmentGrid(result) },
  ];
  return sections.map((section) => ({ place: 'details', ...section }));
}

/** @type {(group: HeadedGroup) => Ranges | undefined} */
function rangesOf(group) {
  const run = group.rows.filter(({ cell }) => cell.runs.length > 0);
  if (run.every(({ cell }) => cell.summary === null)) return undefined;
  return {
    kind: 'ranges',
    label: headed(group, 'operations per second of every run'),
    rows: run.map(({ name, cell: { runs, summary }, behind, state, ranked }) => ({
      name,
      values: runs.map(({ failed, opsPerSecond }) => (failed === null ? opsPerSecond : null)),
      median: summary?.opsPerSecond,
      interval: summary?.intervals.opsPerSecond ?? undefined,
      strong: state === 'fastest' || ranked?.verdict === 'tied',
      notes: [perSecond(summary?.opsPerSecond), behind],
    })),
  };
}

/** @type {(group: HeadedGroup) => Curves | undefined} */
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
