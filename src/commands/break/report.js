import { axesOf, conditionAxes, sameBut } from '../../axes/all-axes.js';
import {
  conditionsIn,
  conditionsOf,
  nameCells,
  sharedConditions,
  variantNote,
} from '../../axes/cell-names.js';
import { groupBy } from '../../collections.js';
import { duration, joined, said, spanText, whole } from '../../report/figures.js';
import { filledColumns, gridOf } from '../../report/grid.js';
import { emittedText } from '../../report/run-remarks.js';
import { whyNot } from '../../run/ranked-report.js';
import { figureOfRun, metricNamed, metricsIn, textOf } from '../../store/metrics.js';
import { isSilent } from './length.js';
import { faultRunsOf, isLateBefore, outcomeOf, rangeOf, STRIPS_LEGEND, stripOf } from './outcome.js';

/** @import { Column, ColumnOf, CommonReport, Grid, Report, Section, State } from '../../report/types.js' */
/** @import { CellResult, Metric, Report as Result } from '../../store/types.js' */
/** @import { FaultRun } from './types.js' */
/** @import { FaultOutcome, FaultRange } from './outcome.js' */

/** @typedef {{cell: CellResult, outcome: FaultOutcome | null, name: string, fault: string}} Broken */

/** With more rows the first screen has a row for each client, and a column for each fault. */
const MOST_ROWS = 14;

/**
 * What broke, and how clients came through.
 * @param {Result} result @param {CommonReport} common
 * @returns {Report}
 */
export function reportOf({ cells, settings }, { facts, remarks, environment, ended }) {
  const all = brokenIn(cells, settings);
  const rows = all.flatMap(({ outcome, ...row }) => (outcome === null ? [] : { ...row, outcome }));
  const byNode = all.flatMap(byNodes);
  const faults = [...new Set(byNode.map(({ fault }) => fault))];
  const choices = choicesGrid(all);
  const isLong = byNode.length + faults.length + choices.rows.length > MOST_ROWS;
  const isOne = new Set(all.map(({ fault }) => fault)).size === 1;
  const main = mainGrid(byNode, faults);
  const figures = allGrid(all);
  /** @type {Section[]} */
  const sections = [
    { place: 'first', notes: said([ended]) },
    { place: 'first', grid: isOne && !isLong ? undefined : choices },
    { place: 'first', grid: isLong ? matrix(all, choices) : undefined },
    {
      place: isLong ? 'room' : 'first',
      heading: isLong ? 'Each fault' : '',
      grid: main,
      notes: said([isMarked(main) && BEST]),
    },
    { place: 'first', notes: notesOf(rows) },
    { place: 'room', notes: settingsOf(rows) },
    { place: 'details', heading: 'Over time', grid: stripsGrid(byNode) },
    { place: 'details', heading: 'All figures', grid: figures, notes: meaningsOf(figures) },
    { place: 'details', heading: 'Errors', grid: errorsGrid(all), notes: emittedNotes(all) },
    { place: 'details', heading: 'Environment', grid: environment },
  ];
  return {
    title: ['When it breaks', ...sharedConditions(cells, settings, ['fault', 'idle'])].join(' · '),
    facts,
    sections: sections.filter(({ grid, notes = [] }) => (grid?.rows.length ?? 0) > 0 || notes.length > 0),
    // Faults make clients emit errors: a column has their number.
    remarks: remarks.filter(({ isEmitted }) => !isEmitted),
    verdicts: [],
  };
}

/** @param {CellResult[]} cells @param {Result['settings']} settings @returns {Broken[]} in the order of the plan */
function brokenIn(cells, settings) {
  const varying = (/** @type {string} */ id) =>
    axesOf(cells).some((axis) => axis.id === id && new Set(cells.map((cell) => axis.of(cell))).size > 1);
  const except = [...conditionsIn(cells), ...['scenario'].filter((id) => !varying(id))];
  const names = nameCells(cells, except);
  const [fault] = conditionAxes(cells).filter(({ id }) => id === 'fault');
  return cells.map((cell) => ({
    cell,
    outcome: outcomeOf(cell),
    name: names.get(cell.id) ?? cell.id,
    fault: conditionsOf(cell, cells) || `${fault?.title?.(cell, settings) ?? ''}`,
  }));
}

/** Whose keys. @type {[keyof NonNullable<FaultRun['nodes']>, string][]} */
const NODES = [
  ['broken', 'keys of the broken node'],
  ['others', 'keys of the others'],
];

/**
 * Where one node of a cluster breaks, what happens to its keys says nothing of the others.
 * @param {Broken} row @returns {Broken[]} a row for each of both
 */
function byNodes({ cell, name, fault, ...row }) {
  if (faultRunsOf(cell).every(({ nodes }) => nodes === undefined)) return [{ cell, name, fault, ...row }];
  return NODES.map(([which, whose]) => {
    const runs = cell.runs.flatMap((run) =>
      run.fault?.nodes ? { ...run, fault: { ...run.fault, ...run.fault.nodes[which] } } : [],
    );
    const part = { ...cell, runs };
    return { cell: part, outcome: outcomeOf(part), name, fault: `${fault}, ${whose}` };
  });
}

/** @param {Metric} metric @returns {ColumnOf<Broken>} */
const metricColumn = (metric) => ({
  title: String(metric.tables?.fault),
  text: (row) => rangeText(metric, row),
  none: metric.unit === 'operations' || metric.unit === 'times' ? '0' : undefined,
});

/**
 * @param {string} id @param {(outcome: FaultOutcome) => FaultRange} [of] by which the best is found
 * @param {number} [noticed] a smaller one is as good as none; 0 for a harm, in which the harmed are compared, too
 */
const named = (id, of, noticed = 0) => ({ ...metricColumn(metricNamed(id)), of, noticed });

/** @param {string} id of a figure of all commands @param {string} title @returns {Metric} */
const titled = (id, title) => ({ ...metricNamed(id), tables: { fault: title } });

const EMITTED = titled('emittedErrors', 'emitted');
const CPU = titled('cpuUsPerOp', 'CPU/op');

/** Those that are judged always stand there, the others where it happened to anyone. */
const COLUMNS = [
  named('firstCallMs'),
  named('recoveredMs', ({ recoveredMs }) => recoveredMs, 100),
  named('longestWaitMs', ({ longestWaitMs }) => longestWaitMs, 100),
  named('operationsFailed', failedShare, 0.002),
  named('acknowledgedButLost', ({ lost }) => lost),
  named('doneTwice', ({ doneTwice }) => doneTwice),
  named('operationsUnanswered'),
  named('answeredWrongly'),
  named('doneInPart'),
  named('doneThoughFailed'),
  { ...metricColumn(EMITTED), of: undefined, noticed: 0 },
];
const BEST = '* at least twice as good as those without it, in its column.';
const BEST_MARK = '* ';
const STRIP_COLUMNS = 20;
const LONG_STRIP_COLUMNS = 60;
/** @type {Column} */
const STRIP = { title: 'over time', align: 'left', legend: STRIPS_LEGEND };

/** @param {Grid} grid */
const isMarked = ({ rows }) =>
  rows.some(({ texts }) => texts.some((text) => `${text}`.startsWith(BEST_MARK)));

/** @param {Broken[]} all @returns {Grid} */
const stripsGrid = (all) => ({
  columns: [STRIP],
  rows: all.flatMap(({ name, fault, cell }) =>
    faultRunsOf(cell)
      .slice(0, 1)
      .map(({ timeline }) => ({
        name: `${fault}: ${name}`,
        texts: [stripOf(timeline, LONG_STRIP_COLUMNS)],
      })),
  ),
});

/** @param {Broken[]} all @param {string[]} faults @returns {Grid} a row for each client under each fault */
function mainGrid(all, faults) {
  const columns = COLUMNS.filter((column) => column.of || filledColumns(all, [column]).length > 0);
  /** @type {Grid['rows']} */
  const rows = faults.flatMap((fault) => {
    const own = inOrder(all.filter((row) => row.fault === fault));
    const best = columns.map((column) => bestOf(column, own));
    return own.map((row, index) => {
      const { name, cell, outcome } = row;
      const marks = columns.map((_, at) => outcome !== null && best[at].has(outcome));
      const texts = columns.map((column, at) => `${marks[at] ? BEST_MARK : ''}${column.text(row)}`);
      const [run] = faultRunsOf(cell);
      return {
        name,
        texts:
          run === undefined
            ? [whyNot(cell), ...columns.map(() => '')]
            : [...texts, stripOf(run.timeline, STRIP_COLUMNS)],
        state: [...marks, false].map((isBest) => (isBest ? 'fastest' : 'close')),
        ...(index === 0 && { heading: fault }),
      };
    });
  });
  const strip = { ...STRIP, rank: 1, spare: true };
  return { columns: [...columns.map(({ title }) => ({ title })), strip], rows, most: MOST_ROWS };
}

/** @param {Broken[]} rows of one fault @returns {Broken[]} the soonest to recover first; then by the longest wait */
const inOrder = (rows) =>
  rows.toSorted(
    (a, b) =>
      recoveredMs(a.outcome) - recoveredMs(b.outcome) ||
      Number(a.outcome?.longestWaitMs.high) - Number(b.outcome?.longestWaitMs.high),
  );

/** @param {FaultOutcome | null} outcome */
function recoveredMs(outcome) {
  if (outcome === null) return Number.MAX_VALUE;
  return outcome.struck && !hasRecovered(outcome) ? Number.MAX_SAFE_INTEGER : (outcome.recoveredMs.high ?? 0);
}

/** Whether its figures are about the whole fault and nothing else. @param {FaultOutcome} outcome */
const isJudged = (outcome) => !outcome.outlasted && !isLateBefore(outcome);

/** Runs of one client differ by as much: node-redis was back 1.1 s or 1.98 s after a restart that took 1 s. */
const AS_GOOD = 2;

/** @param {FaultOutcome} outcome @returns {FaultRange} */
function failedShare({ failed, scheduled }) {
  return rangeOf(
    [failed.low, failed.high].map((count) => Number(count) / Math.max(1, Number(scheduled.high))),
  );
}

/**
 * Only those that were unharmed and recovered are compared, if any did: failing at once for ever is no short wait.
 * @param {ReturnType<typeof named>} column @param {Broken[]} rows of one fault
 * @returns {Set<FaultOutcome>} the best; none where these runs show no difference
 */
function bestOf({ of, noticed }, rows) {
  if (of === undefined) return new Set();
  const struck = rows.flatMap(({ outcome }) => (outcome?.struck ? outcome : []));
  const judged = struck.filter(isJudged);
  const sound = judged.filter(({ harmed }) => !harmed);
  const recovered = sound.filter(hasRecovered);
  const compared = noticed === 0 ? judged : recovered.length > 0 ? recovered : sound;
  const known = compared.filter((outcome) => of(outcome).high !== null);
  const least = Math.min(...known.map((outcome) => Number(of(outcome).high)));
  const isAsGood = (/** @type {FaultOutcome} */ outcome) => {
    const { low, high } = of(outcome);
    return high !== null && (Number(low) <= AS_GOOD * least || Number(high) <= noticed);
  };
  const best = known.filter(isAsGood);
  // One that is left out for what it lost, and as good in this, contradicts the mark.
  if (judged.some((outcome) => !compared.includes(outcome) && isAsGood(outcome))) return new Set();
  return new Set(best.length < judged.length ? best : []);
}

/** @param {FaultOutcome} outcome */
const hasRecovered = ({ recoveredMs, unseenRuns }) => !recoveredMs.never && unseenRuns === 0;

/** @param {Broken[]} all @param {Grid} choices @returns {Grid} a row for each client in their order, a column for each fault */
function matrix(all, choices) {
  const wait = metricNamed(all.every(({ cell }) => cell.idleMs) ? 'firstCallMs' : 'longestWaitMs');
  const nameOf = (/** @type {Broken} */ { cell, fault }) =>
    all.some((other) => other.cell.fault?.name === cell.fault?.name && other.fault !== fault)
      ? fault
      : `${cell.fault?.name}`;
  const names = [...new Set(all.map(nameOf))];
  const placeOf = (/** @type {{name: string}} */ { name }) =>
    choices.rows.findIndex((row) => row.name === name);
  const sorted = byChoice(all).sort((a, b) => placeOf(a) - placeOf(b));
  /** @type {Grid['rows']} */
  const rows = sorted.map(({ name, own }) => {
    const fields = names.map((each) => own.find((row) => nameOf(row) === each));
    return {
      name,
      texts: fields.map((row) =>
        row === undefined ? '' : row.outcome === null ? whyNot(row.cell) : rangeText(wait, row),
      ),
      state: fields.map((row) => (row?.outcome?.harmed ? 'failed' : 'close')),
    };
  });
  return { names: { title: String(wait.tables?.fault) }, columns: names.map((title) => ({ title })), rows };
}

const CAME_THROUGH =
  'Came through: it recovered, every caller got a reply, and no write was lost or done twice.';

/**
 * A client came through a fault where no caller was told of a failure or left waiting, nothing was lost or repeated, and it
 * recovered. What a caller was told had failed, and was done, is done twice by a caller who tries again.
 * @param {Broken[]} all @returns {Grid} who came through, the least harmed first
 */
function choicesGrid(all) {
  const choices = byChoice(all).map(({ name, own }) => {
    const troubles = own.flatMap(({ cell, outcome }) => {
      const problems = outcome === null ? [whyNot(cell)] : problemsOf(outcome);
      return problems.length === 0 ? [] : [`${cell.fault?.name}: ${problems.join(', ')}`];
    });
    return { name, of: own.length, troubles, harmed: own.filter(({ outcome }) => outcome?.harmed).length };
  });
  choices.sort((a, b) => a.troubles.length - b.troubles.length || a.harmed - b.harmed);
  const isLeast = (/** @type {typeof choices[number]} */ { troubles, harmed }) =>
    troubles.length === choices[0].troubles.length && harmed === choices[0].harmed;
  return {
    names: { title: 'choose' },
    columns: [
      { title: 'came through', legend: CAME_THROUGH },
      { title: 'trouble', align: 'left' },
    ],
    rows: choices.map((choice) => ({
      name: choice.name,
      texts: [`${choice.of - choice.troubles.length} of ${choice.of}`, choice.troubles.join('; ')],
      state: isLeast(choice) ? 'fastest' : 'close',
    })),
  };
}

/** @param {Broken[]} all @returns {{name: string, own: Broken[]}[]} the same choices under each fault */
function byChoice(all) {
  const cells = all.map(({ cell }) => cell);
  const keyOf = sameBut(conditionsIn(cells), cells);
  return groupBy(all, ({ cell }) => keyOf(cell)).map((own) => ({ name: own[0].name, own }));
}

/** @param {FaultOutcome} outcome @returns {string[]} what must not happen, and did, and what is not known */
function problemsOf(outcome) {
  const { crashes, failed, doneThoughFailed, unanswered, wrong, lost, doneTwice, doneInPart } = outcome;
  const { outlasted, recoveredMs, unseenRuns } = outcome;
  const counted = (/** @type {FaultRange} */ { high }, /** @type {string} */ text) =>
    Number(high) > 0 && `${whole(high)} ${text}`;
  return said([
    crashes.length > 0 && 'crashed',
    !outlasted && counted(unanswered, 'left waiting'),
    counted(wrong, 'answered wrongly'),
    counted(lost, 'lost'),
    counted(doneTwice, 'done twice'),
    counted(doneInPart, 'done in part'),
    counted(failed, 'failed'),
    counted(doneThoughFailed, 'failed but done'),
    isLateBefore(outcome) && (outcome.struck ? 'late before' : 'late'),
    !isLateBefore(outcome) && outcome.struck && recoveredMs.never && 'not recovered',
    !isLateBefore(outcome) && unseenRuns > 0 && 'recovery not seen',
  ]);
}

/** @param {{cell: CellResult, outcome: FaultOutcome, name: string, fault: string}[]} rows @returns {string[]} */
function notesOf(rows) {
  if (rows.length === 0) return [];
  const late = rows.filter(({ outcome }) => isLateBefore(outcome));
  const unseen = rows.filter(({ outcome }) => outcome.unseenRuns > 0 && !isLateBefore(outcome));
  const endless = unseen.filter(waitsForEver);
  const others = unseen.filter((row) => !endless.includes(row));
  const neededS = Math.ceil(Math.max(...others.map(({ outcome }) => outcome.neededMs)) / 1000);
  const proves = new Set(rows.map(({ outcome }) => outcome.proves));
  return said([
    ...rows.flatMap(({ name, fault, outcome }) =>
      outcome.crashes.slice(0, 1).map((crash) => `${name}, ${fault}: ${crashText(crash, outcome)}.`),
    ),
    late.some(({ outcome }) => outcome.struck) &&
      'late before: late before the fault, too, so not judged; use a lower --rate or a higher --slo.',
    late.some(({ outcome }) => !outcome.struck) &&
      'late: late though nothing broke, so not judged; use a lower --rate or a higher --slo.',
    others.length > 0 &&
      `not seen: not recovered when the run ended, which may have been too soon; use --duration ${neededS}s.`,
    endless.length > 0 &&
      `not seen: no option of ${joined([...new Set(endless.map(({ name }) => name))], 'or')} ends a silent connection, so a longer run may not show more.`,
    proves.has('replies') && 'Only replies were checked: a lost or repeated write would not show.',
    proves.has('writes') &&
      "Writes were looked for in the server's data: one that was repeated would not show.",
    rows.some(({ cell }) => cell.topology === 'cluster') &&
      'When a node is down, the others serve their keys (cluster-require-full-coverage no), as with managed services.',
    rows.every(({ outcome }) => outcome.runs === 1)
      ? 'One run of each proves little: --runs 3 shows how much it varies.'
      : 'Ranges are from the least to the most of all runs.',
  ]);
}

/** @param {{cell: CellResult}[]} rows @returns {string[]} what the results depend on */
const settingsOf = (rows) =>
  said([
    ...new Set(rows.map(({ cell }) => (cell.variant.startsWith('{') ? '' : variantNote(cell)))),
    'Results depend on the rate, --tasks, --rtt, --topology and the options of each client.',
  ]);

/** @param {Broken} row whether by its options the client keeps a connection on which nothing comes */
const waitsForEver = ({ cell }) =>
  isSilent(cell.fault) && faultRunsOf(cell).some(({ silenceLimitMs }) => silenceLimitMs === null);

/** @param {FaultOutcome['crashes'][number]} crash the first @param {FaultOutcome} outcome */
function crashText({ kind, message, at, ms }, { crashes, runs }) {
  const when = `${duration(ms * 1000)}${runs > 1 ? ` (in ${crashes.length} of ${runs} runs)` : ''}`;
  if (kind === 'stuck')
    return `its process gave no sign after ${when} and was killed: its event loop hung, or had too much to do`;
  if (kind === 'exit') return `its process ended after ${when}: ${message}`;
  return `an application would have crashed after ${when}, on an ${kind === 'exception' ? 'uncaught exception' : 'unhandled rejection'} (${message}${at === null ? '' : ` at ${at}`})`;
}

/** @param {Broken[]} all @returns {Grid} */
function allGrid(all) {
  const columns = filledColumns(all, [...metricsIn('fault'), EMITTED, CPU].map(metricColumn));
  const rows = all.filter(({ outcome }) => outcome !== null);
  return gridOf(rows, ({ name, fault }) => ({ name: `${fault}: ${name}` }), columns);
}

/** What columns mean, by their titles. @type {Record<string, string>} */
const MEANINGS = {
  recovered: "from the fault until 95 % of a second's operations were done within --slo",
  'first call': 'what the first caller after the pause waited; all other times are from its end too',
  'longest wait': 'for a reply or an error (>: still waiting at the end)',
  'left waiting': 'callers at the end',
  lost: "acknowledged, and not in the server's data at the end",
  twice: "by the server's data at the end",
  'in part': "by the server's data at the end",
  'failed but done': 'although callers got an error',
  emitted: 'error events of the client',
  'MB more': 'memory of the process',
};

/** @param {Grid} grid @returns {string[]} of its columns */
const meaningsOf = ({ columns }) =>
  columns.flatMap(({ title }) => (title in MEANINGS ? `${title}: ${MEANINGS[title]}` : []));

/** @param {Broken[]} all @returns {Grid} what callers were told, the most frequent first */
function errorsGrid(all) {
  const rows = all.flatMap(({ name, fault, cell }) => {
    const causes = cell.runs.flatMap(({ errors }) => Object.entries(errors));
    return causes
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MOST_ERRORS)
      .map(([message, count]) => ({ name: `${fault}: ${name}`, texts: [whole(count), message] }));
  });
  return { columns: [{ title: 'callers' }, { title: 'error', align: 'left' }], rows };
}
const MOST_ERRORS = 3;

/** @param {Broken[]} all */
const emittedNotes = (all) =>
  all.flatMap(({ name, fault, cell }) => {
    const text = emittedText(cell.runs);
    return text === '' ? [] : `${name}, ${fault}: ${text}.`;
  });

/** @param {Metric} metric @param {Pick<Broken, 'cell' | 'outcome'>} row @returns {string} of several runs the least and the most */
function rangeText(metric, { cell, outcome }) {
  const { id, unit } = metric;
  const isFirst = id === 'firstCallMs';
  if (outcome === null || (isFirst && cell.idleMs === undefined)) return '';
  const isRecovery = id === 'recoveredMs';
  if (isRecovery && isLateBefore(outcome)) return outcome.struck ? 'late before' : 'late';
  const runs = cell.runs.filter(({ failed, fault }) => failed === null && fault !== undefined);
  const figures = runs.map((run) => figureOfRun(metric, run));
  if (figures.every((figure) => figure === undefined)) return '';
  const { low, high, never } = isRecovery
    ? outcome.recoveredMs
    : rangeOf(figures.map((figure) => figure ?? null));
  // Nothing is waited for where nothing breaks.
  const isMissing = never || (isRecovery && outcome.unseenRuns > 0);
  const missingText =
    isMissing && unit === 'ms' && outcome.struck && id !== 'loopDelayMaxMs' ? missingOf(id, outcome) : '';
  if (low === null || high === null) return missingText;
  const endless = id === 'longestWaitMs' && runs.some(({ fault }) => fault?.longestWaitAnswered === false);
  const span = spanText(textOf(metric, low), missingText || textOf(metric, high), '–');
  const error = isFirst && runs.some(({ fault }) => fault?.firstCallError) ? ', error' : '';
  return `${endless ? '> ' : ''}${span}${error}`;
}

/**
 * A time that did not come. Only of a process that is gone is it known that it never will.
 * @param {string} id of its metric @param {FaultOutcome} outcome
 */
function missingOf(id, { crashes, unseenRuns }) {
  if (id === 'firstCallMs') return 'no reply';
  return crashes.length > 0 && unseenRuns === 0 ? 'never' : 'not seen';
}
