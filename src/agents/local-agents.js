import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RunError } from '../errors.js';
import { QUEUE_TOKEN } from '../secrets.js';
import { locateServer } from '../server/locate.js';
import { startManagedServer } from '../server/managed.js';
import { within } from '../server/within.js';

/** @import { ChildProcess } from 'node:child_process' */

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
  for (const { name, exited } of agents) {
    exited.then((how) => stopping || onEnd(name, new RunError(`the agent ${name} ${how}`)));
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
  const child = spawn(process.execPath, [BIN, 'agent', '--queue', url, '--name', name, ...allowed], {
    // Nobody else reaches their control Redis.
    env: { ...process.env, [QUEUE_TOKEN]: '' },
    // It ends when the channel does, and Ctrl-C reaches only this process.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const exited = once(child, 'exit').then(
    ([code, signal]) => (signal ? `was killed by ${signal}` : `ended with exit code ${code}`),
    (error) => `could not be started: ${error.message}`,
  );
  return { name, child, exited, ready: readiness(name, child, exited) };
}

/** @param {string} name @param {ChildProcess} child @param {Promise<string>} exited */
async function readiness(name, child, exited) {
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    printed = (printed + chunk).slice(-2000);
  });
  const said = new Promise((resolve) => {
    child.stdout?.on('data', (chunk) => String(chunk).includes('waits for jobs') && resolve(null));
  });
  const ended = exited.then((how) => {
    throw new RunError(`the agent ${name} ${how}${printed === '' ? '' : `: ${printed.trim()}`}`);
  });
  await within(READY_WITHIN_MS, Promise.race([said, ended]));
}

/** @param {LocalAgent} agent */
async function endAgent({ child, exited }) {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  await within(ENDS_WITHIN_MS, exited).catch(() => child.kill('SIGKILL'));
  await exited;
}
