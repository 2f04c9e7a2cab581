import { describeAgent } from '../agents/agent-facts.js';
import { createClock } from '../agents/clock-offset.js';
import { openControlRedis } from '../agents/control-redis.js';
import { allowedText, parseAllowed } from '../agents/permissions.js';
import { serveQueue } from '../agents/serve-queue.js';
import { UsageError } from '../errors.js';

/** @import * as api from '../api.js' */

/** What a queue of BullMQ, a file and a line of a table can be called. */
const NAME = /^[\w.-]{1,100}$/;

/** @type {typeof api.agent} */
export async function agent(
  { queue, name, allow = [], ...files },
  { signal = new AbortController().signal, env = {}, queueOrigin, onStatus = () => {} } = {},
) {
  const allowed = parseAllowed(allow);
  if (!NAME.test(name)) {
    throw new UsageError(`--name: expected letters, digits, '.', '-' and '_', got '${name}'`);
  }
  const control = await openControlRedis(queue, files, queueOrigin ?? '--queue');
  try {
    const [clock, facts] = await Promise.all([createClock(control.time), describeAgent(name)]);
    const say = (/** @type {string} */ text) => onStatus(`${name}: ${text}`);
    say(
      `redis-pipe-bench ${facts.tool}, Node ${facts.node}, ${facts.cpuCount} processors (${facts.cpuModel}), ` +
        `${facts.openFiles ?? 'any number of'} open files; ` +
        Object.entries(facts.packages)
          .map((each) => each.join(' '))
          .join(', '),
    );
    await serveQueue({ control, clock, facts, allowed, env, say }, signal, () =>
      say(`waits for jobs at ${control.label}; may measure ${allowedText(allowed)}`),
    );
  } finally {
    control.close();
  }
}
