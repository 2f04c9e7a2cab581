import { codeText, inlineText } from '../../options/inline-options.js';
import { requestOf, waysFor } from './loads.js';

/** @import { CellWords } from '../../axes/types.js' */
/** @import { Catalogue, ClientPlugin, RequestKind } from '../plugins/types.js' */
/** @import { Cell, CellPoint } from './types.js' */

/** @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue @returns {CellWords} */
export function wordsOf({ chosen: { workload }, ...cell }, catalogue) {
  const { clients, scenarios, ways } = catalogue;
  const { client, variant, ownVariant, scenario, scenarioOptions } = cell;
  const code = codeOf(cell, clients.get(client));
  const way = ways.get(cell.way ?? '');
  const kind = /** @type {RequestKind | undefined} */ (requestOf(workload, catalogue)?.kind);
  return {
    ...(way &&
      kind &&
      waysFor(kind, catalogue).includes(way.id) && {
        way: { row: way.titleOf?.(kind) ?? way.title, imperative: way.imperative(kind) },
      }),
    scenario: scenarios.get(scenario)?.words?.(scenarioOptions) ?? null,
    variant: ownVariant
      ? `set ${inlineText(ownVariant.options).slice(1, -1)}`
      : (clients.get(client)?.variantWords?.[variant] ?? null),
    ...(code !== null && { code }),
  };
}

/** The call that connects, if one call does. @param {CellPoint} cell @param {ClientPlugin} [client] @returns {string | null} */
function codeOf({ variant, ownVariant, topology, scenarioOptions }, client) {
  const options = { ...client?.variants[ownVariant?.base ?? variant], ...ownVariant?.options };
  const isOwnPool = /** @type {Record<string, unknown>} */ (scenarioOptions)?.pool === 'native';
  if (!client?.constructs || topology !== 'standalone' || isOwnPool) return null;
  const text = Object.keys(options).length > 0 ? codeText(options) : null;
  return text && `${client.constructs}(${text})`;
}
