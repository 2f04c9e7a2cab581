import { axisColumns } from '../../axes/ids.js';
import { figureOfRun, metricsOfRuns } from '../../metrics/metric-values.js';
import { mapPoints } from '../tables/map-grid.js';
import { csvFields, csvLine } from '../words/escaped.js';
import { factText } from '../words/fact-words.js';

/** @import { MapPoint } from '../../analysis/types.js' */
/** @import { Metric } from '../../metrics/types.js' */
/** @import { CellResult, Report, Run } from '../../results/types.js' */
/** @import { Value } from '../words/escaped.js' */

/** The columns of a run besides metrics; empty for a cell without runs. @type {[name: string, of: (run: Run) => Value][]} */
const RUN = [
  ['held', (run) => run.openLoop?.held],
  ['answersTrue', (run) => run.answers?.true],
  ['answersFalse', (run) => run.answers?.false],
  ['wrongReplies', (run) => run.wrongReplies],
  ['failed', (run) => run.failed],
  ['warnings', (run) => run.warnings.join('; ')],
];

/**
 * @returns {[name: string, of: (run: Run) => Value][]} the columns of a run; a metric with an earlier name is repeated under it
 */
function runColumns() {
  const metrics = metricsOfRuns();
  return [
    ['round', (run) => run.round],
    ...metrics.map((metric) => columnOf(metric.id, metric)),
    ...RUN,
    ...metrics.flatMap((metric) => (metric.formerColumns ?? []).map((name) => columnOf(name, metric))),
  ];
}

/** @param {string} name @param {Metric} metric @returns {[name: string, of: (run: Run) => Value]} */
const columnOf = (name, metric) => [name, (run) => figureOfRun(metric, run)];

const LATENCIES = /** @type {const} */ (['p50Us', 'p99Us', 'p999Us', 'maxUs']);

/**
 * @param {CellResult[]} cells
 * @returns {[name: string, of: (run: Run) => Value][]} the columns of what is distinguished in any of them
 */
function partColumns(cells) {
  const parts = cells.flatMap(({ runs }) => runs).flatMap((run) => run.parts ?? []);
  return [...new Set(parts.map(({ name }) => name))].flatMap((name) => [
    [`${name} count`, (run) => partOf(run, name)?.count],
    [`${name} perSecond`, (run) => partOf(run, name)?.perSecond],
    ...LATENCIES.map((id) => latencyColumn(name, id)),
  ]);
}

/** @param {string} name @param {typeof LATENCIES[number]} id @returns {[name: string, of: (run: Run) => Value]} */
const latencyColumn = (name, id) => [`${name} ${id}`, (run) => partOf(run, name)?.latency?.[id]];

/** @param {Run} run @param {string} name */
const partOf = ({ parts = [] }, name) => parts.find((part) => part.name === name);

export default {
  id: 'csv',
  summary: 'a row a run, or of a map a row for each choice at each point (RFC 4180)',

  /** @param {Report} report @returns {Iterable<string>} */
  render(report) {
    const points = mapPoints(report);
    return {
      [Symbol.iterator]: () => (points.length > 0 ? pointRows(points, report.cells) : rows(report.cells)),
    };
  },
};

/**
 * The columns of a choice at a point, besides its axes.
 *
 * @type {[name: string, of: (point: MapPoint, standing: {standing: string, opsPerSecond: number | null}) => Value][]}
 */
const STANDING = [
  ['point', ({ state }) => state],
  ['standing', (_, { standing }) => standing],
  ['opsPerSecond', (_, { opsPerSecond }) => opsPerSecond],
  [
    'timesSlower',
    ({ standing: [best] }, { opsPerSecond }) => opsPerSecond && best.opsPerSecond / opsPerSecond,
  ],
  ['starts', ({ starts }) => starts],
];

/** @param {MapPoint[]} points @param {CellResult[]} cells @returns {Generator<string>} */
function* pointRows(points, cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const ofCells = cellColumns(cells, new Set());
  yield csvLine([...ofCells, ...STANDING].map(([name]) => name));
  for (const point of points) {
    const leftOut = point.leftOut.map((cell) => ({ cell, standing: 'left-out', opsPerSecond: null }));
    for (const standing of [...point.standing, ...leftOut]) {
      const cell = /** @type {CellResult} */ (byId.get(standing.cell));
      yield csvLine([...ofCells.map(([, of]) => of(cell)), ...STANDING.map(([, of]) => of(point, standing))]);
    }
  }
}

/** Rows of one text: many enough that writing them costs little, few enough to need no memory. */
const ROWS_AT_ONCE = 500;

/**
 * @param {CellResult[]} cells
 * @returns {Generator<string>} texts of several rows each; all together are 75 MB for 100,000 runs
 */
function* rows(cells) {
  const ofRuns = [...runColumns(), ...partColumns(cells)];
  const ofCells = cellColumns(cells, new Set(ofRuns.map(([name]) => name)));
  const empty = ofRuns.map(() => null);
  yield csvLine([...ofCells, ...ofRuns].map(([name]) => name));
  for (const cell of cells) {
    const start = csvFields(ofCells.map(([, of]) => of(cell)));
    // A cell without runs has a row too, which says that it was skipped or not reached.
    if (cell.runs.length === 0) yield `${start},${csvLine(empty)}`;
    for (let first = 0; first < cell.runs.length; first += ROWS_AT_ONCE) {
      const texts = cell.runs
        .slice(first, first + ROWS_AT_ONCE)
        .map((run) => `${start},${csvLine(ofRuns.map(([, of]) => of(run)))}`);
      yield texts.join('');
    }
    for (const counted of cell.counted ?? [])
      yield `${start},${csvLine(ofRuns.map(([name]) => /** @type {any} */ (counted.counted)[name] ?? null))}`;
  }
}

/**
 * The fields of a cell's rows.
 * @param {CellResult[]} cells @param {Set<string>} taken the names of other columns
 * @returns {[name: string, of: (cell: CellResult) => Value][]}
 */
function cellColumns(cells, taken) {
  return [
    ['cell', ({ id }) => id],
    ['group', ({ group }) => group],
    ...axisColumns(cells).map(
      /** @returns {[string, (cell: CellResult) => Value]} */
      ({ name, longName, of }) => [taken.has(name) ? longName : name, of],
    ),
    ['iterations', ({ iterations }) => iterations],
    ['skipped', ({ skipped }) => skipped && factText(skipped)],
  ];
}
