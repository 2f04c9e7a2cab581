import semver from 'semver';
import { CUTS_OFF, FORGETS, isRelayed } from '../axes/fault.js';
import { repliesOf } from '../axes/sending.js';
import { hasOwnKeys } from '../axes/workload.js';
import { namesServer } from '../options/option-table.js';
import { loadConflict, requestOf, shareConflict, waysFor } from './loads.js';

/** @import { Settings, Topology, Transport } from '../options/types.js' */
/** @import { Cell, CellPoint, FaultPlan, SkipReason } from './types.js' */
/** @import { Catalogue, ClientPlugin, PipeliningPlugin, WorkloadPlugin } from '../plugins/types.js' */

/**
 * @typedef {object} Asked
 * @property {CellPoint & Pick<Cell, 'release' | 'chosen'>} cell
 * @property {string} workload its id
 * @property {Partial<WorkloadPlugin>} sends what that workload does
 * @property {Partial<PipeliningPlugin>} mode of pipelining
 * @property {ReturnType<typeof requestOf>} request that each operation is, if it is one
 * @property {ClientPlugin | undefined} client
 * @property {Catalogue} catalogue
 * @property {Transport[]} offered by the server
 * @property {Settings} settings
 *
 * @typedef {(asked: Asked) => SkipReason | null | false | undefined} SkipRule
 */

/**
 * @param {Asked['cell']} cell @param {Catalogue} catalogue @param {Transport[]} offered by the server
 * @param {Settings} settings @returns {SkipReason | null} why the cell cannot be measured, if so
 */
export function reasonToSkip(cell, catalogue, offered, settings) {
  const { pipelining, workload } = cell.chosen;
  return firstOf(RULES, {
    cell,
    workload: workload.id,
    sends: catalogue.workloads.get(workload.id) ?? {},
    mode: catalogue.pipelining.get(pipelining.id) ?? {},
    request: requestOf(workload, catalogue),
    client: catalogue.clients.get(cell.client),
    catalogue,
    offered,
    settings,
  });
}

/** @param {SkipRule[]} rules @param {Asked} asked @returns {SkipReason | null} */
function firstOf(rules, asked) {
  for (const rule of rules) {
    const reason = rule(asked);
    if (reason) return reason;
  }
  return null;
}

/** Each is known to the worker, and looked at when the run is over. */
const MOST_OWN_KEYS = 200_000;
/** Each operation is followed by itself, which takes memory and time. */
const MOST_PER_SECOND = 20_000;
/** Which write a reply is of stands in its last characters; the first ones tell keys apart. */
const SHORTEST_VALUE = 16;
/** What changes a cluster. */
const OF_CLUSTERS = ['slots', 'join', 'leave', 'promote', 'dead-seed', 'reload'];
/** What can be done to several servers: to all connections, to the first node or the primary, or to clients. */
const OF_SEVERAL = ['none', 'cut', 'half-open', ...FORGETS, 'slow', 'stall', 'freeze', 'failover'];
/** What operators order of running servers, and can take back. */
const CHANGES = ['slots', 'promote', 'switchover'];
/** What Sentinels do, or do not hear of. */
const OF_SENTINELS = ['switchover', ...CUTS_OFF];
/** @type {Partial<Record<Topology, string[]>>} */
const ABLE = { cluster: [...OF_SEVERAL, ...OF_CLUSTERS], sentinel: [...OF_SEVERAL, ...OF_SENTINELS] };

/** Of cells in whose runs something breaks. @type {((asked: Asked, fault: FaultPlan) => ReturnType<SkipRule>)[]} */
const FAULT_RULES = [
  ({ cell, sends: { startsProcesses, receive, outlasts } }) =>
    (startsProcesses || (receive && !outlasts?.(cell.chosen.workload.parameter))) && {
      kind: 'not-with-fault',
      workload: cell.workload,
    },
  ({ cell }) =>
    hasOwnKeys(cell) &&
    cell.keys > MOST_OWN_KEYS && { kind: 'fault-keys', keys: cell.keys, most: MOST_OWN_KEYS },
  ({ cell }) => cell.machines !== undefined && { kind: 'fault-with-agents' },
  ({ cell }, { kind, name }) =>
    OF_SENTINELS.includes(kind) &&
    cell.topology !== 'sentinel' && { kind: 'fault-of-sentinels', fault: name },
  ({ cell }, { kind, name }) =>
    OF_CLUSTERS.includes(kind) && cell.topology !== 'cluster' && { kind: 'fault-of-cluster', fault: name },
  ({ settings }, { by, kind, name }) =>
    by === 'server' &&
    namesServer(settings) &&
    !CHANGES.includes(kind) && { kind: 'fault-of-managed', fault: name },
  ({ settings }, { by, name }) =>
    by === 'server' &&
    namesServer(settings) &&
    !settings.allowServerChanges && { kind: 'fault-changes', fault: name },
  ({ cell: { topology } }, { kind }) => {
    const able = ABLE[topology];
    return able && !able.includes(kind) && { kind: 'fault-of-single', fault: kind, able, topology };
  },
  ({ cell: { transport, topology } }, fault) =>
    transport === 'unix' && isRelayed({ fault, topology }) && { kind: 'fault-over-unix', fault: fault.kind },
  ({ cell, mode }) => mode.batchSize && { kind: 'fault-in-batches', pipelining: cell.pipelining },
  // Beside a longer pause, a shorter one shows what changes.
  ({ settings: { idle = [] } }, { kind, name, byMs }) =>
    FORGETS.includes(kind) && Math.max(0, ...idle) <= Number(byMs) && { kind: 'fault-idle', fault: name },
  ({ cell: { openLoop } }) =>
    Number(openLoop?.ratePerSecond) > MOST_PER_SECOND && { kind: 'fault-rate', most: MOST_PER_SECOND },
];

/** What cannot be measured; the first one that holds is reported. @type {SkipRule[]} */
const RULES = [
  ({ cell: { topology, transport } }) =>
    topology !== 'standalone' && transport === 'unix' && { kind: 'cluster-over-unix', topology },
  ({ cell, settings }) =>
    cell.topology !== 'standalone' &&
    settings.topology.length > 1 &&
    namesServer(settings) && { kind: 'external-standalone' },
  ({ cell }) => cell.distance !== undefined && cell.transport === 'unix' && { kind: 'distance-over-unix' },
  ({ cell, workload, sends }) =>
    cell.fault === undefined && sends.grows && { kind: 'only-with-fault', workload },
  (asked) => {
    const { fault } = asked.cell;
    return (
      fault &&
      firstOf(
        FAULT_RULES.map((rule) => (each) => rule(each, fault)),
        asked,
      )
    );
  },
  ({ cell: { beside }, sends }) =>
    sends.receive && beside.some((part) => !part.byOthers) && { kind: 'messages-with-load' },
  ({ cell: { chosen }, sends, mode }) =>
    sends.receive &&
    (mode.batchSize ?? mode.wrap) && { kind: 'messages-held-back', pipelining: chosen.pipelining.id },
  // Otherwise stale replies could not be distinguished from wrong ones.
  ({ cell, workload, catalogue: { workloads } }) => {
    if (cell.readFrom === undefined) return null;
    const able = [...workloads.values()].filter(({ tellsWrites }) => tellsWrites).map(({ id }) => id);
    return !able.includes(workload) && { kind: 'writes-unnumbered', able };
  },
  ({ cell: { readFrom, shortestValue } }) =>
    readFrom !== undefined &&
    shortestValue < SHORTEST_VALUE && { kind: 'values-too-short', least: SHORTEST_VALUE },
  ({ cell: { chosen }, workload, request, mode }) =>
    mode.batchSize && request && { kind: 'requests-in-batches', workload, pipelining: chosen.pipelining.id },
  ({ cell: { chosen }, workload, sends, mode }) =>
    mode.batchSize &&
    sends.iterate && { kind: 'computes-between', workload, pipelining: chosen.pipelining.id },
  ({ cell, workload, sends }) =>
    cell.topology === 'cluster' && sends.ofOneNode && { kind: 'of-one-node', workload },
  ({ cell, request, catalogue }) => {
    const able = request ? waysFor(request.kind, catalogue) : [];
    return request && !able.includes(`${cell.way}`) && { kind: 'way-for-keys', way: `${cell.way}`, able };
  },
  ({ cell: { keys }, request }) =>
    request && request.count > keys && { kind: 'few-keys', keys, count: request.count },
  ({ cell: { replies }, workload, sends: { open, iterate, receive } }) =>
    replies !== undefined && (open ?? iterate ?? receive) && { kind: 'reads-own-replies', workload },
  ({ cell: { encode = 'none' }, workload, sends, request }) =>
    encode !== 'none' &&
    !sends.tellsWrites &&
    request?.kind.many === undefined && { kind: 'encodes-none', workload },
  ({ cell: { encode = 'none', replies } }) =>
    replies === 'string' && repliesOf({ encode }) === 'buffer' && { kind: 'encoded-as-bytes', encode },
  ({ cell: { openLoop, chosen }, workload }) =>
    openLoop?.speed !== undefined && !chosen.workload.data && { kind: 'no-recorded-times', workload },
  ({ cell }) => shareConflict(cell),
  ({ cell, catalogue }) => loadConflict(cell, catalogue),
  ({ cell: { transport }, offered }) =>
    !offered.includes(transport) && { kind: 'not-offered', transport, offered },
  ({ cell, catalogue: { packages } }) => {
    const missing = OPTIONAL.find(([axis, value, name]) => cell[axis] === value && !packages[name]);
    return missing && { kind: 'not-installed', package: missing[2] };
  },
  ({ cell, client }) =>
    cell.release === null && client?.package != null && { kind: 'not-installed', package: client.package },
  ({ cell: { scenario, scenarioOptions }, catalogue }) => {
    const own = catalogue.scenarios.get(scenario)?.conflict?.(scenarioOptions) ?? null;
    return own !== null && { kind: 'scenario-conflict', own: [own] };
  },
  (asked) => whatClientLacks(asked, neededBy(asked)),
];

/** Packages that only these values need. */
const OPTIONAL = /** @type {const} */ ([
  ['encode', 'msgpack', 'msgpackr'],
  ['bundle', 'esbuild', 'esbuild'],
]);

/** @param {Asked} asked @returns {string[]} what its client must be capable of */
function neededBy({ client, cell, catalogue, sends, mode, settings: { tlsCert } }) {
  const { topology, transport, fault, readFrom, scenarioOptions } = cell;
  const way = catalogue.ways.get(cell.way ?? '');
  return [
    ...(fault === undefined ? [] : ['recovery']),
    ...(catalogue.scenarios.get(cell.scenario)?.requires?.(scenarioOptions, topology) ?? []),
    ...(mode.requires ?? []),
    ...(sends.requires ?? []),
    ...(way?.requires ?? []),
    ...(transport === 'tcp' ? [] : [transport]),
    ...(readFrom === 'replica' ? [topology === 'cluster' ? 'replicas' : `${topology}-replicas`] : []),
    ...(repliesOf(cell) === 'buffer' ? ['buffers', ...(way?.requiresForBuffers ?? [])] : []),
    ...(topology === 'standalone' ? [] : [topology]),
    ...(topology === 'standalone' || !isRelayed(cell) || !client?.ownSockets ? [] : ['node-sockets']),
    ...(cell.bundle === 'esbuild' ? ['bundling'] : []),
    ...(tlsCert === undefined ? [] : ['client-certificate']),
  ];
}

/** @param {Asked} asked @param {string[]} needed @returns {SkipReason | undefined} */
function whatClientLacks({ client, cell }, needed) {
  const missing = needed.filter((capability) => !client?.capabilities.has(capability));
  if (missing.length > 0) {
    const own = missing.map((capability) => client?.lacks?.[capability] ?? `no ${capability}`);
    return { kind: 'client-lacks', client: cell.client, own };
  }
  if (!cell.release) return undefined;
  const { version } = cell.release;
  const [[what, since] = []] = [cell.ownVariant?.base ?? cell.variant, ...needed]
    .map((each) => /** @type {const} */ ([each, client?.since?.[each]]))
    .filter(([, first]) => first && semver.lt(version, first));
  return what && since ? { kind: 'release-lacks', client: cell.client, version, what, since } : undefined;
}
