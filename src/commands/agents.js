import { agentQueue, createQueue } from '../agents/bull.js';
import { openControlRedis } from '../agents/control-redis.js';
import { createCallerName, greet, isAgent } from '../agents/greet.js';
import { messageOf } from '../errors.js';

/** @import { Queue } from 'bullmq' */
/** @import * as api from '../api.js' */
/** @import { ControlRedis, Refusing } from '../agents/types.js' */

/** @type {typeof api.listAgents} */
export const listAgents = ({ queue, ...files }, { queueOrigin } = {}) =>
  withControl(queue, files, queueOrigin, async (control) => {
    const { links, hellos, ...others } = await greet(control, createCallerName());
    await Promise.all(links.map((link) => link.close()));
    return { control: control.label, agents: hellos, ...others };
  });

/** @type {typeof api.cleanAgents} */
export const cleanAgents = ({ queue, ...files }, { queueOrigin } = {}) =>
  withControl(queue, files, queueOrigin, async (control) => {
    const { links, silent, refusing } = await greet(control, createCallerName());
    const alive = new Set([...links, ...refusing.filter(isAgent)].map(({ name }) => agentQueue(name)));
    await Promise.all(links.map((link) => link.close()));
    const names = (await control.queueNames()).filter((name) => !alive.has(name));
    /** @type {string[]} */
    const removed = [];
    /** @type {Refusing[]} */
    const skipped = [];
    for (const name of names) {
      const own = await createQueue(control, name);
      try {
        // A commander holds its own as long as it lives.
        const inUse = !name.startsWith(agentQueue('')) && (await hasHolder(own));
        if (inUse) continue;
        await own.obliterate({ force: true });
        removed.push(name);
      } catch (error) {
        skipped.push({ name, why: messageOf(error) });
      } finally {
        await own.close();
      }
    }
    return { control: control.label, removed, silent, skipped };
  });

/** @param {Queue} queue */
const hasHolder = async (queue) => (await queue.getWorkersCount().catch(() => 1)) > 0;

/**
 * @template T @param {string} url @param {Parameters<typeof openControlRedis>[1]} files
 * @param {string | undefined} origin @param {(control: ControlRedis) => Promise<T>} work
 */
async function withControl(url, files, origin = '--queue', work) {
  const control = await openControlRedis(url, files, origin);
  try {
    return await work(control);
  } finally {
    control.close();
  }
}
