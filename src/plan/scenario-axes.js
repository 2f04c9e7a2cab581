import { product } from './product.js';

/** @import { Catalogue, ScenarioOptions } from '../plugins/types.js' */

/** @typedef {Catalogue['scenarios']} Scenarios */

/**
 * A scenario with each combination of its own options. The options of other scenarios make no difference to
 * it.
 *
 * @param {string} scenario
 * @param {Scenarios} scenarios
 * @param {Record<string, any>} settings
 * @returns {{scenario: string, scenarioOptions: ScenarioOptions}[]}
 */
export function expandScenario(scenario, scenarios, settings) {
  const axes = Object.entries(scenarios.get(scenario)?.ownOptions ?? {}).map(([name, own]) => [
    name,
    settings[name] ?? own.default,
  ]);
  return product(Object.fromEntries(axes)).map((scenarioOptions) => ({ scenario, scenarioOptions }));
}
