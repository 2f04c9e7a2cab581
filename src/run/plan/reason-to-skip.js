import semver from 'semver';
import { repliesOf } from '../../axes/sending.js';
import { namesServer } from '../../options/option-table.js';
import { loadConflict, requestOf, shareConflict, skip, waysFor } from './loads.js';

/** @import { CommandPlan } from '../../commands/types.js' */
/** @import { Settings, Transport } from '../../options/types.js' */
/** @import { Cell, CellPoint, SkipReason } from './types.js' */
/** @import { Catalogue, PipeliningPlugin, WorkloadPlugin } from '../../plugins/types.js' */

/**
 * The first reason why the cell cannot be measured, if there is one.
 * @param {CellPoint & Pick<Cell, 'release' | 'chosen'>} cell
 * @param {Catalogue} catalogue
 * @param {Transport[]} offered by the server
 * @param {Settings} settings
 * @param {CommandPlan} command
 * @returns {SkipReason | null}
 */
export function reasonToSkip(cell, catalogue, offered, settings, command) {
  const asked = askedOf(cell, catalogue, settings);
  return (
    topologyConflict(asked) ??
    command.skip?.(cell, settings, catalogue) ??
    readConflict(asked) ??
    requestConflict(asked) ??
    replyConflict(asked) ??
    shareConflict(cell) ??
    loadConflict(cell, catalogue) ??
    notInstalled(asked, offered) ??
    whatClientLacks(asked, neededBy(asked, command))
  );
}

/** @typedef {ReturnType<typeof askedOf>} Asked */

/** @param {Parameters<typeof reasonToSkip>[0]} cell @param {Catalogue} catalogue @param {Settings} settings */
function askedOf(cell, catalogue, settings) {
  const { pipelining, workload } = cell.chosen;
  return {
    cell,
    catalogue,
    settings,
    workload: workload.id,
    /** @type {Partial<WorkloadPlugin>} */
    sends: catalogue.workloads.get(workload.id) ?? {},
    /** @type {Partial<PipeliningPlugin>} */
    mode: catalogue.pipelining.get(pipelining.id) ?? {},
    request: requestOf(workload, catalogue),
    client: catalogue.clients.get(cell.client),
  };
}

/** @param {Asked} asked */
function topologyConflict({ cell: { topology, transport, distance }, settings }) {
  if (topology !== 'standalone') {
    if (transport === 'unix') return skip('cluster-over-unix', { topology });
    if (settings.topology.length > 1 && namesServer(settings)) return skip('external-standalone', {});
  }
  return distance !== undefined && transport === 'unix' ? skip('distance-over-unix', {}) : null;
}

/**
 * Others could not tell a reply of a replica that is behind from a wrong one: their values change, or their keys are not there
 * before the run.
 * @param {Asked} asked
 */
function readConflict({ cell, workload, sends, request, catalogue: { workloads } }) {
  const isAble = (/** @type {Partial<WorkloadPlugin>} */ { wholeValues, prepare }) =>
    wholeValues && prepare !== undefined;
  if (cell.readFrom === undefined || (isAble(sends) && request === undefined)) return null;
  // Where a request needs no parameter, every operation is one.
  const able = [...workloads.values()].filter((each) => isAble(each) && each.request?.length !== 0);
  const what = (isAble(sends) && request?.share) || (cell.chosen.workload.title ?? workload);
  return skip('not-of-replicas', { workload: what, able: able.map(({ id }) => id) });
}

/** @param {Asked} asked */
function requestConflict({ cell, workload, sends, mode, request, catalogue }) {
  const { keys, way = '', topology, chosen } = cell;
  const pipelining = chosen.pipelining.id;
  const what = request?.share ?? workload;
  if (mode.batchSize && request) return skip('requests-in-batches', { workload: what, pipelining });
  if (mode.batchSize && sends.iterate) return skip('computes-between', { workload, pipelining });
  if (topology === 'cluster' && sends.ofOneNode) return skip('of-one-node', { workload });
  if (request === undefined) return null;
  const able = waysFor(request.kind, catalogue);
  if (!able.includes(way)) return skip('way-for-keys', { workload: what, way, able });
  return request.count > keys ? skip('few-keys', { workload: what, keys, count: request.count }) : null;
}

/** @param {Asked} asked */
function replyConflict({ cell, workload, sends, request }) {
  const { replies, encode = 'none', openLoop, chosen } = cell;
  if (replies !== undefined && (sends.open ?? sends.iterate ?? sends.receive))
    return skip('reads-own-replies', { workload });
  if (encode !== 'none' && !sends.wholeValues && request?.kind.many === undefined)
    return skip('encodes-none', { workload });
  if (replies === 'string' && repliesOf({ encode }) === 'buffer') return skip('encoded-as-bytes', { encode });
  return openLoop?.speed !== undefined && !chosen.workload.data
    ? skip('no-recorded-times', { workload })
    : null;
}

/** @param {Asked} asked @param {Transport[]} offered by the server */
function notInstalled({ cell, client, catalogue: { packages, scenarios } }, offered) {
  const { transport, release, scenario, scenarioOptions } = cell;
  if (!offered.includes(transport)) return skip('not-offered', { transport, offered });
  if (cell.encode === 'msgpack' && !packages.msgpackr) return skip('not-installed', { package: 'msgpackr' });
  if (release === null && client?.package != null) return skip('not-installed', { package: client.package });
  const own = scenarios.get(scenario)?.conflict?.(scenarioOptions) ?? null;
  return own === null ? null : skip('scenario-conflict', { own: [own] });
}

/**
 * @param {Asked} asked
 * @param {CommandPlan} command
 * @returns {string[]} what its client must be capable of
 */
function neededBy({ client, cell, catalogue, sends, mode, settings: { tlsCert, tlsServername } }, command) {
  const { topology, transport, distance, readFrom, scenarioOptions } = cell;
  const way = catalogue.ways.get(cell.way ?? '');
  const own = command.needs?.(cell);
  const isRelayed = (distance !== undefined && topology !== 'standalone') || own?.relay === true;
  return [
    ...(own?.capabilities ?? []),
    ...(catalogue.scenarios.get(cell.scenario)?.requires?.(scenarioOptions, topology) ?? []),
    ...(mode.requires ?? []),
    ...(sends.requires ?? []),
    ...(way?.requires ?? []),
    ...(transport === 'tcp' ? [] : [transport]),
    ...(readFrom === 'replica' ? [topology === 'cluster' ? 'replicas' : `${topology}-replicas`] : []),
    ...(repliesOf(cell) === 'buffer' ? ['buffers', ...(way?.requiresForBuffers ?? [])] : []),
    ...(topology === 'standalone' ? [] : [topology]),
    ...(isRelayed && client?.ownSockets ? ['node-sockets'] : []),
    ...(tlsCert === undefined ? [] : ['client-certificate']),
    ...(tlsServername === undefined ? [] : ['server-name']),
  ];
}

/** @param {Asked} asked @param {string[]} needed */
function whatClientLacks({ client, cell }, needed) {
  const missing = needed.filter((capability) => !client?.capabilities.has(capability));
  if (missing.length > 0) {
    const own = missing.map((capability) => client?.lacks?.[capability] ?? `no ${capability}`);
    return skip('client-lacks', { client: cell.client, own });
  }
  if (!cell.release) return null;
  const { version } = cell.release;
  for (const what of [cell.ownVariant?.base ?? cell.variant, ...needed]) {
    const since = client?.since?.[what];
    if (since && semver.lt(version, since))
      return skip('release-lacks', { client: cell.client, version, what, since });
  }
  return null;
}
