import { present } from '../../collections.js';
import { RunError } from '../../errors.js';
import { createPlacer } from '../../machine/placement.js';
import { pinProcess } from '../../machine/processors.js';
import { count } from '../../numbers.js';
import { until } from '../../process/wait.js';
import { startDistantServer } from '../../run/distant-server.js';
import { KEEPING_DATA, stopServer } from '../../server/managed.js';
import { onKey, openServer } from '../../server/open.js';
import { TEXT } from '../../server/replies.js';
import { firstSlot, settledPrimary, startReplica } from '../../server/topologies.js';
import { isRelayed } from './axes.js';

/** @import { Cell } from '../../run/plan/types.js' */
/** @import { FaultPlan } from './types.js' */
/** @import { ManagedProcess } from '../../server/types.js' */
/** @import { Server } from '../../server/types.js' */
/** @import { GroupContext } from '../../run/types.js' */

/** @typedef {Awaited<ReturnType<typeof setStage>>} Stage */
/** @typedef {{server: Server, spare: ManagedProcess | null, gone: Set<ManagedProcess>}} Played */

const NEARBY = { rttMs: 0, jitterPercent: 0 };

/** @param {Cell} cell */
const breaksOneNode = ({ topology, fault }) => topology === 'cluster' && fault?.by === 'server';

/** A fault must not affect the next run. @param {Cell} cell @param {GroupContext} context @returns must be closed */
export async function setStage(cell, context) {
  const fault = present(cell.fault);
  const place = context.placeOf(cell);
  /** @type {(() => Promise<unknown>)[]} */
  const closing = [];
  const close = async () => {
    for (const each of closing.toReversed()) await each();
  };
  try {
    const server = await openOwnServer(cell, fault, place.server);
    closing.push(() => server.close());
    const relayed = isRelayed(cell);
    const placer = await createPlacer(server, context.settings.pin, { relay: relayed });
    const placement = placer.placementFor(cell.pin);
    await placer.pinServer(placement);
    const needsReplica = !server.watched && fault.kind === 'failover';
    const spare = needsReplica ? await startReplica(server) : null;
    if (spare !== null) closing.push(() => stopServer(spare));
    const relay = relayed
      ? startDistantServer(cell.distance ?? NEARBY, [cell], { ...context, server, placer, spare })
      : null;
    if (relay !== null) closing.push(() => relay.end());
    const target = present(server.targets[cell.transport]);
    const { pids } = server;
    /** Nodes that the fault ended permanently. @type {Set<ManagedProcess>} */
    const gone = new Set();
    const stage = { cell, fault, server, placement, spare, gone, relay, pids, signal: context.signal };
    return {
      ...stage,
      /** On the node that breaks are the slots below this; undefined where all break, or there are no slots. */
      brokenSlots: breaksOneNode(cell) ? firstSlot(1, server.processes?.length ?? 1) : undefined,
      target: (await relay?.targetOf(cell.transport)) ?? target,
      /** Sends a command about a key after the run. @param {[string, string, ...string[]]} command */
      onKey: async (...command) => onKey(await survivors(stage), command),
      /** Waits until the server has read all that clients sent. */
      quiet: () => untilQuiet(stage),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param {Cell} cell @param {FaultPlan} fault @param {Server} like a managed one @returns {Promise<Server>} */
const openOwnServer = ({ transport }, { kind, keepsData, lastsMs }, like) =>
  openServer(null, {
    ...like.options,
    withTls: transport === 'tls',
    serverArgs: keepsData ? KEEPING_DATA : [],
    downAfterMs:
      kind === 'failover' ? Number(lastsMs) : FAILS_OVER.includes(kind) ? DOWN_AFTER_MS : undefined,
  });

/** Faults after which Sentinels may promote a replica. @type {FaultPlan['kind'][]} */
const FAILS_OVER = ['failover', 'stall', 'switchover'];
/** The default, 30 s, exceeds most runs. */
const DOWN_AFTER_MS = 1000;

/** @param {Played} stage @returns {Promise<Pick<ManagedProcess, 'control'>[]>} the spare node first */
async function survivors({ server: { processes = [], watched }, spare, gone }) {
  if (watched) return [await settledPrimary(watched)];
  return [...(spare === null ? [] : [spare]), ...processes].filter((process) => !gone.has(process));
}

/** The server must have read everything before its data is checked. */
const QUIET_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 10;
/** Replicas, a primary, Sentinels, and nodes that received keys, in CLIENT LIST. */
const OF_SERVERS = / flags=[SM]| name=sentinel-| cmd=restore/;

/** @param {Played} stage */
async function untilQuiet(stage) {
  for (const { control } of await survivors(stage)) {
    let clients = Number.NaN;
    const late = () =>
      new RunError(
        `the server still had ${count(clients, 'client')} ${QUIET_WITHIN_MS / 1000} s after the end of the workers, so what they did cannot be counted`,
      );
    const isQuiet = async () => {
      const list = (await control.ask(TEXT, 'CLIENT', 'LIST')).trim();
      clients = list.split('\n').filter((line) => !OF_SERVERS.test(line)).length;
      // One is the tool's own.
      return clients <= 1;
    };
    await until(isQuiet, { everyMs: LOOK_EVERY_MS, withinMs: QUIET_WITHIN_MS, late });
  }
}

/** Pins a restarted server as before. @param {Pick<Stage, 'server' | 'placement'>} stage */
export async function pinAgain({ server, placement: { serverCpus } }) {
  const pid = Number((await server.control.info())?.fields.process_id);
  if (serverCpus !== null && Number.isInteger(pid)) await pinProcess(pid, serverCpus);
}
