import { RunError } from '../core/errors.js';
import { startAnswering } from '../core/process/answering.js';
import { within } from '../core/process/wait.js';
import { startManagedServer } from '../core/server/managed.js';
import { locateServer } from '../core/server/sources.js';
import { loadBull, openControlRedis } from './control-redis.js';
import { gatherFleet } from './fleet.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Fleet, Owner } from './types.js' */

/**
 * @param {Settings} settings @param {NonNullable<Settings['agents']>} agents @param {AbortSignal} [signal]
 * @returns {Promise<Fleet>} @throws {UsageError | ServerError}
 */
export async function openFleet(settings, agents, signal) {
  // First, because agents that cannot load it would be waited for.
  await loadBull();
  // The same authorities hold for the target and for the control Redis.
  if (typeof agents === 'string')
    return gatherFleet(await openControlRedis(agents, settings, '--agents'), undefined, signal);
  /** @type {Fleet | undefined} */
  let fleet;
  const local = await startLocalAgents(agents.local, settings, (name, reason) => fleet?.lose(name, reason));
  try {
    const opened = await gatherFleet(await openControlRedis(local.url, {}, '--agents'), local, signal);
    fleet = opened;
    return {
      ...opened,
      async close() {
        await opened.close();
        await local.stop();
      },
    };
  } catch (error) {
    await local.stop();
    throw error;
  }
}

const ENTRY = new URL('../benchmark/local-agent.js', import.meta.url);
/** Sixteen agents that load BullMQ at once take seconds on two processors. */
const READY_WITHIN_MS = 30_000;

/**
 * Starts a control Redis and agents on this machine, to simulate several machines.
 * @param {number} count @param {{serverBin?: string}} options
 * @param {(name: string, reason: Error) => void} onEnd called for an agent that ends by itself
 * @throws {ServerError | RunError}
 */
export async function startLocalAgents(count, { serverBin }, onEnd) {
  const control = await startManagedServer(await locateServer({ serverBin }));
  const queue = `unix://${control.targets.unix.path}`;
  let stopping = false;
  const agents = Array.from({ length: count }, (_, index) => {
    // Names sort by their numbers.
    const name = `local-${`${index + 1}`.padStart(`${count}`.length, '0')}`;
    const what = { name: `the agent ${name}`, entry: ENTRY };
    const lost = () => stopping || onEnd(name, new RunError(`the agent ${name} ended`));
    return { name, ...startAnswering(what, null, { onEnd: lost }) };
  });
  async function stop() {
    stopping = true;
    await Promise.all(agents.map(({ dismiss }) => dismiss()));
    control.control.close();
    await control.stop();
  }
  try {
    const starting = agents.map(({ name, call }) => call('start', { queue, name }));
    await within(READY_WITHIN_MS, Promise.all(starting));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: queue,
    stop,
    /** @type {Owner['name']} */
    name: async (target) => void (await Promise.all(agents.map(({ call }) => call('server', target)))),
  };
}
