import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** @import { ChildProcess, ExecFileOptions, SpawnOptions } from 'node:child_process' */

const GUARD = fileURLToPath(new URL('./guard.sh', import.meta.url));
const OUTLIVE_GUARD = fileURLToPath(new URL('./outlive-guard.sh', import.meta.url));
const TAIL_LETTERS = 4000;

/** @param {string} program @param {string[]} args @param {Omit<ExecFileOptions, 'encoding'>} [options] */
export async function run(program, args, options) {
  const { stdout } = await promisify(execFile)(program, args, options);
  return `${stdout}`;
}

/**
 * The environment of the tool's own helpers: what users load into their services by NODE_OPTIONS, such as a tracer, belongs
 * into the workers that are measured.
 * @param {NodeJS.ProcessEnv} [env]
 */
export const withoutNodeOptions = (env = process.env) => ({ ...env, NODE_OPTIONS: undefined });

/** @param {number[] | null} cpus null for all @param {string[]} command @returns {string[]} */
export const onCpus = (cpus, command) => (cpus ? ['taskset', '-c', cpus.join(','), ...command] : command);

/**
 * Starts a process in a group of its own, so that Ctrl-C reaches only the tool, which ends it in good order.
 * @param {string[]} command @param {SpawnOptions} options
 * @returns {{child: ChildProcess, tail: () => string, ended: Promise<string>}} `tail`: the end of its output; `ended`: how
 *   it ended, in words that follow its name
 */
export function startProcess([program, ...args], options) {
  const child = spawn(program, args, { ...options, detached: true });
  // Apart: one would be printed in the middle of a line of the other.
  const tails = ['', ''];
  for (const [index, output] of [child.stdout, child.stderr].entries()) {
    output?.on('data', (chunk) => {
      tails[index] = (tails[index] + chunk).slice(-TAIL_LETTERS);
    });
  }
  // It may end before its pipes are closed.
  for (const pipe of child.stdio ?? []) pipe?.on('error', () => {});
  const ended = once(child, 'exit').then(
    ([code, signal]) => (signal ? `was killed by ${signal}` : `ended with exit code ${code}`),
    (error) => `could not be started: ${error.message}`,
  );
  return { child, tail: () => tails.join(''), ended };
}

/**
 * Starts a command that ends with this process, even by kill -9. @param {string[]} command
 * @param {{folder?: string, input?: string, env?: NodeJS.ProcessEnv}} [options]
 *   `folder`: removed with it; `input`: a file
 */
export function startGuarded(command, { folder = '', input = '/dev/null', env } = {}) {
  const guard = startProcess(['sh', GUARD, folder, input, ...command], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return {
    ...guard,
    async stop() {
      guard.child.stdin?.end();
      await guard.ended;
    },
  };
}

/**
 * Kills a process that outlives this one by more than `graceS`. A sleeping shell does it: a thread in the process itself
 * would be measured with it.
 * @param {number | undefined} pid missing where it could not be started @param {number} graceS
 * @returns {() => Promise<void>} call it when the process has ended; ends the guard
 */
export function guardAgainstOutliving(pid, graceS) {
  if (pid === undefined) return async () => {};
  // There is no guard without a shell, and everything else goes on.
  const { child, ended } = startProcess(['sh', OUTLIVE_GUARD, `${pid}`, `${graceS}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return async () => {
    child.ref();
    child.kill('SIGKILL');
    child.stdin?.destroy();
    await ended;
  };
}
