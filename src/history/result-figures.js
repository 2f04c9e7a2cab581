import { median } from 'simple-statistics';
import { conditionsOfResult } from '../benchmark/findings/compare-reports.js';
import { byCell, leastRunMs } from '../benchmark/judge/create-report.js';
import { staysCold } from '../benchmark/judge/slices.js';
import { samplesIn } from '../core/store/metrics.js';

/** @import { Metric, ResultHeader, ResultRecord } from '../core/store/types.js' */
/** @import { Measured } from '../benchmark/judge/create-report.js' */
/** @import { Cell } from '../core/plan/types.js' */
/** @import { CellFigures, ResultFigures } from './types.js' */

/**
 * @param {string} file @param {{header: ResultHeader, records: ResultRecord[]}} read @param {Metric[]} metrics
 * @returns {ResultFigures}
 */
export function figuresOfResult(file, { header, records }, metrics) {
  const { startedAt, seed, settings, environment } = header;
  const measured = byCell(records);
  const added = records.flatMap((record) => (record.type === 'planned' ? record.cell : []));
  return {
    file,
    startedAt,
    seed,
    smoke: settings.smoke,
    packages: environment.packages,
    conditions: conditionsOfResult(header),
    cells: [...header.cells, ...added].flatMap((cell) => {
      const own = measured.get(cell.id);
      return own ? { cell, figures: figuresOfCell(cell, own, metrics, settings) } : [];
    }),
  };
}

/**
 * @param {Cell} cell @param {Measured} measured @param {Metric[]} metrics @param {ResultHeader['settings']} settings
 * @returns {CellFigures['figures']}
 */
function figuresOfCell(cell, { runs, warm = true }, metrics, settings) {
  const good = runs.filter(({ failed }) => failed === null);
  const lengths = good.flatMap(({ elapsedMs }) => elapsedMs ?? []);
  const isShort = lengths.length > 0 && median(lengths) < leastRunMs(settings);
  if (isShort || !warm || staysCold(cell, runs, settings)) return {};
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const values = samplesIn({ runs: good }, metric).map(({ value }) => value);
      const value = values.length === 0 ? 0 : median(values);
      // A 0 has no ratio.
      return value > 0 ? [[metric.id, value]] : [];
    }),
  );
}
