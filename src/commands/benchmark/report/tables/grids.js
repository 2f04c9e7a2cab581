import { clientName, nameCells, nameSubjects } from '../../../../axes/cell-names.js';
import { MEASURING } from '../../../../method.js';
import {
  duration,
  percent,
  perSecond,
  pText,
  ratioShort,
  ratioText,
  whole,
} from '../../../../report/figures.js';
import { filledColumns, gridOf, titled } from '../../../../report/grid.js';
import { NO_BREAK_BLANK } from '../../../../report/wrap.js';
import { inverse, withVerdict } from '../../../../statistics/contrasts.js';
import {
  asIs,
  cellText,
  figureOfCell,
  isOfEnough,
  latencyText,
  metricNamed,
  metricsIn,
  textOf,
} from '../../../../store/metrics.js';
import { sharedTitles } from '../words/legend.js';

/** @import { Comparison, VersionEntry } from '../../judge/types.js' */
/** @import { Summary } from '../../../../store/types.js' */
/** @import { Finding } from '../../findings/types.js' */
/** @import { CellResult, Metric, Report, Run } from '../../../../store/types.js' */
/** @import { Bar, ColumnOf, Grid, State } from '../../../../report/types.js' */

/** @typedef {ReturnType<typeof headedGroups>['groups'][number]} HeadedGroup `heading`: what distinguishes it; empty where it is alone */
/** @typedef {ReturnType<typeof rowsOf>[number]} Row a cell in the tables; `heading`: of the first of a group */
/** @typedef {ColumnOf<Row>} Column */
/** @typedef {Comparison['ranking'][number] | undefined} Ranked missing where it is not compared */
/** @typedef {Extract<Finding, {kind: 'kept-awake'}>['awake'][number]} KeptAwake */

/** @param {CellResult[]} cells of one group @returns {boolean} whether it ran at a given rate */
const isOpen = ([{ openLoop }]) => openLoop !== null;

/** Whether the machine was too busy to compare anything. @param {Pick<Report, 'findings'>} report */
export const isBusy = ({ findings }) => findings.some(({ kind }) => kind === 'too-busy');

/** Whether nothing is compared, so that no figure says how far one is behind another. @param {Pick<Report, 'findings' | 'settings'>} report */
export const comparesNothing = (report) => report.settings.smoke || isBusy(report);

/**
 * While another may be more than 10 % faster than the one in front, or is faster though it is not warm, nothing is known to be best.
 * @param {Pick<Comparison, 'ranking'>} comparison @param {CellResult[]} cells of its group
 */
export const isBestKnown = ({ ranking: [first, ...others] }, cells) =>
  others.length > 0 &&
  others.every(
    ({ verdict, againstFastest: of }) => verdict === 'slower' || Boolean(of && of.high <= MEASURING.tie),
  ) &&
  coldIn(cells).every(({ summary }) => Number(summary?.opsPerSecond) <= first.opsPerSecond);

/** Not compared, and faster than they look. @param {CellResult[]} cells of a group */
export const coldIn = (cells) =>
  cells.filter(({ warm, floor, summary }) => warm === false && !floor && summary?.tooShort === false);

/** @param {{cells: CellResult[]}} group @returns {boolean} whether its tasks sent one operation after the other */
export const isClosed = ({ cells }) => !isOpen(cells);

/** @param {Report} report @returns what its tables need; `common`: what the titles of all groups share */
export function headedGroups(report) {
  const groups = report.comparisons.map((comparison) => ({
    comparison,
    cells: report.cells.filter(({ group }) => group === comparison.group),
  }));
  const { common, titles } = sharedTitles(
    groups.map(({ cells }) => cells),
    report,
  );
  const headed = groups.map(({ comparison, cells }, index) => {
    const heading = titles[index];
    const awake = report.findings.flatMap((finding) =>
      finding.kind === 'kept-awake' && finding.group === comparison.group ? finding.awake : [],
    );
    return {
      comparison,
      cells,
      heading,
      rows: rowsOf(cells, comparison, { heading, isOff: comparesNothing(report), awake }),
    };
  });
  return { common, groups: headed };
}

/**
 * The fastest first, at the end what failed or was skipped.
 * @param {CellResult[]} cells of one group @param {Pick<Comparison, 'ranking'>} comparison
 * @param {{heading: string, isOff: boolean, awake: KeptAwake[]}} known `isOff`: whether nothing is compared
 */
function rowsOf(cells, comparison, { heading, isOff, awake }) {
  const { ranking } = comparison;
  const names = nameSubjects(cells);
  const isOutrun = ranking.some(
    ({ cell: id, ofCeiling }) => Number(ofCeiling) > MEASURING.tie && !isCached(cells, id),
  );
  const isRated = !isClosed({ cells });
  const isKnown = !isOff && isBestKnown(comparison, cells);
  const placeOf = (/** @type {CellResult} */ { id, summary }) => {
    const place = ranking.findIndex(({ cell }) => cell === id);
    return isRated || summary === null ? (place < 0 ? ranking.length : place) : -summary.opsPerSecond;
  };
  return cells.toSorted(isRated ? byRate : (a, b) => placeOf(a) - placeOf(b)).map((cell, index) => {
    const ranked = ranking.find((each) => each.cell === cell.id);
    const state = stateOf(cell, ranked, isKnown);
    const kept = awake.find((each) => each.cell === cell.id);
    return {
      cell,
      name: String(names.get(cell.id)),
      state,
      ranked,
      behind:
        state === 'floor' && isOutrun
          ? 'no floor'
          : behindOf(state, ranked, { isAlone: ranking.length === 1, isKnown, isOff }, cell.runs),
      awake: kept === undefined ? '' : awakeText(kept, isOff),
      heading: index === 0 ? heading : '',
    };
  });
}

/**
 * What kept up stands first. In a search the highest rate that was sustained is the best, and the lowest that was not the
 * next of interest; at a given rate the lowest p99. @param {CellResult} a @param {CellResult} b
 */
function byRate(a, b) {
  const [first, second] = [a, b].map(({ openLoop, summary }) => {
    if (!summary?.openLoop || !openLoop) return [2, 0];
    const { held, p99Us } = summary.openLoop;
    const rate = openLoop.search ? openLoop.ratePerSecond * (held ? -1 : 1) : null;
    return [held ? 0 : 1, rate ?? p99Us ?? Number.MAX_VALUE];
  });
  return first[0] - second[0] || first[1] - second[1];
}

/** @param {KeptAwake} kept @param {boolean} isOff */
const awakeText = ({ timesSlower: ratio, ...kept }, isOff) =>
  isOff && kept.verdict !== 'not measured' ? '?' : ratioShort({ ratio, ...kept });

/** It asks the server less often than the floor. @param {CellResult[]} cells @param {string} id */
const isCached = (cells, id) => Number(cells.find((cell) => cell.id === id)?.summary?.cacheHitRate ?? 0) > 0;

/** @type {(cell: CellResult, ranked: Ranked, isKnown: boolean) => State} */
function stateOf({ skipped, runs, summary, warm, openLoop }, ranked, isKnown) {
  if (skipped !== null) return 'skipped';
  if (summary === null) return runs.length > 0 ? 'failed' : 'not run';
  // The rate was given, so no cell is the fastest.
  if (openLoop !== null) return summary.openLoop?.held === false ? 'not held' : 'close';
  if (ranked === undefined) return summary.tooShort ? 'too short' : warm === false ? 'not warm' : 'floor';
  if (isFirst(ranked)) return isKnown ? 'fastest' : 'unsure';
  return ranked.verdict === 'slower' ? 'slower' : 'close';
}

/**
 * @param {State} state @param {Ranked} ranked
 * @param {{isAlone: boolean, isKnown: boolean, isOff: boolean}} group `isKnown`: whether its first is known to be best
 * @param {Run[]} runs
 */
function behindOf(state, ranked, { isAlone, isKnown, isOff }, runs) {
  if (ranked === undefined) return state;
  if (isAlone) return '';
  const { timesSlower: ratio, verdict, againstFastest } = ranked;
  if (ratio === null) return 'none finished';
  if (isFirst(ranked) && !isKnown) return 'best?';
  if (isOff) return 'not decided';
  const starts = startsOf(runs);
  const interval = againstFastest && inverse(againstFastest);
  return ratioText({ low: interval?.low, high: interval?.high, ratio, verdict, starts });
}

/** It is not behind itself, even where nothing was compared. @param {NonNullable<Ranked>} ranked */
const isFirst = ({ timesSlower, verdict }) =>
  verdict === null || (verdict === 'not measured' && timesSlower === 1);

/** @param {Run[]} runs */
const startsOf = (runs) => new Set(runs.map(({ start }) => start)).size;

/** @param {HeadedGroup[]} groups @returns {boolean} whether the times of runs of different cells do not compare */
export const runsDiffer = (groups) =>
  new Set(groups.filter(isClosed).flatMap(({ cells }) => cells.flatMap(({ iterations }) => iterations ?? [])))
    .size > 1;

/** @param {Row} row */
const headOf = ({ name, state, heading }) => ({ name, state, heading });

/** @param {Metric} metric @returns {Column} the figure of a cell */
const metricColumn = (metric) => ({
  title: metric.title,
  text: ({ cell: { summary } }) => (summary ? cellText(metric, summary) : ''),
});

/** So many always stay on a first screen; of more so many at least, and the best of each client and scenario. */
const [MOST_ROWS, LEAST_ROWS] = [16, 8];
/** Memory is on the first screen from here on: 134 saved results without long pipelines or scans stayed below 273 MB. */
const MUCH_MEMORY = 300e6;

/** @param {HeadedGroup[]} groups in a closed loop @returns {Grid} */
export function mainGrid(groups) {
  const rows = groups.flatMap(({ rows: cells }) => {
    const most = Math.max(...cells.map(({ cell: { summary } }) => (summary ? rangeOf(summary).high : 0)));
    const seen = new Set();
    return cells.map((row, place) => {
      const its = [clientName(row.cell), row.cell.scenario];
      const isFirst = its.some((each) => !seen.has(each));
      for (const each of its) seen.add(each);
      return { ...row, most, isFirst, rank: isFirst ? place : cells.length + place };
    });
  });
  const firsts = rows.filter(({ isFirst }) => isFirst).length;
  const isShort = rows.every(({ cell }) => asIs(cell.runs).length <= MOST_IN_LINE);
  const memory = metricNamed('peakRssBytes');
  const isLarge = rows.some(
    ({ cell: { summary } }) => summary && Number(figureOfCell(memory, summary)) > MUCH_MEMORY,
  );
  const figures = filledColumns(rows, [
    ...FIGURES,
    ...(isLarge ? [{ ...metricColumn(memory), rank: 1 }] : []),
    runsColumn(isShort),
  ]);
  /** @type {ColumnOf<typeof rows[number], string | Bar>} */
  const bar = {
    title: '',
    align: 'left',
    text: ({ cell: { summary }, most }) =>
      summary === null || summary.tooShort ? '' : { value: summary.opsPerSecond, ...rangeOf(summary), most },
  };
  return {
    ...gridOf(rows, (row) => ({ ...headOf(row), rank: row.rank }), [bar, ...figures]),
    most: rows.length <= MOST_ROWS ? MOST_ROWS : Math.min(MOST_ROWS, Math.max(LEAST_ROWS, firsts)),
  };
}

/** A figure that is estimated from all starts may lie beyond those of its own runs. @param {Summary} summary */
const rangeOf = ({ opsPerSecond, opsPerSecondLow, opsPerSecondHigh }) => ({
  low: Math.min(opsPerSecond, opsPerSecondLow),
  high: Math.max(opsPerSecond, opsPerSecondHigh),
});

/** @param {boolean} isShort whether there is room for each run, not only for the one in the middle @returns {Column} */
const runsColumn = (isShort) => ({
  title: `${isShort ? 'runs, ' : ''}ms (spread)`,
  align: 'left',
  rank: 1,
  // They stay in one line.
  text: ({ cell: { skipped, runs } }) =>
    skipped === null
      ? (isShort ? runTexts(asIs(runs)).join(' ') : runsInShort(runs)).replaceAll(' ', NO_BREAK_BLANK)
      : '',
});

/** @type {Column[]} */
const FIGURES = [
  { title: 'ops/s', text: ({ cell }) => perSecond(cell.summary?.opsPerSecond) },
  { title: 'behind', text: ({ behind }) => behind },
  { title: 'kept awake', text: ({ awake }) => awake },
  {
    title: 'of raw',
    rank: 2,
    text: ({ ranked }) => (ranked?.ofCeiling == null ? '' : percent(ranked.ofCeiling)),
  },
  { ...metricColumn(metricNamed('cacheHitRate')), title: 'cache hits', rank: 2 },
  ...['hitRate', 'doubled'].map((id) => ({ ...metricColumn(metricNamed(id)), none: '0', rank: 2 })),
  { ...metricColumn(metricNamed('replicaReadShare')), title: 'by replicas', rank: 2 },
  {
    title: metricNamed('p99Us').title,
    rank: 2,
    text: ({ cell: { summary } }) => latencyText('p99Us', summary?.latency ?? null),
  },
];

const RUNS_SHOWN = 1000;

/** @param {Run[]} runs @returns {string[]} `330 (2)` for each: average elapsed time of its tasks in ms, and the spread */
function runTexts(runs) {
  const shown = runs.slice(0, RUNS_SHOWN).map(({ failed, averageMs, spreadMs }) => {
    if (failed !== null || averageMs === null || spreadMs === null) return 'failed';
    const digits = digitsOf(averageMs);
    return `${averageMs.toFixed(digits)} (${spreadMs.toFixed(digits)})`;
  });
  return runs.length > RUNS_SHOWN ? [...shown, `+ ${whole(runs.length - RUNS_SHOWN)}`] : shown;
}

/** Whole milliseconds; a decimal if rounding would hide a tenth of the figure. @param {number} averageMs */
const digitsOf = (averageMs) => (averageMs < 10 ? 1 : 0);

/** With more runs of any cell, those of all are summed up. */
const MOST_IN_LINE = 3;

/** @param {Run[]} runs @returns {string} the one in the middle, by its average, and how many failed */
function runsInShort(runs) {
  const counted = asIs(runs);
  const good = counted.filter(({ failed }) => failed === null);
  if (good.length === 0) return counted.length === 0 ? '' : `${counted.length} failed`;
  const sorted = good.toSorted((a, b) => Number(a.averageMs) - Number(b.averageMs));
  const failed = counted.length - good.length;
  return `${runTexts([sorted[(sorted.length - 1) >> 1]])}${failed === 0 ? '' : `, ${failed} failed`}`;
}

const MAIN = ['p50Us', 'medianRunP99Us', 'maxUs'];

/**
 * The cells that ran at a given rate: how they kept to it.
 * @param {HeadedGroup[]} groups @param {boolean} [inShort] only the columns that explain themselves @returns {Grid}
 */
export function ratedGrid(groups, inShort = false) {
  const rows = groups.flatMap((group) => group.rows);
  const [achieved, ...others] = metricsIn('open-loop');
  const isSearched = rows.some(({ cell }) => cell.openLoop?.search != null);
  // In a search the rate tells the cells apart.
  const first = [...(isSearched ? [metricNamed('intendedPerSecond')] : []), achieved].map(rateColumn);
  const possible = [
    ...first,
    ...answerColumns(rows[0].cell.openLoop?.sloMs ?? null),
    ...others.filter(({ id }) => !inShort || MAIN.includes(id)).map(rateColumn),
  ];
  const isMeasured = (/** @type {Row} */ { cell }) => Boolean(cell.summary?.openLoop);
  const filled = filledColumns(rows.filter(isMeasured), possible);
  const columns = (filled.length === 0 ? first : filled).map((column, index) => ({
    ...column,
    text: (/** @type {Row} */ row) =>
      isMeasured(row) ? column.text(row) : index === 0 ? String(row.state) : '',
  }));
  const grid = gridOf(rows, headOf, columns);
  return isSearched && inShort ? { ...grid, most: MOST_OF_SEARCH } : grid;
}

const MOST_OF_SEARCH = 8;

export const RATED = [
  'achieved/s: answered operations over the time of sending; client, server: how busy they were',
  'p50, p99, max: from the scheduled start, the p99 of the median run; p99 sent: the same, from sending',
  'late: from the scheduled start to sending',
];

/** @param {Metric} metric @returns {Column} latencies may be microseconds or seconds: no unit fits them all */
const rateColumn = (metric) => ({
  title: metric.tables?.['open-loop'] ?? metric.title,
  text({ cell: { summary } }) {
    if (summary === null) return '';
    const us = metric.unit === 'µs' && isOfEnough(metric, summary) ? figureOfCell(metric, summary) : null;
    return us == null ? cellText(metric, summary) : duration(us);
  },
});

/** Columns that are no metric. A rate is sustained against an SLO. @type {(sloMs: number | null) => Column[]} */
const answerColumns = (sloMs) => [
  {
    title: sloMs === null ? 'kept up' : `sustained (SLO ${duration(sloMs * 1000)})`,
    text: ({ cell: { summary } }) => {
      const { runs = 0, openLoop } = summary ?? {};
      const held = openLoop?.heldRuns ?? 0;
      return held === 0 ? 'no' : held === runs ? 'yes' : `${held} of ${runs}`;
    },
  },
  {
    title: 'EXISTS true/false',
    text: ({ cell: { summary } }) =>
      summary?.answers ? `${whole(summary.answers.true)}/${whole(summary.answers.false)}` : '',
  },
];

/** The versions in their order, each against the newest and against the one before. @param {CellResult[]} cells @param {Pick<Comparison, 'versions'>} comparison @param {boolean} [isOff] whether nothing is compared @returns {Grid | undefined} */
export function versionGrid(cells, { versions }, isOff = false) {
  if (versions.length === 0) return undefined;
  const names = nameCells(cells);
  const entries = versions.flatMap((version) => version.entries);
  const series = VERSIONED.map((id) => {
    const metric = metricNamed(id);
    const title = String(metric.tables?.versions);
    /** @type {(other: 'toNewest' | 'toPrevious') => (entry: VersionEntry) => string} */
    const ratioTo = (other) => (entry) => ratioShort(withVerdict(entry[id][other]));
    const ratios = [
      { title: `${title}, vs newest`, none: UNDECIDED, text: ratioTo('toNewest') },
      { title: `${title}, vs prior`, none: UNDECIDED, text: ratioTo('toPrevious') },
    ];
    const figure = { title, text: (/** @type {VersionEntry} */ entry) => textOf(metric, entry[id].median) };
    const isDecided = !isOff && filledColumns(entries, ratios).length > 0;
    return { title, isDecided, columns: isDecided ? [figure, ...ratios] : [figure] };
  });
  const open = series.flatMap(({ title, isDecided }) => (isDecided ? [] : title));
  return {
    note: open.length > 0 && !isOff ? `Not decided between these releases: ${open.join(', ')}` : '',
    ...gridOf(
      entries,
      ({ cell }) => ({ name: names.get(cell) ?? cell }),
      series.flatMap(({ columns }) => columns),
    ),
  };
}

const UNDECIDED = '?';
/** @type {('opsPerSecond' | 'cpuUsPerOp')[]} */
const VERSIONED = ['opsPerSecond', 'cpuUsPerOp'];

/** @type {('p50Us' | 'p99Us' | 'p999Us' | 'maxUs')[]} */
const LATENCIES = ['p50Us', 'p99Us', 'p999Us', 'maxUs'];

/** @param {CellResult[]} cells of one group @returns {Grid | undefined} */
export function partGrid(cells) {
  const names = nameCells(cells);
  const rows = cells
    .toSorted((a, b) => (b.summary?.opsPerSecond ?? 0) - (a.summary?.opsPerSecond ?? 0))
    // A short run need not come to every command of a recording.
    .flatMap(({ id, summary }) => (summary?.parts ?? []).map((part) => ({ ...part, of: names.get(id) })))
    .filter(({ count }) => count > 0)
    .map(({ of, name, count, perSecond: rate, latency }) => ({
      name: `${of}: ${name}`,
      // Latencies may be microseconds or seconds: no unit fits them all.
      texts: [whole(count), perSecond(rate), ...LATENCIES.map((id) => latencyText(id, latency))],
    }));
  if (rows.length === 0) return undefined;
  const columns = titled(['count', '/s', ...LATENCIES.map((id) => metricNamed(id).title)]);
  return { note: 'Each command apart: the latencies of all runs together', columns, rows };
}

/** What stands in the details, by its heading. @satisfies {Record<string, () => Column[]>} */
const DETAILS = {
  'All runs': () => [
    { title: 'iterations', text: ({ cell }) => whole(cell.iterations) },
    {
      title: 'average (spread) of each run, ms',
      align: 'left',
      text: ({ cell: { runs } }) =>
        runTexts(runs)
          .map((text, index) =>
            `${text}${runs[index]?.awake ? ' awake' : ''}`.replaceAll(' ', NO_BREAK_BLANK),
          )
          .join(' '),
    },
  ],
  // How the cells compare with the fastest, with p corrected for all comparisons.
  Tests: () => [
    {
      title: 'p',
      text: ({ ranked }) => (ranked?.againstFastest ? pText(ranked.againstFastest.pAdjusted) : ''),
    },
    { title: 'limited by', text: ({ cell }) => cell.summary?.bottleneck.limit?.replace('-', ' ') ?? '' },
    {
      title: 'runs',
      text: ({ cell: { summary, runs } }) =>
        summary?.runs === runs.length ? `${runs.length}` : `${summary?.runs ?? 0} of ${runs.length}`,
    },
  ],
  Latency: () => metricsIn('latency').map(metricColumn),
  Costs: () =>
    metricsIn('cost')
      .filter(({ tables = {} }) => !('latency' in tables))
      .map((metric) => ({ ...metricColumn(metric), title: String(metric.tables?.cost) })),
};

/**
 * Columns that no row fills are left out.
 * @type {(heading: keyof typeof DETAILS, groups: HeadedGroup[]) => {heading: string, grid?: Grid}}
 */
export function detailsOf(heading, groups) {
  const isIn = (/** @type {Row} */ { cell }) =>
    heading === 'All runs' ? cell.runs.length > 0 : cell.summary !== null;
  const rows = groups.flatMap((group) =>
    // The heading stands above the first row that is left.
    group.rows.filter(isIn).map((row, index) => ({ ...row, heading: index === 0 ? group.heading : '' })),
  );
  const columns = filledColumns(rows, DETAILS[heading]());
  return { heading, ...(columns.length > 0 && { grid: gridOf(rows, headOf, columns) }) };
}
