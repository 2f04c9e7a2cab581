import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from './at-end.js';
import { startIn } from './main.js';
import { processesOf } from './processes.js';
import { until } from './until.js';

/** @import { ChildProcess } from 'node:child_process' */

export const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));

/**
 * One small cell. Its client is the one that starts first, for tests in which the client is not the point. Not pinned: the workers of tests that run side by side would all be on the
 * same processor, and runs that had to wait for it would be repeated.
 */
export const ONE_CELL = [
  ...['--clients', 'raw', '--scenarios', 'shared-connection', '--size', '10'],
  ...['--pin', 'off', '--no-profile'],
];
export const QUICK = [...ONE_CELL, '--runs', '1', '--warmup-runs', '0', '--iterations', '50'];
/** One cell that runs until something ends it. */
export const ENDLESS = [...ONE_CELL, '--runs', '10000', '--warmup-runs', '0', '--iterations', '200'];

/** Client releases are installed once and kept in this checkout's node_modules. */
export const CACHE_HOME = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** The environment of the person who runs the tests must not change the results. */
const NEUTRAL = {
  REDIS_URL: undefined,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
  CI: undefined,
  DEBUG: undefined,
  XDG_CACHE_HOME: CACHE_HOME,
};
/** Where the tool keeps its results, inside its temporary folder. */
export const STATE = 'state';
const ENDS_WITHIN_MS = 50_000;
const SAYS_WITHIN_MS = 30_000;

/**
 * @typedef {object} Finished
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal
 * @property {string} stdout
 * @property {string} stderr
 * @property {string} temp the TMPDIR that the tool had
 */

/** @type {Set<{child: ChildProcess, temp: string}>} */
const started = new Set();
/** Of commands that ran in this process. @type {Set<string>} */
const temporary = new Set();
const newTemp = () => realpathSync(mkdtempSync(join(TEMPORARY, 'rpb-')));
/** Asked once: a command that runs in this process has its own. */
const TEMPORARY = tmpdir();

/**
 * @param {string} temp
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} nothing may be written to the home of the person who runs the tests
 */
const environmentOf = (temp, env) => ({
  ...process.env,
  ...NEUTRAL,
  TMPDIR: temp,
  XDG_STATE_HOME: join(temp, STATE),
  ...env,
});

/**
 * Starts the tool as a user does, in a temporary folder of its own.
 *
 * @param {string[]} args
 * @param {object} [options]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {boolean} [options.inTemp] whether its temporary folder is its working directory too
 * @param {string} [options.folder] its working directory
 * @param {'stdout' | 'stderr'} [options.closed] the one that nobody reads
 * @param {number} [options.withinMs] then it is killed and the test fails
 */
export function startCli(args, { env = {}, inTemp = false, folder, closed, withinMs = ENDS_WITHIN_MS } = {}) {
  const temp = newTemp();
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: inTemp ? temp : folder,
    env: environmentOf(temp, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add({ child, temp });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed.stderr += text;
  });
  if (closed) child[closed].destroy();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, withinMs);
  const result = once(child, 'close').then(([code, signal]) => {
    clearTimeout(timer);
    if (late) throw new Error(`did not end within ${withinMs} ms: ${args.join(' ')}\n${printed.stderr}`);
    return /** @type {Finished} */ ({ code, signal, ...printed, temp });
  });
  // The test may await it too late, or never if it fails first.
  result.catch(() => {});
  return {
    child,
    temp,
    result,
    /** @param {NodeJS.Signals} signal */
    signal: (signal) => child.kill(signal),
    says: saysIn(() => printed.stderr),
  };
}

/** One command at a time in this process: its environment is the command's. */
let ended = Promise.resolve();
/** @type {ReturnType<typeof startIn> | undefined} */
let running;

/**
 * Runs the tool to its end. In this process, as that saves starting one; what it starts is as real.
 *
 * @param {string[]} args
 * @param {Parameters<typeof startCli>[1]} [options]
 * @returns {Promise<Finished>}
 */
export function runCli(args, options = {}) {
  // A stream that nobody reads has to be one of a process.
  if (options.closed) return startCli(args, options).result;
  const result = ended.then(() => startHere(args, options).result);
  ended = result.then(
    () => {},
    () => {},
  );
  return result;
}

/**
 * Starts the tool in this process, which cannot be killed; it is told of signals.
 *
 * @param {string[]} args
 * @param {Omit<NonNullable<Parameters<typeof startCli>[1]>, 'closed'>} [options]
 */
export function startHere(args, { env = {}, inTemp = false, withinMs = ENDS_WITHIN_MS } = {}) {
  assert.equal(running, undefined, 'one at a time');
  const temp = newTemp();
  temporary.add(temp);
  const before = { env: { ...process.env }, folder: process.cwd() };
  setEnvironment(environmentOf(temp, env));
  if (inTemp) process.chdir(temp);
  const startedAt = performance.now();
  const started = startIn(args, process.env);
  running = started;
  const result = started.ended
    .then((finished) => {
      const tookMs = performance.now() - startedAt;
      if (tookMs > withinMs) throw new Error(`took ${tookMs} ms: ${args.join(' ')}\n${finished.stderr}`);
      return /** @type {Finished} */ ({ ...finished, signal: null, temp });
    })
    .finally(() => {
      running = undefined;
      process.chdir(before.folder);
      setEnvironment(before.env);
    });
  // The test may await it too late, or never if it fails first.
  result.catch(() => {});
  return { temp, result, signal: started.signal, says: saysIn(started.stderr) };
}

/**
 * @param {() => string} stderr
 * @returns {(pattern: RegExp) => Promise<unknown>} resolves once stderr shows it
 */
const saysIn = (stderr) => (pattern) =>
  until(
    () => `${pattern} in:\n${stderr()}`,
    () => pattern.test(stderr()),
    SAYS_WITHIN_MS,
  );

/** @param {NodeJS.ProcessEnv} env */
function setEnvironment(env) {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

/**
 * What a tool has left behind.
 *
 * @param {string} temp the tool's TMPDIR
 * @returns {string[]} processes and files
 */
export const leftovers = (temp) => [
  ...processesOf(temp).map(({ pid, command }) => `process ${pid} ${command}`),
  ...readdirSync(temp)
    .filter((name) => name !== STATE)
    .map((name) => `file ${name}`),
];

/**
 * For afterEach: ends what a failed test left running, and removes all temporary folders. It is done after the last test of a
 * file in any case.
 */
export async function endStarted() {
  running?.signal('SIGINT');
  await running?.ended.catch(() => {});
  for (const each of started) {
    started.delete(each);
    const { child, temp } = each;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    removeTemp(temp);
  }
  for (const temp of temporary) removeTemp(temp);
  temporary.clear();
}

atEnd.add(endStarted);

/** @param {string} temp */
function removeTemp(temp) {
  for (const { pid } of processesOf(temp)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
  }
  rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
}
