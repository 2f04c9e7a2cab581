import { nameSubjects } from '../../../axes/cell-names.js';
import { duration, whole } from '../../../core/report/figures.js';
import { filledColumns, gridOf } from '../../../core/report/grid.js';
import { cellText, figureOfCell, metricNamed, metricsIn } from '../../../core/store/metrics.js';
import { byRank, unmeasured } from './result-rows.js';

/** @import { Comparison, Summary } from '../../judge/types.js' */
/** @import { CellResult, Metric } from '../../../core/store/types.js' */
/** @import { ColumnOf, Grid, State } from '../../../core/report/types.js' */

/**
 * `heading`: where several groups share a table.
 * @typedef {{cells: CellResult[], comparison: Pick<Comparison, 'ranking'>, heading?: string}} RatedGroup
 */
/** @typedef {ColumnOf<{cell: CellResult}>} Column */

/**
 * The cells that ran at a given rate: how they kept to it.
 * @param {RatedGroup[]} groups @param {boolean} [inShort] only the columns that explain themselves @returns {Grid}
 */
export function ratedGrid(groups, inShort = false) {
  const rows = groups.flatMap(({ cells, comparison, heading }) => {
    const names = nameSubjects(cells);
    return byRank(cells, comparison.ranking).map((cell, index) => ({
      cell,
      name: names.get(cell.id) ?? cell.id,
      heading: index === 0 ? heading : undefined,
      state: /** @type {State} */ (cell.summary?.openLoop?.held === false ? 'not held' : 'close'),
    }));
  });
  const cells = rows.map(({ cell }) => cell);
  return gridOf(rows, ({ cell: _, ...head }) => head, columnsOf(cells, inShort));
}

/** @param {CellResult[]} cells @param {boolean} [inShort] @returns {Column[]} those that say something of any cell */
function columnsOf(cells, inShort) {
  const isMeasured = (/** @type {CellResult} */ cell) => Boolean(cell.summary?.openLoop);
  const [all, short] = openLoopColumns(cells);
  const measured = cells.filter(isMeasured).map((cell) => ({ cell }));
  const [first, ...others] = inShort ? short : all;
  const filled = filledColumns(measured, [first, ...others]);
  return (filled.length === 0 ? [first] : filled).map((column, index) => ({
    ...column,
    text(row) {
      if (isMeasured(row.cell)) return column.text(row);
      return index === 0 ? unmeasured(row.cell) : '';
    },
  }));
}

/** @param {CellResult[]} cells @returns {string[]} what the columns of those tables mean, each once */
export function ratedNotes(cells) {
  return cells.some(({ openLoop }) => openLoop !== null) ? [OPEN_LOOP_NOTE] : [];
}

const OPEN_LOOP_NOTE =
  'achieved/s: answered operations over the time of sending; p50, p99, max: from the scheduled start, the p99 of the median run; p99 sent: the same, from sending; late: from the scheduled start to sending; client, server: busy';

/** What the first screen has of an open loop besides the rate, and whether it was kept up with. */
const MAIN = ['p50Us', 'medianRunP99Us', 'maxUs'];

/** @param {CellResult[]} cells @returns {[all: Column[], short: Column[]]} in a search the rate tells the cells apart */
function openLoopColumns(cells) {
  const [achieved, ...others] = metricsIn('open-loop');
  const searched = cells.some(({ openLoop }) => openLoop?.search != null);
  const first = [...(searched ? [metricNamed('intendedPerSecond')] : []), achieved].map(measured);
  const main = others.filter(({ id }) => MAIN.includes(id));
  return [
    [...first, ...answersOf(cells), ...others.map(measured)],
    [...first, ...answersOf(cells), ...main.map(measured)],
  ];
}

/** @param {Metric} metric @returns {Column} latencies may be microseconds or seconds: no unit fits them all */
const measured = (metric) => ({
  title: metric.tables?.['open-loop'] ?? metric.title,
  text: ({ cell: { summary } }) => {
    const us = summary && metric.unit === 'µs' ? figureOfCell(metric, summary) : null;
    return us == null ? cellText(metric, /** @type {Summary} */ (summary)) : duration(us);
  },
});

/** Columns that are no metric. A rate is sustained against an SLO. @param {CellResult[]} cells @returns {Column[]} */
function answersOf([{ openLoop }]) {
  const sloMs = openLoop?.sloMs ?? null;
  return [
    {
      title: sloMs === null ? 'kept up' : `sustained (SLO ${duration(sloMs * 1000)})`,
      text: ({ cell: { summary } }) => {
        const { runs, openLoop } = /** @type {Summary} */ (summary);
        const held = openLoop?.heldRuns ?? 0;
        if (held === runs || held === 0) return held > 0 ? 'yes' : 'no';
        return `${held} of ${runs}`;
      },
    },
    {
      title: 'EXISTS true/false',
      text: ({ cell: { summary } }) => {
        const answers = summary?.answers;
        return answers ? `${whole(answers.true)}/${whole(answers.false)}` : '';
      },
    },
  ];
}
