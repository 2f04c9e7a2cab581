import semver from 'semver';
import { sameBut } from '../axes/all-axes.js';
import { alike } from '../core/alike.js';

/** @import { Metric } from '../core/store/types.js' */
/** @import { Cell } from '../core/plan/types.js' */
/** @import { CellFigures, LeftOutOfSeries, ResultFigures, Series, SeriesOrder, SeriesPoint, SeriesSet } from './types.js' */

/**
 * @typedef {CellFigures & {conditions: number, floor: CellFigures['figures'], place: Omit<SeriesPoint, 'value' | 'floor' | 'place'>}} Entry a cell of a result
 */

/**
 * What was measured under different conditions never stands in one series: on another machine, Node or server, by another
 * version of the tool, or with other settings.
 * @param {ResultFigures[]} results in any order @param {Metric[]} metrics
 * @param {{order?: SeriesOrder, unreadable?: LeftOutOfSeries[]}} [more] @returns {SeriesSet}
 */
export function seriesOf(results, metrics, { order = orderIn(results), unreadable = [] } = {}) {
  const { usable, leftOut } = separate(results);
  const conditions = alike(usable, (result) => JSON.stringify(result.conditions));
  const all = conditions.flatMap((own, index) => own.flatMap((result) => entriesOf(result, index)));
  const placeOf = (/** @type {Entry} */ { place }) => place[order === 'time' ? 'file' : order];
  const ordered = inOrder(
    all.filter((entry) => placeOf(entry) !== null),
    order,
  );
  const places = [...new Set(ordered.map(placeOf))];
  const numberOf = (/** @type {Entry} */ entry) => places.indexOf(placeOf(entry));
  const empty = all.filter(({ figures }) => Object.keys(figures).length === 0);
  const unplaced = all.filter((entry) => placeOf(entry) === null);
  return {
    order,
    series: alike(ordered, keysIn(ordered, order)).flatMap((own) => seriesOfCell(own, metrics, numberOf)),
    conditions: conditions.map(([result]) => result.conditions),
    leftOut: [
      ...unreadable,
      ...leftOut,
      ...cellsLeftOut('no-figures', empty),
      ...(order === 'time' ? [] : cellsLeftOut(`no-${order}`, unplaced)),
    ],
  };
}

/** @param {ResultFigures[]} results @returns {SeriesOrder} */
function orderIn(results) {
  const asked = results.flatMap(({ cells }) => cells).filter(({ cell }) => cell.version !== null);
  if (asked.length === 0) return 'time';
  return asked.every(({ cell }) => cell.release?.commit) ? 'commit' : 'release';
}

/** @param {ResultFigures[]} results @returns {{usable: ResultFigures[], leftOut: LeftOutOfSeries[]}} the oldest first */
function separate(results) {
  // Of copies the one that has most: another may be cut off.
  const inTime = results.toSorted(
    (a, b) =>
      compare(a.startedAt, b.startedAt) || compare(b.cells.length, a.cells.length) || compare(a.file, b.file),
  );
  const measured = inTime.filter(({ smoke }) => !smoke);
  const usable = alike(measured, ({ startedAt, seed }) => `${startedAt} ${seed}`).map(([first]) => first);
  const others = inTime.filter((result) => !usable.includes(result));
  return { usable, leftOut: others.map(({ file, smoke }) => ({ file, reason: smoke ? 'smoke' : 'copy' })) };
}

/** @param {string | number} a @param {string | number} b */
const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** @param {ResultFigures} result @param {number} conditions @returns {Entry[]} one of a cell that is compared with itself */
const entriesOf = ({ file, startedAt: at, packages, cells }, conditions) =>
  cells
    .filter(({ cell: { copy, serverCopy = 1 } }) => copy === 1 && serverCopy === 1)
    .map(({ cell, figures }) => ({
      cell,
      figures,
      conditions,
      floor: floorOf(cell, cells),
      place: { file, at, release: releaseOf(cell, packages), commit: cell.release?.commit ?? null },
    }));

/** @param {Cell} cell @param {CellFigures[]} cells of the same result @returns {CellFigures['figures']} of the floor of its group */
const floorOf = ({ group, floor }, cells) =>
  (!floor && cells.find(({ cell }) => cell.floor && cell.group === group)?.figures) || {};

/** @param {Cell} cell @param {Record<string, string>} packages @returns {string | null} results of early releases name packages alone */
function releaseOf({ client, release }, packages) {
  if (release) return release.version;
  const [, installed] = Object.entries(packages).find(([name]) => name.split('/').at(-1) === client) ?? [];
  return installed ?? null;
}

/** @param {Entry[]} entries @param {SeriesOrder} order @returns {(entry: Entry) => string} what the points of a series share */
function keysIn(entries, order) {
  // The release that is installed with the tool changes with time; one that was asked for is another cell.
  const cells = entries.map(({ cell }) => cell);
  const keyOf = sameBut(['release'], cells);
  return ({ cell, conditions }) => `${conditions} ${order === 'time' ? cell.version : ''} ${keyOf(cell)}`;
}

/**
 * @param {Entry[]} entries the oldest first @param {SeriesOrder} order
 * @returns {Entry[]} those of one release or commit stay in the order of time; commits follow by when each was first seen
 */
function inOrder(entries, order) {
  if (order === 'time') return entries;
  if (order === 'commit') return alike(entries, ({ place }) => place.commit).flat();
  return entries.toSorted((a, b) => compareReleases(String(a.place.release), String(b.place.release)));
}

/** @param {string} a @param {string} b */
const compareReleases = (a, b) => (semver.valid(a) && semver.valid(b) ? semver.compare(a, b) : compare(a, b));

/**
 * @param {Entry[]} entries of one cell @param {Metric[]} metrics @param {(entry: Entry) => number} numberOf
 * @returns {Series[]} for each metric that it has
 */
const seriesOfCell = (entries, metrics, numberOf) =>
  metrics.flatMap(({ id: metric, unit }) => {
    const points = entries.flatMap((entry) => {
      const value = entry.figures[metric];
      const place = numberOf(entry);
      return value === undefined ? [] : { ...entry.place, place, value, floor: entry.floor[metric] };
    });
    const [{ cell: example, conditions }] = entries;
    return points.length === 0 ? [] : { cell: example.id, example, metric, unit, conditions, points };
  });

/** @param {LeftOutOfSeries['reason']} reason @param {Entry[]} entries @returns {LeftOutOfSeries[]} one for each file */
const cellsLeftOut = (reason, entries) =>
  alike(entries, ({ place }) => place.file).map((own) => ({
    file: own[0].place.file,
    reason,
    cells: own.map(({ cell }) => cell.id),
  }));
