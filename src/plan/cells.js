import { UsageError } from '../errors.js';
import { knownName, parseClient } from './names.js';
import { product } from './product.js';
import { expandScenario } from './scenario-axes.js';

/** The longest that a key's prefix and number can be: `rpb:xxxx` and one digit. */
export const SHORTEST_KEY = 9;

/**
 * Every cell that the settings ask for, in the order in which a reader would list them. What cannot
 * be combined is a cell as well, with the reason for skipping it.
 *
 * @param {import('../types.js').Settings} settings
 * @param {import('../types.js').Catalogue} catalogue
 * @param {import('../types.js').Transport[]} transports those that the server offers
 * @returns {import('../types.js').Cell[]}
 * @throws {UsageError} for a name that is none
 */
export function createCells(settings, catalogue, transports) {
  const clients = numbered(settings.clients.map((name) => parseClient(name, catalogue.clients)));
  for (const name of settings.scenarios) knownName('scenario', name, catalogue.scenarios.keys());
  for (const name of settings.workload) knownName('workload', name, catalogue.workloads.keys());
  for (const name of settings.pipelining) knownName('pipelining mode', name, catalogue.pipelining.keys());
  return product({
    workload: settings.workload,
    topology: settings.topology,
    size: sizesOf(settings),
    tasks: settings.tasks,
    transport: settings.transport ?? [transports[0]],
    pipelining: settings.pipelining,
    pin: settings.pin,
    client: clients,
    scenario: settings.scenarios.flatMap((id) => expandScenario(id, catalogue.scenarios, settings)),
  }).map(({ client, size, scenario, ...point }) => {
    const cell = { ...client, ...scenario, ...size, ...point };
    return {
      id: idOf(cell),
      group: groupOf(cell),
      ...cell,
      floor: catalogue.clients.get(cell.client)?.floor ?? false,
      skipped: topologyConflict(cell, settings) ?? reasonToSkip(cell, catalogue, transports),
    };
  });
}

/**
 * A client that is named twice is measured twice: the difference between the two is the noise of this
 * machine (an A/A comparison).
 *
 * @param {{client: string, variant: string}[]} clients
 */
const numbered = (clients) =>
  clients.map((each, index) => ({
    ...each,
    copy: clients
      .slice(0, index + 1)
      .filter((other) => other.client === each.client && other.variant === each.variant).length,
  }));

/**
 * The pairs of key and value size. `--size` sets both, a key being at least as long as its prefix.
 *
 * @param {Pick<import('../types.js').Settings, 'size' | 'keySize' | 'valueSize' | 'value'>} settings
 */
function sizesOf({ size, keySize, valueSize, value }) {
  for (const keys of keySize ?? []) {
    if (keys < SHORTEST_KEY) {
      throw new UsageError(
        `--key-size: expected at least ${SHORTEST_KEY}, so that every key carries this tool's prefix, got '${keys}'`,
      );
    }
  }
  const sizes =
    keySize && valueSize
      ? product({ keySize, valueSize })
      : size.flatMap((both) =>
          product({ keySize: keySize ?? [Math.max(both, SHORTEST_KEY)], valueSize: valueSize ?? [both] }),
        );
  const unique = [...new Map(sizes.map((pair) => [`${pair.keySize}x${pair.valueSize}`, pair])).values()];
  if (value === 'json' && unique.some((pair) => pair.valueSize < 2)) {
    throw new UsageError(
      '--value json: expected a --value-size of at least 2, the length of an empty JSON text',
    );
  }
  return unique;
}

/**
 * @param {import('../types.js').CellPoint} cell
 * @param {import('../types.js').Settings} settings
 * @returns {string | null} why its topology cannot be had
 */
function topologyConflict(cell, { topology, url, socket }) {
  if (cell.topology === 'standalone') return null;
  if (cell.transport === 'unix') return 'a cluster is reached by host and port, not by a unix socket';
  if (topology.length > 1 && (url ?? socket) !== undefined) {
    return 'the server was named by its address, taken for a standalone one; for a cluster use --topology cluster';
  }
  return null;
}

/**
 * @param {import('../types.js').CellPoint} cell
 * @param {import('../types.js').Catalogue} catalogue
 * @param {import('../types.js').Transport[]} transports
 * @returns {string | null}
 */
function reasonToSkip(cell, catalogue, transports) {
  const client = catalogue.clients.get(cell.client);
  if (!transports.includes(cell.transport)) {
    return `the server was named by its ${transports.join(' and ')} address, which has no ${cell.transport}`;
  }
  if (client?.package && !(client.package in catalogue.packages)) {
    return `not installed: npm install ${client.package}`;
  }
  const needed = [
    ...(catalogue.scenarios.get(cell.scenario)?.requires?.(cell.scenarioOptions, cell.topology) ?? []),
    ...(catalogue.pipelining.get(cell.pipelining)?.requires ?? []),
    ...(cell.transport === 'tcp' ? [] : [cell.transport]),
    ...(cell.topology === 'standalone' ? [] : [cell.topology]),
  ];
  const missing = needed.filter((capability) => !client?.capabilities.has(capability));
  if (missing.length === 0) return null;
  const reasons = missing.map((capability) => client?.lacks?.[capability] ?? `no ${capability}`);
  return `${cell.client} has ${reasons.join(', ')}`;
}

/** @param {import('../types.js').CellPoint} cell */
const groupOf = ({ workload, topology, keySize, valueSize, tasks }) =>
  [workload, topology, `${keySize}x${valueSize}`, tasks].join('/');

/** @param {import('../types.js').CellPoint} cell */
const idOf = (cell) =>
  [
    `${cell.client}:${cell.variant}${cell.copy > 1 ? `#${cell.copy}` : ''}`,
    [cell.scenario, ...Object.values(cell.scenarioOptions)].join(':'),
    ...[cell.pipelining, cell.transport, cell.pin, groupOf(cell)],
  ].join('/');
