import { openControlRedis } from './control-redis.js';
import { gatherCrew } from './crew.js';
import { startLocalAgents } from './local-agents.js';

/**
 * @import { Settings } from '../options/types.js'
 * @import { Crew } from './types.js'
 */

/**
 * The agents that a benchmark's load comes from.
 *
 * @param {Settings} settings
 * @param {string} [origin] where the address of the control Redis came from
 * @returns {Promise<Crew | null>} null where the load comes from this machine
 * @throws {UsageError | ServerError}
 */
export async function openCrew({ agents, ...settings }, origin = '--agents') {
  if (agents === undefined) return null;
  if (typeof agents === 'string')
    return gatherCrew(await openControlRedis(agents, filesOf(settings), origin));
  /** @type {Crew | undefined} */
  let crew;
  const local = await startLocalAgents(agents.local, settings, (name, reason) => crew?.lose(name, reason));
  try {
    const opened = await gatherCrew(await openControlRedis(local.url, {}, origin));
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
const filesOf = ({ tlsCa, tlsCert, tlsKey, tlsInsecure }) => ({ tlsCa, tlsCert, tlsKey, tlsInsecure });
