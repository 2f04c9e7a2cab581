import { loadBull } from './bull.js';
import { openControlRedis } from './control-redis.js';
import { gatherCrew } from './crew.js';
import { startLocalAgents } from './local-agents.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Crew } from './types.js' */

/**
 * The agents that a benchmark's load comes from.
 *
 * @param {Settings} settings
 * @param {AbortSignal} [signal]
 * @returns {Promise<Crew | null>} null where the load comes from this machine
 * @throws {UsageError | ServerError}
 */
export async function openCrew({ agents, ...settings }, signal) {
  if (agents === undefined) return null;
  // First: agents that cannot load it would be waited for.
  await loadBull();
  if (typeof agents === 'string')
    return gatherCrew(await openControlRedis(agents, accessOf(settings), '--agents'), signal);
  /** @type {Crew | undefined} */
  let crew;
  const local = await startLocalAgents(agents.local, settings, (name, reason) => crew?.lose(name, reason));
  try {
    const opened = await gatherCrew(await openControlRedis(local.url, {}, '--agents'), signal);
    crew = opened;
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

/** The same authorities hold for the target and for the control Redis. @param {Partial<Settings>} settings */
const accessOf = ({ queueToken, tlsCa, tlsCert, tlsKey, tlsInsecure }) => ({
  queueToken,
  tlsCa,
  tlsCert,
  tlsKey,
  tlsInsecure,
});
