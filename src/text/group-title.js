import { whole } from './figures.js';

const ARRIVALS = { even: 'open loop', poisson: 'open loop, at random' };

/**
 * What all cells of a group have in common.
 *
 * @param {import('../types.js').CellResult[]} cells
 * @param {import('../types.js').Report} report
 */
export function groupTitle([{ workload, keySize, valueSize, tasks, topology, openLoop }], { settings }) {
  const sizes =
    keySize === valueSize
      ? `keys and values of ${whole(valueSize)} characters`
      : `keys of ${whole(keySize)} and values of ${whole(valueSize)} characters`;
  return [
    workload.toUpperCase().replaceAll('-', ' + '),
    settings.value === 'text' ? sizes : `${sizes} (${settings.value})`,
    `${tasks} ${tasks === 1 ? 'task' : 'tasks'}`,
    ...(topology === 'standalone' ? [] : [topology]),
    ...(openLoop === null
      ? []
      : [`${whole(openLoop.ratePerSecond)} a second (${ARRIVALS[openLoop.arrivals]})`]),
    ...(settings.durationMs === null ? [] : [`${settings.durationMs} ms a run`]),
  ].join(', ');
}
