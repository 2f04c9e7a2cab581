import { workloadName } from '../../analysis/findings/names.js';
import { whole } from './figures.js';

/**
 * @import { Cell, OpenLoopPlan } from '../../plan/types.js'
 * @import { CellResult, Report } from '../../results/types.js'
 */

const ARRIVALS = { even: 'open loop', poisson: 'open loop, at random' };

/**
 * What all cells of a group have in common.
 *
 * @param {CellResult[]} cells
 * @param {Report} report
 */
export function groupTitle([cell], { settings }) {
  const { tasks, topology, openLoop } = cell;
  const order =
    cell.keys > 1 && settings.keyDistribution !== 'uniform' ? ` (${settings.keyDistribution})` : '';
  const sizes = `${sizesText(cell)}${order}`;
  return [
    workloadName(cell),
    settings.value === 'text' ? sizes : `${sizes} (${settings.value})`,
    `${tasks} ${tasks === 1 ? 'task' : 'tasks'}`,
    ...(topology === 'standalone' ? [] : [settings.oneSlot ? `${topology} (one slot)` : topology]),
    ...(openLoop === null ? [] : [`${ratesText(openLoop)} a second (${ARRIVALS[openLoop.arrivals]})`]),
    ...(settings.durationMs === null ? [] : [`${settings.durationMs} ms a run`]),
  ].join(', ');
}

/** @param {OpenLoopPlan} load */
const ratesText = ({ search, ratePerSecond }) => (search ?? [ratePerSecond]).map(whole).join(' to ');

/** @param {Cell} cell */
function sizesText({ keys, keySize, valueSize, shortestValue }) {
  const number = keys > 1 ? `${whole(keys)} ` : '';
  const length = `${shortestValue < valueSize ? `${whole(shortestValue)}-` : ''}${whole(valueSize)}`;
  return length === whole(keySize)
    ? `${number}keys and values of ${length} characters`
    : `${number}keys of ${whole(keySize)} and values of ${length} characters`;
}
