import { fileURLToPath } from 'node:url';
import { RunError } from '../errors.js';
import { startProcess } from '../process/spawn.js';
import { within } from '../process/wait.js';
import { QUEUE_TOKEN } from '../secrets.js';
import { locateServer } from '../server/locate.js';
import { startManagedServer } from '../server/managed.js';
import { loadBull } from './bull.js';
import { openControlRedis } from './control-redis.js';
import { gatherFleet } from './fleet.js';

/** @import { Settings } from '../options/types.js' */
/** @import { ChildProcess } from 'node:child_process' */
/** @import { Target } from '../server/types.js' */
/** @import { Fleet, Owner } from './types.js' */

/**
 * @param {Settings} settings @param {AbortSignal} [signal]
 * @returns {Promise<Fleet | null>} null where the load comes from this machine @throws {UsageError | ServerError}
 */
export async function openFleet({ agents, ...settings }, signal) {
  if (agents === undefined) return null;
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

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
/** Sixteen agents that load BullMQ at once take seconds on two processors. */
const READY_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 1500;

/**
 * Starts a control Redis and agents on this machine, to simulate several machines.
 * @param {number} count @param {{serverBin?: string}} options
 * @param {(name: string, reason: Error) => void} onEnd called for an agent that ends by itself
 * @throws {ServerError | RunError}
 */
export async function startLocalAgents(count, { serverBin }, onEnd) {
  const control = await startManagedServer(await locateServer({ serverBin }));
  const url = `unix://${control.targets.unix.path}`;
  const agents = Array.from({ length: count }, (_, index) => startAgent(nameOf(index, count), url));
  let stopping = false;
  async function stop() {
    stopping = true;
    await Promise.all(agents.map(endAgent));
    control.control.close();
    await control.stop();
  }
  for (const { name, ended } of agents) {
    ended.then((how) => stopping || onEnd(name, new RunError(`the agent ${name} ${how}`)));
  }
  try {
    await Promise.all(agents.map(({ ready }) => ready));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    stop,
    /** @type {Owner['name']} */
    name: async (target) => void (await Promise.all(agents.map(({ child }) => nameTo(child, target)))),
  };
}

let named = 0;

/** @param {ChildProcess} child @param {Target} target */
async function nameTo(child, target) {
  const id = ++named;
  const known = new Promise((resolve) => {
    child.on('message', function take(answer) {
      if (answer !== id) return;
      child.off('message', take);
      resolve(null);
    });
  });
  child.send({ id, target }, () => {});
  // One that has ended is reported by its end.
  await within(ENDS_WITHIN_MS, known).catch(() => {});
}

/** @param {number} index @param {number} count @returns {string} names that sort by their numbers */
const nameOf = (index, count) => `local-${`${index + 1}`.padStart(`${count}`.length, '0')}`;

/** Nobody else can reach their control Redis. */
const ALLOWED = ['any-target', 'plugins', 'releases', 'node-bin', 'scripts', 'profile:/'].map(
  (what) => `--allow=${what}`,
);

/** @param {string} name @param {string} url */
function startAgent(name, url) {
  const command = [process.execPath, BIN, 'agent', '--queue', url, '--name', name, ...ALLOWED];
  const { child, ended, tail } = startProcess(command, {
    env: { ...process.env, [QUEUE_TOKEN]: '' },
    // It ends when the channel does.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said = new Promise((resolve) => {
    child.stdout?.on('data', (chunk) => String(chunk).includes('waits for jobs') && resolve(null));
  });
  const failed = ended.then((how) => {
    throw new RunError(`the agent ${name} ${how}${tail() === '' ? '' : `: ${tail().trim()}`}`);
  });
  return { name, child, ended, ready: within(READY_WITHIN_MS, Promise.race([said, failed])) };
}

/** @param {ReturnType<typeof startAgent>} agent */
async function endAgent({ child, ended }) {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  await within(ENDS_WITHIN_MS, ended).catch(() => child.kill('SIGKILL'));
  await ended;
}
