import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { conditionsOfResult, metricOf } from '../benchmark/compare-reports.js';
import { byCell, leastRunMs } from '../benchmark/judge/create-report.js';
import { staysCold } from '../benchmark/judge/slices.js';
import { messageOf, UsageError } from '../core/errors.js';
import { samplesIn } from '../core/store/metrics.js';
import { readRecords } from '../core/store/read.js';
import { changesIn } from './changes.js';
import { seriesOf } from './series.js';

/** @import { Measured } from '../benchmark/judge/create-report.js' */
/** @import { Cell } from '../core/plan/types.js' */
/** @import { Recorded } from '../core/store/read.js' */
/** @import { Metric, ResultHeader } from '../core/store/types.js' */
/** @import { LeftOutOfSeries, ResultFigures, SeriesOrder, SeriesSet } from './types.js' */

/** The default metrics, the most repeatable first. */
const METRICS = ['cpuUsPerOp', 'opsPerSecond', 'p99Us', 'allocatedBytesPerOp'];
const RESULTS = /\.ndjson$/;
/** A result of 12 cells takes about 1 MB, all in memory. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * Where figures changed for good.
 * @param {string} folder @param {Parameters<typeof readSeries>[1]} [options]
 */
export const trend = async (folder, options) => changesIn(await readSeries(folder, options));

/**
 * Reads the saved results of a folder as series, one per cell and metric; keeps one result in memory at a time.
 * @param {string} folder @param {{metrics?: string[], order?: SeriesOrder}} [options] `metrics`: ids
 * @returns {Promise<SeriesSet>} @throws {UsageError} without results, or for a metric that has no trend
 */
export async function readSeries(folder, { metrics: names = METRICS, order } = {}) {
  const metrics = names.map(followed);
  /** @type {ResultFigures[]} */
  const results = [];
  /** @type {LeftOutOfSeries[]} */
  const unreadable = [];
  for (const file of await filesIn(folder)) {
    try {
      results.push(figuresOfResult(file, await readOne(join(folder, file)), metrics));
    } catch (error) {
      unreadable.push({ file, reason: 'unreadable', why: messageOf(error) });
    }
  }
  return seriesOf(results, metrics, { order, unreadable });
}

/** @param {string} name @returns {Metric} @throws {UsageError} */
function followed(name) {
  const metric = metricOf(name);
  if (!metric.growsWithIterations) return metric;
  throw new UsageError(
    `--metric: ${metric.id} grows with the length of a run, which may differ from result to result; use one per operation or per second`,
  );
}

/** @param {string} folder @throws {UsageError} if it cannot be read or has no results */
async function filesIn(folder) {
  const names = await readdir(folder).catch((error) => {
    throw new UsageError(
      `expected a folder with saved results, but '${folder}' cannot be read: ${messageOf(error)}`,
    );
  });
  const files = names.filter((name) => RESULTS.test(name)).sort();
  if (files.length > 0) return files;
  throw new UsageError(
    `expected a folder with saved results, but '${folder}' has no .ndjson file; a benchmark saves one with --save FILE`,
  );
}

/** @param {string} file @returns {Promise<Recorded>} @throws {UsageError} */
async function readOne(file) {
  // Reading a pipe could block forever.
  const stats = await stat(file);
  if (!stats.isFile()) throw new UsageError('it is not a regular file');
  return readRecords(file, { largestBytes: LARGEST_BYTES });
}

/**
 * @param {string} file @param {Recorded} read @param {Metric[]} metrics
 * @returns {ResultFigures}
 */
function figuresOfResult(file, { header, records }, metrics) {
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
 * @returns {Record<string, number>} medians of its warm runs or counted starts, by metric; only those that it has
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
