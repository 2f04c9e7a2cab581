import { nameCells } from '../../../../axes/cell-names.js';
import { ratioShort } from '../../../../report/figures.js';
import { filledColumns, gridOf } from '../../../../report/grid.js';
import { withVerdict } from '../../../../statistics/contrasts.js';
import { metricNamed, textOf } from '../../../../store/metrics.js';

/** @import { Comparison, VersionEntry } from '../../judge/types.js' */
/** @import { Grid } from '../../../../report/types.js' */
/** @import { CellResult } from '../../../../store/types.js' */

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
