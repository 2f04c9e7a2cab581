import semver from 'semver';
import { UsageError } from '../errors.js';
import { checkNames, chooseClients } from './clients.js';

/** The longest that a key's prefix and number can be: `rpb:xxxx` and one digit. */
export const SHORTEST_KEY = 9;

/**
 * Every cell that the settings ask for, in the order in which a reader would list them. What cannot
 * be combined is a cell as well, with the reason for skipping it.
 *
 * @param {import('../types.js').Settings} settings
 * @param {import('../types.js').Catalogue} catalogue
 * @param {import('../types.js').Transport[]} transports those that the server offers
 * @param {import('../types.js').Sources} [sources] releases and Node binaries, where some were asked for
 * @returns {import('../types.js').Cell[]}
 * @throws {UsageError} for a name that is none
 */
export function createCells(settings, catalogue, transports, { releases = new Map(), runtimes = [] } = {}) {
  const clients = chooseClients(checkNames(settings, catalogue), releases, catalogue);
  return product({
    workload: settings.workload,
    topology: settings.topology,
    size: sizesOf(settings),
    tasks: settings.tasks,
    transport: settings.transport ?? [transports[0]],
    pipelining: settings.pipelining,
    pin: settings.pin,
    runtime: runtimes.length > 0 ? runtimes : [null],
    client: clients,
    scenario: settings.scenarios,
  }).map(
    ({
      client: { client, variant, version, copy, release },
      size: { keySize, valueSize },
      runtime,
      ...rest
    }) => {
      const node = runtime === null ? null : runtime.name;
      const cell = { client, version, variant, copy, node, keySize, valueSize, ...rest };
      return {
        id: idOf(cell),
        group: groupOf(cell),
        ...cell,
        release,
        runtime,
        scenarioOptions: { poolSize: settings.poolSize },
        floor: catalogue.clients.get(client)?.floor ?? false,
        skipped: topologyConflict(cell, settings) ?? reasonToSkip(cell, release, catalogue, transports),
      };
    },
  );
}

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
 * @param {import('../types.js').Release | null} release
 * @param {import('../types.js').Catalogue} catalogue
 * @param {import('../types.js').Transport[]} transports
 * @returns {string | null}
 */
function reasonToSkip(cell, release, catalogue, transports) {
  const client = catalogue.clients.get(cell.client);
  if (!transports.includes(cell.transport)) {
    return `the server was named by its ${transports.join(' and ')} address, which has no ${cell.transport}`;
  }
  if (client?.package && release === null) {
    return `not installed: npm install ${client.package}`;
  }
  const needed = [
    ...(catalogue.scenarios.get(cell.scenario)?.requires ?? []),
    ...(catalogue.pipelining.get(cell.pipelining)?.requires ?? []),
    ...(cell.transport === 'tcp' ? [] : [cell.transport]),
    ...(cell.topology === 'standalone' ? [] : [cell.topology]),
  ];
  const missing = needed.filter((capability) => !client?.capabilities.has(capability));
  if (missing.length > 0) return `${cell.client} has no ${missing.join(', no ')}`;
  const tooNew = [cell.variant, ...needed].find((name) => isNewerThan(client?.since?.[name], release));
  return tooNew === undefined
    ? null
    : `${cell.client} ${release?.version} has no ${tooNew}: that came with ${client?.since?.[tooNew]}`;
}

/**
 * @param {string | undefined} since the first release that has it
 * @param {import('../types.js').Release | null} release
 */
const isNewerThan = (since, release) =>
  since !== undefined && release !== null && semver.lt(release.version, since);

/** @param {import('../types.js').CellPoint} cell */
const groupOf = ({ workload, topology, keySize, valueSize, tasks }) =>
  [workload, topology, `${keySize}x${valueSize}`, tasks].join('/');

/** @param {import('../types.js').CellPoint} cell */
const idOf = (cell) =>
  [
    `${cell.client}${cell.version === null ? '' : `@${cell.version}`}:${cell.variant}${cell.copy > 1 ? `#${cell.copy}` : ''}`,
    ...(cell.node === null ? [] : [`node-${cell.node}`]),
    ...[cell.scenario, cell.pipelining, cell.transport, cell.pin, groupOf(cell)],
  ].join('/');

/**
 * @template {Record<string, readonly any[]>} Axes
 * @param {Axes} axes
 * @returns {{[Name in keyof Axes]: Axes[Name][number]}[]} the last axis varies fastest
 */
function product(axes) {
  return /** @type {any} */ (
    Object.entries(axes).reduce(
      (points, [name, values]) =>
        points.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
      [{}],
    )
  );
}
