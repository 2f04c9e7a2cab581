import { InterruptedError, RunError, ServerError, UsageError } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { untilAborted, within } from '../process/wait.js';
import { machineId } from './agent-facts.js';
import { agentQueue, commanderQueue, createWorker } from './bull.js';
import { createClock } from './clock-offset.js';
import { checkFree, checkTokens, checkVersions, createCallerName, greet, nobody, notesOf } from './greet.js';
import { holdLease } from './lease.js';
import { placesOf } from './permissions.js';
import { createRemoteWorkers } from './remote-workers.js';

/** @import { Server } from '../server/types.js' */
/** @import { AgentLink } from './agent-link.js' */
/** @import { ControlRedis } from './control-redis.js' */
/** @import { Fleet, Wants } from './types.js' */

const ENDS_WITHIN_MS = 2000;

/**
 * Uses every agent that waits at a control Redis.
 * @param {ControlRedis} control @param {AbortSignal} [signal]
 * @throws {ServerError} where there is none, or one is busy
 * @throws {UsageError} where one has another version or another token @throws {InterruptedError}
 */
export async function gatherFleet(control, signal = new AbortController().signal) {
  /** @type {(() => Promise<unknown>)[]} in reverse */
  const endings = [async () => control.close()];
  const close = async () => {
    // A lost control Redis answers none of them; the last one ends all connections.
    for (const end of endings.splice(0).reverse()) await within(ENDS_WITHIN_MS, end()).catch(() => {});
  };
  try {
    return await untilAborted(signal, assemble(control, endings, close));
  } catch (error) {
    await close();
    if (signal.aborted) throw new InterruptedError('interrupted before the agents had begun');
    throw error;
  }
}

/**
 * @param {ControlRedis} control @param {(() => Promise<unknown>)[]} endings
 * @param {() => Promise<void>} close @returns {Promise<Fleet>}
 */
async function assemble(control, endings, close) {
  const caller = createCallerName();
  const { links, hellos, silent, refusing } = await greet(control, caller);
  endings.push(...links.map((link) => link.close));
  checkVersions(hellos);
  checkTokens(control, hellos, refusing);
  if (links.length === 0) throw nobody(control, silent);
  checkFree(hellos);
  const lease = await holdLease(control, commanderQueue(caller), () => {
    const lost = new RunError(`the control Redis at ${control.label} was lost`);
    for (const link of links) link.lose(lost);
  });
  endings.splice(1, 0, lease.end);
  const offer = { tool: describeTool().version, commander: caller, lease: lease.lease };
  await Promise.all(links.map((link) => link.open(offer))).catch((error) => {
    throw new ServerError(error.message);
  });
  const checkers = await Promise.all(
    links.map(({ name }) => createWorker(control, agentQueue(name), 'watch', null)),
  );
  endings.push(() => Promise.all(checkers.map((checker) => checker.close(true))));
  const clock = await createClock(control.time);
  const agents = hellos.map(({ worksFor: _, aheadMs: _ahead, nonce: _nonce, ...facts }) => facts);
  const areLocal = agents.every(({ machine }) => machine === machineId());
  return {
    agents,
    areLocal,
    notes: notesOf(agents, silent, refusing),
    lose: (name, reason) => links.find((link) => link.name === name)?.lose(reason),
    startWorkers: createRemoteWorkers({ links, clock, areLocal, isPrivate: control.isPrivate }),
    check: (servers, wants) => check({ control, links, areLocal }, servers, wants),
    close,
  };
}

/**
 * The target must not be the control Redis, and every agent must be able, and allowed, to reach it.
 * @param {{control: ControlRedis, links: AgentLink[], areLocal: boolean}} fleet @param {Server[]} servers
 * @param {Omit<Wants, 'targets'>} wants @throws {UsageError}
 */
async function check({ control, links, areLocal }, servers, wants) {
  for (const { runIds, targets, isLocal } of servers) {
    const addresses = Object.values(targets).flatMap(placesOf);
    const same = runIds === null ? addresses.includes(control.label) : runIds.includes(`${control.runId}`);
    if (same) {
      throw new UsageError(
        `--agents: ${control.label} is both the control Redis and the measured server, so commands of the control would be ` +
          'counted; use another Redis for one of them',
      );
    }
    if (isLocal && !areLocal) {
      throw new UsageError(
        `--agents: ${addresses[0]} is on this machine only, and agents on other machines cannot reach it; name the ` +
          'server by an address that they know (--url)',
      );
    }
  }
  const targets = servers.flatMap((server) => Object.values(server.targets).flatMap(placesOf));
  const answers = await Promise.all(links.map((link) => link.call('check', { targets, ...wants })));
  const refusals = answers.flatMap((texts, index) =>
    texts.length === 0 ? [] : [`${links[index].name} does not allow ${texts.join(', ')}`],
  );
  if (refusals.length > 0) throw new UsageError(`--agents: ${refusals.join('; ')}`);
}
