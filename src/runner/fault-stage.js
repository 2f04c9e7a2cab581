import { setTimeout as sleep } from 'node:timers/promises';
import { isRelayed } from '../axes/fault.js';
import { RunError } from '../errors.js';
import { createPlacer } from '../machine/placement.js';
import { pinProcess } from '../machine/processors.js';
import { onKey } from '../server/open.js';
import { startReplica, stopServer } from '../server/replica.js';
import { KEEPING_DATA } from '../server/restart.js';
import { startDistantServer } from './distant-server.js';

/** @import { Cell, FaultPlan } from '../plan/types.js' */
/** @import { ManagedProcess, Server, Target } from '../server/types.js' */
/** @import { GroupContext, Stage } from './types.js' */

const NEARBY = { rttMs: 0, jitterPercent: 0 };

/**
 * What a run with a fault is played on: a server that only this run uses, where it may be one of the tool's own, so that
 * nothing of one fault is left in the next; a replica, where one is to take over; and a relay, where the fault or the
 * distance needs one.
 * @param {Cell} cell @param {GroupContext} context @returns {Promise<Stage>} to be closed
 */
export async function setStage(cell, context) {
  const fault = /** @type {FaultPlan} */ (cell.fault);
  const place = context.placeOf(cell);
  const server = (await openOwnServer(cell, fault, place.server)) ?? place.server;
  const own = server !== place.server;
  /** @type {(() => Promise<unknown>)[]} */
  const closing = own ? [() => server.close()] : [];
  const close = async () => {
    for (const each of closing.toReversed()) await each();
  };
  try {
    const relayed = isRelayed(cell);
    const placer = own ? await createPlacer(server, context.settings.pin, { relay: relayed }) : place.placer;
    const placement = placer.placementFor(cell.pin);
    await placer.pinServer(placement);
    const replica = fault.kind === 'failover' ? await startReplica(server) : null;
    if (replica !== null) closing.push(() => stopServer(replica));
    const relay = relayed
      ? startDistantServer(cell.distance ?? NEARBY, [cell], { ...context, server, placer })
      : null;
    if (relay !== null) closing.push(() => relay.end());
    const { pids } = server;
    const stage = { cell, fault, server, placement, replica, relay, pids, signal: context.signal };
    return {
      ...stage,
      target: /** @type {Target} */ (
        await (relay?.targetOf(cell.transport) ?? server.targets[cell.transport])
      ),
      onKey: (...command) => (own ? onKey(survivors(stage), command) : server.onKey(...command)),
      quiet: () => untilQuiet(stage),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param {Cell} cell @param {FaultPlan} fault @param {Server} like @returns {Promise<Server> | undefined} */
const openOwnServer = ({ transport }, { kind, keepsData }, like) =>
  like.another?.({
    withTls: transport === 'tls',
    serverArgs: keepsData || kind === 'loading' ? KEEPING_DATA : [],
  });

/**
 * @param {Pick<Stage, 'fault' | 'server' | 'replica'>} stage
 * @returns {Pick<ManagedProcess, 'control'>[]} the nodes that have the data at the end
 */
function survivors({ fault, server: { processes = [] }, replica }) {
  return fault.kind === 'failover' && replica !== null ? [replica, ...processes.slice(1)] : processes;
}

/** What was on its way when the clients ended must have been read by the server before its data is. */
const QUIET_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 10;
/** Of a server with other users it cannot be seen whether our connections are gone. */
const SETTLE_MS = 300;

/** @param {Pick<Stage, 'fault' | 'server' | 'replica'>} stage */
async function untilQuiet(stage) {
  if (stage.server.kind === 'external') {
    await sleep(SETTLE_MS);
    return;
  }
  const deadline = performance.now() + QUIET_WITHIN_MS;
  for (const { control } of survivors(stage)) {
    for (;;) {
      const info = await control.info();
      // The tool's own connection is one.
      if (Number(info?.fields.connected_clients) <= 1) break;
      if (performance.now() > deadline) {
        throw new RunError(
          `the server still had ${info?.fields.connected_clients} clients ${QUIET_WITHIN_MS / 1000} s after the end of the workers, so what they did cannot be counted`,
        );
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
}

/**
 * Moves a server that was started anew to where the old one was.
 * @param {Pick<Stage, 'server' | 'placement'>} stage
 */
export async function pinAgain({ server, placement: { serverCpus } }) {
  const pid = Number((await server.control.info())?.fields.process_id);
  if (serverCpus !== null && Number.isInteger(pid)) await pinProcess(pid, serverCpus);
}
