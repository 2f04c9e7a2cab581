import { metricOf } from '../benchmark/findings/compare-reports.js';
import { UsageError } from '../core/errors.js';
import { changesIn } from './changes.js';
import { readFolder } from './read-folder.js';
import { figuresOfResult } from './result-figures.js';
import { seriesOf } from './series.js';
import { trendWithWords } from './trend-words.js';

/** @import { Metric } from '../core/store/types.js' */
/** @import { TrendWithWords } from './trend-words.js' */
/** @import { SeriesOrder, SeriesSet } from './types.js' */

/** The default metrics, the most repeatable first. */
const METRICS = ['cpuUsPerOp', 'opsPerSecond', 'p99Us', 'allocatedBytesPerOp'];

/**
 * Reads the saved results of a folder as series, one per cell and metric.
 * @param {string} folder @param {{metrics?: string[], order?: SeriesOrder}} [options] `metrics`: ids
 * @returns {Promise<SeriesSet>} @throws {UsageError} without results, or for a metric that has no trend
 */
export async function readSeries(folder, { metrics: names = METRICS, order } = {}) {
  const metrics = names.map(followed);
  const { taken, unreadable } = await readFolder(folder, (file, read) =>
    figuresOfResult(file, read, metrics),
  );
  return seriesOf(taken, metrics, {
    order,
    unreadable: unreadable.map((each) => ({ ...each, reason: 'unreadable' })),
  });
}

/** @param {string} name @returns {Metric} @throws {UsageError} */
function followed(name) {
  const metric = metricOf(name);
  if (!metric.growsWithIterations) return metric;
  throw new UsageError(
    `--metric: ${metric.id} grows with the length of a run, which may differ from result to result; use one per operation or per second`,
  );
}

/**
 * Where figures changed for good.
 * @param {string} folder @param {Parameters<typeof readSeries>[1]} [options] @returns {Promise<TrendWithWords>}
 */
export const trend = async (folder, options) => trendWithWords(changesIn(await readSeries(folder, options)));
