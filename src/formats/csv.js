import { axisColumns } from '../axes/all-axes.js';
import { csvFields, csvLine } from '../report/escaped.js';
import { factText } from '../report/fact-words.js';
import { figureOfCell, figureOfRun, METRICS, metricsOfRuns } from '../store/metrics.js';

/** @import { FormatPlugin } from '../plugins/types.js' */
/** @import { CellResult, Metric, Run } from '../store/types.js' */
/** @import { Value } from '../report/escaped.js' */

/** @template T @typedef {[name: string, of: (each: T) => Value]} Column */

/** @satisfies {FormatPlugin} */
export default {
  summary: 'a row per run (RFC 4180)',

  render: ({ cells }) => ({ [Symbol.iterator]: () => rows(cells) }),
};

/** Rows of one text: many enough that writing them costs little, few enough to need no memory. */
const ROWS_AT_ONCE = 500;

/** @param {CellResult[]} cells @returns {Generator<string>} all together 75 MB for 100,000 runs */
function* rows(cells) {
  const ofRuns = runColumns(cells);
  const ofCells = cellColumns(cells, new Set(ofRuns.map(([name]) => name)));
  yield csvLine([...ofCells, ...ofRuns].map(([name]) => name));
  for (const cell of cells) {
    const start = csvFields(ofCells.map(([, of]) => of(cell)));
    // A cell without runs has a row too, which says that it was skipped or not reached.
    if (cell.runs.length === 0) yield `${start},${csvLine(ofRuns.map(() => null))}`;
    for (let first = 0; first < cell.runs.length; first += ROWS_AT_ONCE) {
      const texts = cell.runs
        .slice(first, first + ROWS_AT_ONCE)
        .map((run) => `${start},${csvLine(ofRuns.map(([, of]) => of(run)))}`);
      yield texts.join('');
    }
  }
}

/** @param {CellResult[]} cells @returns {Column<Run>[]} */
function runColumns(cells) {
  return [
    ['round', (run) => run.round],
    ...metricsOfRuns().map(columnOf),
    ['held', (run) => run.openLoop?.held],
    ['answersTrue', (run) => run.answers?.true],
    ['answersFalse', (run) => run.answers?.false],
    ['wrongReplies', (run) => run.wrongReplies],
    ['failed', (run) => run.failed],
    ['warnings', (run) => run.warnings.join('; ')],
    ...partColumns(cells),
  ];
}

/** @param {Metric} metric @returns {Column<Run>} */
const columnOf = (metric) => [metric.id, (run) => figureOfRun(metric, run)];

/** @type {('p50Us' | 'p99Us' | 'p999Us' | 'maxUs')[]} */
const LATENCIES = ['p50Us', 'p99Us', 'p999Us', 'maxUs'];

/** @param {CellResult[]} cells @returns {Column<Run>[]} of the parts that runs of any of them have */
function partColumns(cells) {
  const parts = cells.flatMap(({ runs }) => runs.flatMap((run) => run.parts ?? []));
  return [...new Set(parts.map(({ name }) => name))].flatMap((name) => {
    /** @type {Column<Run>[]} */
    const columns = [
      [`${name} count`, (run) => partOf(run, name)?.count],
      [`${name} perSecond`, (run) => partOf(run, name)?.perSecond],
    ];
    for (const id of LATENCIES) columns.push([`${name} ${id}`, (run) => partOf(run, name)?.latency?.[id]]);
    return columns;
  });
}

/** @param {Run} run @param {string} wanted */
const partOf = ({ parts = [] }, wanted) => parts.find(({ name }) => name === wanted);

/** Of passes after the runs: the same in each row of a cell. @param {CellResult[]} cells @returns {Column<CellResult>[]} */
const passColumns = (cells) =>
  METRICS.filter(
    ({ ofPass, in: part }) => ofPass && cells.some(({ summary }) => part && summary?.[part]),
  ).map((metric) => [metric.id, ({ summary }) => summary && figureOfCell(metric, summary)]);

/** @param {CellResult[]} cells @param {Set<string>} taken the names of other columns @returns {Column<CellResult>[]} */
const cellColumns = (cells, taken) => [
  ['cell', ({ id }) => id],
  ['group', ({ group }) => group],
  ...axisColumns(cells).map(
    /** @returns {Column<CellResult>} */
    ({ name, longName, of }) => [taken.has(name) ? longName : name, of],
  ),
  ['iterations', ({ iterations }) => iterations],
  ...passColumns(cells),
  ['skipped', ({ skipped }) => skipped && factText(skipped)],
];
