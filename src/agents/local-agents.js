import { fileURLToPath } from 'node:url';
import { RunError } from '../errors.js';
import { startProcess } from '../process/spawn.js';
import { within } from '../process/wait.js';
import { QUEUE_TOKEN } from '../secrets.js';
import { locateServer } from '../server/locate.js';
import { startManagedServer } from '../server/managed.js';

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
/** They load BullMQ; sixteen at once on two processors take seconds. */
const READY_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 1500;

/**
 * Starts a control Redis and agents on this machine, to try what several machines would do.
 *
 * @param {number} count
 * @param {{serverBin?: string}} options
 * @param {(name: string, reason: Error) => void} onEnd told of an agent that ends by itself
 * @returns {Promise<{url: string, stop: () => Promise<void>}>}
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
  return { url, stop };
}

/** @param {number} index @param {number} count @returns {string} names that sort by their numbers */
const nameOf = (index, count) => `local-${`${index + 1}`.padStart(`${count}`.length, '0')}`;

/** @typedef {ReturnType<typeof startAgent>} LocalAgent */

/** @param {string} name @param {string} url */
function startAgent(name, url) {
  const allowed = ['any-target', 'plugins', 'releases', 'node-bin', 'profile:/'].flatMap((what) => [
    '--allow',
    what,
  ]);
  const { child, ended, tail } = startProcess(
    [process.execPath, BIN, 'agent', '--queue', url, '--name', name, ...allowed],
    {
      // Nobody else reaches their control Redis.
      env: { ...process.env, [QUEUE_TOKEN]: '' },
      // It ends when the channel does.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const said = new Promise((resolve) => {
    child.stdout?.on('data', (chunk) => String(chunk).includes('waits for jobs') && resolve(null));
  });
  const failed = ended.then((how) => {
    throw new RunError(`the agent ${name} ${how}${tail() === '' ? '' : `: ${tail().trim()}`}`);
  });
  return { name, child, ended, ready: within(READY_WITHIN_MS, Promise.race([said, failed])) };
}

/** @param {LocalAgent} agent */
async function endAgent({ child, ended }) {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  await within(ENDS_WITHIN_MS, ended).catch(() => child.kill('SIGKILL'));
  await ended;
}
