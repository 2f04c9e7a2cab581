import { metricNamed } from '../metrics/metric-values.js';
import { readFolder } from '../results/read-folder.js';
import { figuresOfResult } from '../series/result-figures.js';
import { seriesOf } from '../series/series.js';

/** @import { SeriesOrder, SeriesSet } from '../series/types.js' */

/** What is followed unless the user says otherwise: of a result that has them, what repeats best comes first. */
const METRICS = ['instructionsPerOp', 'cpuUsPerOp', 'opsPerSecond', 'p99Us', 'allocatedBytesPerOp'];

/**
 * The saved results of a folder as series of each cell and metric.
 * @param {string} folder @param {{metrics?: string[], order?: SeriesOrder}} [options] `metrics`: their ids
 * @returns {Promise<SeriesSet>} @throws {UsageError} where the folder has no results
 */
export async function readSeries(folder, { metrics: names = METRICS, order } = {}) {
  const metrics = names.map(metricNamed);
  const { taken, unreadable } = await readFolder(folder, (file, read) =>
    figuresOfResult(file, read, metrics),
  );
  return seriesOf(taken, metrics, {
    order,
    unreadable: unreadable.map((each) => ({ ...each, reason: 'unreadable' })),
  });
}
