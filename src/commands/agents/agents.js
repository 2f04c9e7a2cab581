import os from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { messageOf, UsageError } from '../../errors.js';
import { describeTool } from '../../machine/environment.js';
import { openFilesLimit } from '../../machine/files-and-ports.js';
import { installedPackages } from '../../machine/packages.js';
import { loadPlugins } from '../../plugins/registry.js';
import { createCallerName, greet, isAgent, machineId } from './agent-link.js';
import { agentQueue, createClock, createQueue, leaseOf, openControlRedis } from './control-redis.js';
import { readTyped } from './job-request.js';
import { allowedText, parseAllowed, placeOf } from './permissions.js';
import { serveQueue } from './serve-queue.js';

/** @import { ControlRedis } from './control-redis.js' */
/** @import { AgentFacts, Hello, Refusing } from './types.js' */
/** @import { Settings } from '../../options/types.js' */
/** @import { Target } from '../../server/types.js' */

/** The names that BullMQ queues, files and table rows accept. */
const NAME = /^[\w.-]{1,100}$/;

/**
 * @typedef {Partial<Pick<Settings, 'queueToken' | 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsInsecure'>> & {queue: string}} QueueOptions
 *
 * @typedef {object} AgentHooks
 * @property {AbortSignal} [signal]
 * @property {NodeJS.ProcessEnv} [env] has its own credentials for servers: REDIS_USERNAME and REDIS_PASSWORD
 * @property {string} [queueOrigin] where the URL came from, for error messages: `--queue` by default
 * @property {(text: string) => void} [onStatus]
 * @property {(onTarget: (target: Target) => void) => void} [owner] whoever started it, and so may name servers with all that
 *   they need
 */

/**
 * Sends load for other machines' benchmarks, one at a time.
 * @param {QueueOptions & {name: string, allow?: string[]}} options `allow`: permissions, as on the command line
 * @param {AgentHooks} [hooks] @returns {Promise<void>} @throws {UsageError | ServerError}
 */
export async function agent(
  { queue, name, allow = [], ...files },
  { signal = new AbortController().signal, env = {}, queueOrigin, onStatus = () => {}, owner } = {},
) {
  const allowed = parseAllowed(allow, env, files);
  owner?.((target) => {
    const others = allowed.servers.filter((each) => !isDeepStrictEqual(placeOf(each), placeOf(target)));
    Object.assign(allowed, { isOwned: true, servers: [...others, target] });
  });
  if (!NAME.test(name)) {
    throw new UsageError(`--name: expected letters, digits, '.', '-' and '_', got '${name}'`);
  }
  await withControl(queue, files, queueOrigin, async (control) => {
    const [clock, facts] = await Promise.all([createClock(control.time), describeAgent(name)]);
    const say = (/** @type {string} */ text) => onStatus(`${name}: ${text}`);
    await serveQueue({ control, clock, facts, allowed, read: readTyped, say }, signal, () =>
      say(`waits for jobs at ${control.label}; may measure ${allowedText(allowed)}`),
    );
  });
}

/** @type {(name: string) => Promise<Omit<AgentFacts, 'clock'>>} */
export async function describeAgent(name) {
  const clients = await loadPlugins('clients');
  const cpus = os.cpus();
  return {
    name,
    tool: describeTool().version,
    node: process.versions.node,
    packages: installedPackages([...clients.values()].flatMap((client) => client.package ?? [])),
    cpuModel: cpus[0]?.model.trim() ?? 'unknown',
    cpuCount: os.availableParallelism(),
    openFiles: await openFilesLimit(),
    machine: machineId(),
  };
}

/**
 * `silent`: queues whose agent does not reply; `refusing`: agents that refuse.
 * @param {QueueOptions} options @param {{queueOrigin?: string}} [hooks]
 * @returns {Promise<{control: string, agents: Hello[], silent: string[], refusing: Refusing[]}>}
 */
export const listAgents = ({ queue, ...files }, { queueOrigin } = {}) =>
  withControl(queue, files, queueOrigin, async (control) => {
    const { links, hellos, ...others } = await greet(control, createCallerName());
    await Promise.all(links.map((link) => link.close()));
    return { control: control.label, agents: hellos, ...others };
  });

/**
 * Removes what dead agents and benchmarks left on a control Redis.
 * @param {QueueOptions} options @param {{queueOrigin?: string}} [hooks]
 * @returns {Promise<{control: string, removed: string[], silent: string[], skipped: Refusing[]}>}
 */
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
      if (name === '') {
        skipped.push({ name: 'keys without a name', why: 'no agent and no benchmark stores these' });
        continue;
      }
      // A process keeps its lease as long as it lives.
      if ((await control.command('EXISTS', leaseOf(name)).catch(() => 0)) === 1) continue;
      const queueOfName = await createQueue(control, name);
      try {
        await queueOfName.obliterate({ force: true });
        removed.push(name);
      } catch (error) {
        skipped.push({ name, why: messageOf(error) });
      } finally {
        await queueOfName.close();
      }
    }
    return { control: control.label, removed, silent, skipped };
  });

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
