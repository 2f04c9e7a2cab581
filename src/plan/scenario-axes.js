import { UsageError } from '../errors.js';
import { OPTIONS } from '../options/table.js';
import { product } from './product.js';

/**
 * @import { Settings } from '../options/types.js'
 * @import { Catalogue, ScenarioOptions } from '../plugins/types.js'
 */

/** @typedef {Catalogue['scenarios']} Scenarios */

/**
 * A scenario with each combination of the options that it has axes for; an axis of another scenario
 * would only repeat it.
 *
 * @param {string} scenario
 * @param {Scenarios} scenarios
 * @param {Partial<Record<keyof ScenarioOptions, any[]>>} settings
 * @returns {{scenario: string, scenarioOptions: ScenarioOptions}[]}
 */
export function expandScenario(scenario, scenarios, settings) {
  const axes = Object.entries(scenarios.get(scenario)?.axes ?? {}).map(([name, defaults]) => [
    name,
    settings[/** @type {keyof ScenarioOptions} */ (name)] ?? defaults,
  ]);
  return product(Object.fromEntries(axes)).map((options) => ({
    scenario,
    scenarioOptions: /** @type {ScenarioOptions} */ (options),
  }));
}

/**
 * An option of a scenario that is not measured would be ignored in silence.
 *
 * @param {Record<string, unknown>} given what the user chose
 * @param {Pick<Settings, 'scenarios' | 'rate' | 'rateSearch'>} settings
 * @param {Scenarios} scenarios
 * @throws {UsageError} that names the option and the scenarios that have it
 */
export function checkAxesUsed(given, { scenarios: chosen, rate, rateSearch }, scenarios) {
  const idsWith = (/** @type {string} */ name) =>
    [...scenarios.values()].filter(({ axes = {} }) => name in axes).map(({ id }) => id);
  for (const [name, value] of Object.entries(given)) {
    const ids = idsWith(name);
    if (value === undefined || ids.length === 0 || ids.some((id) => chosen.includes(id))) continue;
    // An open loop has a bound whatever its scenario.
    if (name === 'maxInFlight' && (rate ?? rateSearch) !== undefined) continue;
    const flag = OPTIONS[/** @type {keyof ScenarioOptions} */ (name)].flag.split(' ')[0];
    throw new UsageError(
      `${flag} is for the scenario ${ids.join(' or ')}, which is not among ${chosen.join(', ')}; add it to --scenarios`,
    );
  }
}
