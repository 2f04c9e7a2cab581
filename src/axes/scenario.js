import { nameBy } from './name-by.js';

/** @import { Axis, AxisCell } from './types.js' */

/**
 * How tasks get their connections: the scenario, and the options that only some scenarios have. An option
 * belongs to its scenario, in names (`pool of 3`) as in advice, which decides about both at once.
 */

/** @type {Axis} */
export const scenario = {
  id: 'scenario',
  role: 'choice',
  of: (cell) => cell.scenario,
  idPart: (cell) => cell.scenario,
  row: (cell) => cell.scenario.replaceAll('-', ' '),
  always: () => true,
  aliases: scenarioAliases,
  advice: {
    order: 1,
    noun: 'scenario',
    value: scenarioName,
    imperative: (cell, cells) => cell.words?.scenario?.imperative ?? `use '${scenarioName(cell, cells)}'`,
  },
};

/**
 * @param {AxisCell[]} cells
 * @returns {Axis[]} one for each option that scenarios of these cells have
 */
export const scenarioOptions = (cells) =>
  [...new Set(cells.flatMap((cell) => Object.keys(cell.scenarioOptions ?? {})))].map(optionAxis);

/** @param {AxisCell} cell @param {string} name @returns {string | number | null} */
const optionOf = (cell, name) => /** @type {Record<string, any>} */ (cell.scenarioOptions)?.[name] ?? null;

/** @param {string} name @returns {Axis} */
function optionAxis(name) {
  const value = (/** @type {AxisCell} */ cell) => optionOf(cell, name);
  const words = (/** @type {AxisCell} */ cell) => cell.words?.scenario?.options?.[name];
  return {
    id: name,
    partOf: 'scenario',
    role: 'choice',
    of: value,
    idPart: (cell) => (value(cell) === null ? '' : String(value(cell))),
    idGlue: ':',
    row: (cell) => words(cell)?.row ?? String(value(cell) ?? ''),
    rowGlue: ' ',
    always: (cell) => words(cell)?.always ?? false,
    among: (cell, other) => other.scenario === cell.scenario,
  };
}

/** @param {AxisCell} cell @param {AxisCell[]} cells @returns {string} `pool of 3` */
function scenarioName(cell, cells) {
  return nameBy([scenario, ...scenarioOptions(cells)], cell, cells);
}

/** @param {AxisCell} cell @returns {string[]} of `pool:generic:3` also `pool:generic`; and `pool of 3` */
function scenarioAliases(cell) {
  const values = Object.values(cell.scenarioOptions ?? {}).map(String);
  return [
    ...values.map((_, index) => [cell.scenario, ...values.slice(0, index + 1)].join(':')),
    scenarioName(cell, [cell]),
  ];
}
