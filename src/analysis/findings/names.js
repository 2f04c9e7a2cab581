import { whole } from '../../report/words/figures.js';

/** @import { Cell, CellPoint } from '../../plan/types.js' */

/**
 * Names for the cells of one group, as short as tells them apart: the client and its variant, the
 * scenario with those of its options that differ, and of the other axes those that differ within the
 * group.
 *
 * @param {(CellPoint & {id: string})[]} cells
 * @returns {Map<string, string>} by cell id
 */
export function nameCells(cells) {
  const varying = /** @type {const} */ (['node', 'pipelining', 'transport', 'pin']).filter(
    (axis) => new Set(cells.map((cell) => cell[axis])).size > 1,
  );
  return new Map(
    cells.map((cell) => [
      cell.id,
      [
        clientName(cell),
        scenarioName(cell, cells),
        ...varying.map((axis) => (axis === 'node' ? `Node ${cell.node}` : cell[axis])),
        ...(cells.some(({ processes }) => processes !== cell.processes) ? [processesText(cell)] : []),
        ...(cell.openLoop && cells.some((each) => rateOf(each) !== rateOf(cell))
          ? [`${whole(rateOf(cell))}/s`]
          : []),
      ].join(', '),
    ]),
  );
}

/**
 * The same where all steps of a search are one subject: its rates have a place of their own.
 *
 * @param {(CellPoint & {id: string})[]} cells
 * @returns {Map<string, string>} by cell id
 */
export const nameSubjects = (cells) =>
  nameCells(cells.map((cell) => (cell.openLoop?.search ? { ...cell, openLoop: null } : cell)));

/** @param {CellPoint} cell */
const rateOf = ({ openLoop }) => openLoop?.ratePerSecond;

/** @param {CellPoint} cell */
const processesText = ({ processes }) => (processes === 1 ? '1 process' : `${processes} processes`);

/**
 * @param {CellPoint} cell
 * @param {CellPoint[]} cells
 * @returns {string} `pool`; `pool native 10` where other pools are of another kind and size
 */
export function scenarioName({ scenario, scenarioOptions }, cells) {
  const alike = cells.filter((cell) => cell.scenario === scenario);
  const options = Object.entries(scenarioOptions).filter(([name, value]) =>
    alike.some((cell) => cell.scenarioOptions[/** @type {'poolSize'} */ (name)] !== value),
  );
  return [scenario.replaceAll('-', ' '), ...options.map(([, value]) => value)].join(' ');
}

/**
 * @param {Pick<CellPoint, 'client' | 'version' | 'variant' | 'copy'>} cell
 * @returns {string} `redis`, `redis@5.8.3:tuned`; `redis #2` where a client is compared with itself
 */
export const clientName = ({ client, version, variant, copy }) =>
  `${client}${version ? `@${version}` : ''}${variant === 'default' ? '' : `:${variant}`}${copy > 1 ? ` #${copy}` : ''}`;

/**
 * @param {Pick<Cell, 'workload' | 'chosen'>} cell
 * @returns {string} `SET + GET`, or what its plugin calls it: `SET beside EXISTS`
 */
export const workloadName = ({ workload, chosen }) =>
  chosen.workload.title ?? workload.toUpperCase().replaceAll('-', ' + ');

/**
 * @param {CellPoint} cell
 * @returns {string} the scenario with all of its options: the same for cells that connect alike
 */
export const scenarioKey = ({ scenario, scenarioOptions }) =>
  [scenario, ...Object.values(scenarioOptions)].join(':');
