import { conditionsIn, conditionsOf, nameCells, sharedConditions } from '../axes/cell-names.js';
import { groupBy } from '../collections.js';
import { ratioText, said } from '../report/figures.js';
import { behindBest } from '../statistics/enough-runs.js';
import { cellText, figureOfCell, samplesIn, textOf } from '../store/metrics.js';

/** @import { CommonReport, Grid, GridRow, Report, Section, State } from '../report/types.js' */
/** @import { CellResult, Metric, Report as Result } from '../store/types.js' */

const MOST_ROWS = 16;

/** @param {Pick<CellResult, 'skipped' | 'runs'>} cell without figures */
export const whyNot = ({ skipped, runs }) =>
  skipped !== null ? 'skipped' : runs.length === 0 ? 'not run' : 'failed';

/**
 * Reports cells that were run apart, the best of each group first, with how far the others are behind it.
 * @param {Result} result @param {CommonReport} common
 * @param {object} how
 * @param {string} how.title @param {string[]} [how.hidden] conditions that need no place in the title
 * @param {Metric} how.by @param {string} how.column of that figure @param {string} how.runs its title for single runs
 * @param {{title: string, text: (cell: CellResult) => string}[]} how.columns the others
 * @param {{title: string, metric: Metric}[]} [how.figures] all of them, for the details
 * @param {(cell: CellResult) => boolean} [how.isHarmed]
 * @param {(isUnsure: boolean) => (string | false)[]} how.notes `isUnsure`: whether one may be behind by chance
 * @returns {Report}
 */
export function rankedReport({ cells, settings }, { facts, remarks, environment, ended }, how) {
  const { title, hidden, by, column, columns, figures = [], isHarmed = () => false, notes } = how;
  const isOne = new Set(cells.map(({ scenario }) => scenario)).size === 1;
  const names = nameCells(cells, [...conditionsIn(cells), ...(isOne ? ['scenario'] : [])]);
  const rows = groupBy(cells, ({ group }) => group).flatMap(rowsOf);
  const isUnsure = rows.some(({ texts }) => /\?|not decided/.test(texts[1]));
  const titles = [column, 'behind', ...columns.map((each) => each.title)];
  /** @type {Section[]} */
  const sections = [
    { place: 'first', notes: said([ended]) },
    {
      place: 'first',
      grid: { columns: titles.map((each) => ({ title: each })), rows, most: MOST_ROWS },
      notes: said(notes(isUnsure)),
    },
    { place: 'details', heading: 'All runs', grid: runsGrid() },
    ...(figures.length > 0 ? [figuresSection()] : []),
    { place: 'details', heading: 'Environment', grid: environment },
  ];
  const whole = [title, ...sharedConditions(cells, settings, hidden)].join(' · ');
  return { title: whole, facts, sections, remarks, verdicts: [] };

  /** @param {CellResult[]} own of a group @returns {GridRow<string>[]} */
  function rowsOf(own) {
    const timeOf = (/** @type {number} */ value) => (by.better === 'more' ? 1 / value : value);
    const behind = behindBest(
      own.map((cell) => samplesIn(cell, by).map(({ value }) => timeOf(value))),
      own.map(({ summary }) =>
        summary === null ? Number.POSITIVE_INFINITY : timeOf(Number(figureOfCell(by, summary))),
      ),
    );
    return own
      .map((cell, index) => {
        const { summary, openLoop } = cell;
        const isCompared = own.length > 1 && openLoop === null;
        const ranked =
          summary === null
            ? [whyNot(cell), '']
            : [
                cellText(by, summary),
                isCompared ? ratioText({ ...behind[index], ...behind[index].interval }) : '',
              ];
        const hasFailed = isHarmed(cell) || (summary === null && whyNot(cell) === 'failed');
        /** @type {State} */
        const state = hasFailed
          ? 'failed'
          : behind[index].verdict === null && isCompared
            ? 'fastest'
            : 'close';
        const texts = [...ranked, ...columns.map(({ text }) => text(cell))];
        return { ratio: behind[index].ratio, row: { name: `${names.get(cell.id)}`, texts, state } };
      })
      .toSorted((a, b) => a.ratio - b.ratio)
      .map(({ row }, index) => (index === 0 ? { ...row, heading: conditionsOf(own[0], cells) } : row));
  }

  /** @param {CellResult} cell */
  function labelOf(cell) {
    return said([conditionsOf(cell, cells), names.get(cell.id) ?? '']).join(', ');
  }

  /** @returns {Grid} */
  function runsGrid() {
    const textsOf = (/** @type {CellResult} */ cell) =>
      samplesIn(cell, by).map(({ value }) => textOf(by, value));
    return {
      columns: [{ title: how.runs, align: 'left' }],
      rows: cells.map((cell) => ({ name: labelOf(cell), texts: [textsOf(cell).join(', ')] })),
    };
  }

  /** @returns {Section} */
  function figuresSection() {
    const rows = cells.flatMap((cell) => {
      const { summary } = cell;
      return summary === null
        ? []
        : { name: labelOf(cell), texts: figures.map(({ metric }) => cellText(metric, summary)) };
    });
    const columns = figures.map(({ title }) => ({ title }));
    return { place: 'details', heading: 'All figures', grid: { columns, rows } };
  }
}
