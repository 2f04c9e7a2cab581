import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { sameBut } from '../../axes/all-axes.js';
import { groupBy } from '../../collections.js';
import { median } from '../../descriptive-statistics.js';
import { messageOf, UsageError } from '../../errors.js';
import { samplesIn } from '../../store/metrics.js';
import { readRecords } from '../../store/read.js';
import { byCell, leastRunMs } from '../../store/results.js';
import { neverWarmed } from '../../store/slices.js';
import { metricOf } from '../benchmark/compare-reports.js';
import { conditionDifferences, conditionsOfResult } from '../benchmark/differences.js';
import { changePoints, FEWEST_VALUES, inflationOf } from './change-points.js';

/** @import { Measured } from '../../store/results.js' */
/** @import { Cell } from '../../run/plan/types.js' */
/** @import { Recorded } from '../../store/read.js' */
/** @import { Metric, ResultHeader } from '../../store/types.js' */

/**
 * @typedef {'time' | 'release' | 'commit'} SeriesOrder
 * @typedef {Record<string, number>} Figures of a cell by metric: medians of its warm runs, or of its counted starts
 *
 * @typedef {Awaited<ReturnType<typeof readSeries>>} SeriesSet
 * @typedef {SeriesSet['series'][number]} Series one metric of one cell, as measured under the same conditions
 * @typedef {Series['points'][number]} SeriesPoint
 * @typedef {ReturnType<typeof conditionsOfResult>} SeriesConditions
 *
 * @typedef {ReturnType<typeof figuresOfResult>['cells'][number] & {conditions: number}} Entry a cell of a result
 * @typedef {object} LeftOutOfSeries
 * @property {string} file
 * @property {'unreadable' | 'smoke' | 'copy' | 'no-figures' | 'no-commit'} reason `copy`: another file has it
 * @property {string[]} [cells] ids; missing for the whole file
 * @property {string} [why]
 */

/** The default metrics, the most repeatable first. */
const METRICS = ['cpuUsPerOp', 'opsPerSecond', 'p99Us', 'allocatedBytesPerOp'];
/** A result of 12 cells takes about 1 MB, all in memory. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * @param {string} folder @param {Parameters<typeof readSeries>[1]} [options]
 */
export const trend = async (folder, options) => changesIn(await readSeries(folder, options));

/**
 * Reads the saved results of a folder as series; keeps one result in memory at a time. What was measured under different
 * conditions never stands in one series: on another machine, Node or server, by another version of the tool, or with other
 * settings.
 * @param {string} folder @param {{metrics?: string[], order?: SeriesOrder}} [options] `metrics`: ids
 * @throws {UsageError} without results, or for a metric that has no trend
 */
export async function readSeries(folder, { metrics: names = METRICS, order: asked } = {}) {
  const metrics = names.map(followed);
  const results = [];
  /** @type {LeftOutOfSeries[]} */
  const leftOut = [];
  for (const file of await filesIn(folder)) {
    try {
      const read = await readRecords(join(folder, file), { largestBytes: LARGEST_BYTES });
      results.push(figuresOfResult(file, read, metrics));
    } catch (error) {
      leftOut.push({ file, reason: 'unreadable', why: messageOf(error) });
    }
  }
  // The oldest first; of copies the one that has most, as another may be cut off.
  results.sort(
    (a, b) =>
      compare(a.startedAt, b.startedAt) || compare(b.cells.length, a.cells.length) || compare(a.file, b.file),
  );
  const known = new Set();
  const usable = results.filter(({ file, startedAt, seed, smoke }) => {
    const id = `${startedAt} ${seed}`;
    if (smoke || known.has(id)) leftOut.push({ file, reason: smoke ? 'smoke' : 'copy' });
    return !smoke && known.size < known.add(id).size;
  });
  const conditions = groupBy(usable, (result) => JSON.stringify(result.conditions));
  const entries = conditions.flatMap((alike, index) =>
    alike.flatMap(({ cells }) => cells.map((entry) => ({ ...entry, conditions: index }))),
  );
  const order = asked ?? orderIn(entries);
  const placeOf = (/** @type {Entry} */ { origin }) => origin[order === 'time' ? 'file' : order];
  const placed = entries.filter((entry) => placeOf(entry) !== null);
  const ordered = inOrder(placed, order);
  const places = [...new Set(ordered.map(placeOf))];
  const empty = entries.filter(({ figures }) => Object.keys(figures).length === 0);
  const unplaced = entries.filter((entry) => placeOf(entry) === null);
  return {
    order,
    series: groupBy(ordered, keysIn(ordered, order)).flatMap((ofSeries) =>
      metrics.flatMap(({ id: metric, unit }) => {
        const points = ofSeries.flatMap((entry) => {
          const value = entry.figures[metric];
          // The place of its result, release or commit in the set is the same in all series.
          const place = places.indexOf(placeOf(entry));
          return value === undefined ? [] : { ...entry.origin, place, value, floor: entry.floor[metric] };
        });
        // The cells of a series by release or commit may differ in those.
        const [{ cell: example, conditions }] = ofSeries;
        return points.length === 0 ? [] : { cell: example.id, example, metric, unit, conditions, points };
      }),
    ),
    conditions: conditions.map(([result]) => result.conditions),
    leftOut: [
      ...leftOut,
      ...cellsLeftOut('no-figures', empty),
      // Cells of a client without releases, such as raw, belong to no series.
      ...(order === 'commit' ? cellsLeftOut('no-commit', unplaced) : []),
    ],
  };
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
  const files = names.filter((name) => name.endsWith('.ndjson')).sort();
  if (files.length > 0) return files;
  throw new UsageError(
    `expected a folder with saved results, but '${folder}' has no .ndjson file; a benchmark saves one with --save FILE`,
  );
}

/** A saved result without its runs. @param {string} file @param {Recorded} read @param {Metric[]} metrics */
function figuresOfResult(file, { header, records }, metrics) {
  const { startedAt: at, seed, settings, environment } = header;
  const measured = byCell(records);
  const added = records.flatMap((record) => (record.type === 'planned' ? record.cell : []));
  const cells = [...header.cells, ...added].flatMap((cell) => {
    const found = measured.get(cell.id);
    return found ? { cell, figures: figuresOfCell(cell, found, metrics, settings) } : [];
  });
  // One of a cell that is compared with itself.
  const first = cells.filter(({ cell: { copy } }) => copy === 1);
  return {
    file,
    startedAt: at,
    seed,
    smoke: settings.smoke,
    conditions: conditionsOfResult(header),
    cells: first.map(({ cell, figures }) => {
      const floor = cells.find((other) => other.cell.floor && other.cell.group === cell.group);
      const release = releaseOf(cell, environment.packages);
      return {
        cell,
        figures,
        /** How fast the machine was: what raw took. @type {Partial<Figures>} */
        floor: (!cell.floor && floor?.figures) || {},
        origin: { file, at, release, commit: cell.release?.commit ?? null },
      };
    }),
  };
}

/**
 * @param {Cell} cell @param {Measured} measured @param {Metric[]} metrics @param {ResultHeader['settings']} settings
 * @returns {Figures} only those that it has
 */
function figuresOfCell(cell, { runs, warm = true }, metrics, settings) {
  const good = runs.filter(({ failed }) => failed === null);
  const lengths = good.flatMap(({ elapsedMs }) => elapsedMs ?? []);
  const isShort = lengths.length > 0 && median(lengths) < leastRunMs(settings);
  if (isShort || !warm || neverWarmed(cell, runs, settings)) return {};
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const values = samplesIn({ runs: good }, metric).map(({ value }) => value);
      const value = values.length === 0 ? 0 : median(values);
      // A 0 has no ratio.
      return value > 0 ? [[metric.id, value]] : [];
    }),
  );
}

/** @param {Cell} cell @param {Record<string, string>} packages @returns {string | null} results of early releases name packages alone */
function releaseOf({ client, release }, packages) {
  if (release) return release.version;
  const [, installed] = Object.entries(packages).find(([name]) => name.split('/').at(-1) === client) ?? [];
  return installed ?? null;
}

/** @type {(entries: Entry[]) => SeriesOrder} */
function orderIn(entries) {
  const asked = entries.filter(({ cell }) => cell.version !== null);
  if (asked.length === 0) return 'time';
  return asked.every(({ origin }) => origin.commit) ? 'commit' : 'release';
}

/**
 * @param {Entry[]} entries in the order of time under the same conditions @param {SeriesOrder} order
 * @returns {Entry[]} those of one release or commit stay in the order of time; commits follow by when each was first seen
 */
function inOrder(entries, order) {
  if (order === 'time') return entries;
  if (order === 'commit') return groupBy(entries, ({ origin }) => origin.commit).flat();
  return entries.toSorted((a, b) => compareReleases(`${a.origin.release}`, `${b.origin.release}`));
}

/** @param {string} a @param {string} b */
const compareReleases = (a, b) => (semver.valid(a) && semver.valid(b) ? semver.compare(a, b) : compare(a, b));

/** @param {string | number} a @param {string | number} b */
const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** @param {Entry[]} entries @param {SeriesOrder} order @returns {(entry: Entry) => string} what the points of a series share */
function keysIn(entries, order) {
  // The release that is installed with the tool changes with time; one that was asked for is another cell.
  const keyOf = sameBut(
    ['release'],
    entries.map(({ cell }) => cell),
  );
  return ({ cell, conditions }) => `${conditions} ${order === 'time' ? cell.version : ''} ${keyOf(cell)}`;
}

/** @param {LeftOutOfSeries['reason']} reason @param {Entry[]} entries @returns {LeftOutOfSeries[]} one for each file */
const cellsLeftOut = (reason, entries) =>
  groupBy(entries, ({ origin }) => origin.file).map((ofFile) => ({
    file: ofFile[0].origin.file,
    reason,
    cells: ofFile.map(({ cell }) => cell.id),
  }));

/** @typedef {ReturnType<typeof changesIn>} SeriesTrend */
/** @typedef {SeriesTrend['changes'][number]} SeriesChange */
/** @typedef {SeriesTrend['breaks'][number]} SeriesBreak */

/**
 * All changes are claimed together: of sets without one, at most 5 % claim any (change-points.js).
 * @param {SeriesSet} set
 */
export function changesIn(set) {
  const { series, conditions, order } = set;
  // Series of one kind have similar noise.
  const kinds = groupBy(series, (each) => `${each.conditions} ${each.metric}`);
  const found = changePoints(kinds.flatMap((kind) => valuesOf(kind, order)));
  return {
    ...set,
    changes: kinds
      .flat()
      .flatMap((each, index) => changesInSeries(each, found[index]))
      .sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio))),
    /** How many series have fewer points than can show a change. */
    tooShort: series.filter(({ points }) => points.length < FEWEST_VALUES).length,
    fewestPoints: FEWEST_VALUES,
    breaks: conditions.flatMap((_, place) => (place === 0 ? [] : breakOf(place, set))),
  };
}

/** @type {(kind: Series[], order: SeriesSet['order']) => Parameters<typeof changePoints>[0]} */
function valuesOf(kind, order) {
  const all = kind.map(({ points }) => points.map(({ value }) => value));
  // Releases were not measured in their order, so that neighbours have nothing in common.
  const inflation = order === 'release' ? 1 : inflationOf(all);
  return kind.map(({ points, conditions }, index) => ({
    values: all[index],
    units: points.map(({ file, place }) => `${file} ${place}`),
    pool: `${conditions}`,
    mayBegin: points.map(({ place }, at) => at > 0 && points[at - 1].place !== place),
    inflation,
  }));
}

/** @param {Series} series @param {ReturnType<typeof changePoints>[number]} found */
function changesInSeries({ cell, metric, unit, conditions, points }, found) {
  const edges = [0, ...found.map(({ at }) => at), points.length];
  const parts = edges.slice(1).map((to, index) => points.slice(edges[index], to));
  const medians = parts.map((part) => median(part.map(({ value }) => value)));
  const floors = parts.map((part) => part.flatMap(({ floor }) => floor ?? []));
  const floorMedians = floors.map((values) => (values.length > 0 ? median(values) : null));
  return found.map(({ at, candidates, pAdjusted }, index) => {
    const [before, after] = medians.slice(index);
    const [floorBefore, floorAfter] = floorMedians.slice(index);
    return {
      cell,
      metric,
      unit,
      conditions,
      pAdjusted,
      /** Its first result, release or commit, and the one before. */
      since: points[at],
      previous: points[at - 1],
      /** Places where it may as well have begun, the first one included. */
      mayBe: candidates.map((each) => points[each].place),
      /** Medians of the results since the change before, and until the next one. */
      before,
      after,
      ratio: after / before,
      floorRatio: floorBefore && floorAfter ? floorAfter / floorBefore : 1,
    };
  });
}

/** @param {number} place @param {SeriesSet} set */
function breakOf(place, { conditions, series }) {
  const points = series.flatMap((each) => (each.conditions === place ? each.points : []));
  if (points.length === 0) return [];
  return [
    {
      conditions: place,
      results: new Set(points.map(({ file }) => file)).size,
      from: points.map(({ at }) => at).sort()[0],
      differences: conditionDifferences(conditions[place - 1], conditions[place]),
    },
  ];
}
