import { axesOf } from '../../axes/all-axes.js';

/** @import { Cell } from '../../plan/types.js' */
/** @import { SeriesConditions, SeriesPoint } from '../../series/types.js' */

/** What the command below says; a cell that has any other axis would not be repeated by it. */
const SAID = new Set(
  'client release variant copy scenario pipelining transport pin processes workload topology keySize valueSize keys tasks'.split(
    ' ',
  ),
);
/** As many clients as one benchmark compares in minutes. */
const MOST_RELEASES = 12;

/**
 * The command that measures a cell again, with its newest releases side by side.
 * @param {Cell} cell @param {Pick<SeriesPoint, 'release' | 'commit'>[]} points the newest last
 * @param {SeriesConditions} conditions
 * @returns {string | null} null where no such command repeats it: a checkout, or what it says nothing of
 */
export function repeatCommand(cell, points, { settings = {} }) {
  const { client, variant, version, scenario, scenarioOptions } = cell;
  const unsaid = axesOf([cell]).some((axis) => !SAID.has(axis.id) && axis.idPart(cell) !== '');
  const others = [
    settings.values !== 'text',
    settings['order of keys'] !== 'sequential',
    settings['one slot'],
  ];
  const isCheckout = version?.startsWith('path:') || points.some(({ commit }) => commit !== null);
  if (unsaid || isCheckout || others.some(Boolean) || Object.keys(scenarioOptions).length > 0) return null;
  const releases = [...new Set(points.map(({ release }) => release))].slice(-MOST_RELEASES);
  const of = variant === 'default' ? '' : `:${variant}`;
  const clients = releases.map((release) => `${client}${release === null ? '' : `@${release}`}${of}`);
  const duration = settings['duration (ms)'];
  const options = [
    ['clients', clients.join()],
    ['scenarios', scenario],
    ['workload', cell.workload],
    ['tasks', cell.tasks],
    ['processes', cell.processes],
    ['key-size', cell.keySize],
    ['size', cell.valueSize],
    ['keys', cell.keys],
    ['pipelining', cell.pipelining],
    ['transport', cell.transport],
    ['topology', cell.topology],
    ['pin', cell.pin],
    ['warmup-runs', settings['warm-up runs']],
    duration === null ? ['run-time', `${settings['run time (ms)']}ms`] : ['duration', `${duration}ms`],
  ];
  return ['redis-pipe-bench', ...options.map(([name, value]) => `--${name} ${quoted(`${value}`)}`)].join(' ');
}

/** @param {string} text of a file, which may be anything @returns {string} one word of a shell */
const quoted = (text) =>
  /^[\w@.,:=/+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
