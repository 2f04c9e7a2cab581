import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { main } from '../../src/cli/main.js';

/** Nothing may be written to the home of the person who runs the tests, or anywhere else. */
const NOWHERE = join(tmpdir(), `rpb-nowhere-${process.pid}`);

/**
 * Runs the command line in this process. For whatever starts nothing, such as a wrong option.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export const runMain = (args, env = {}) =>
  runIn(args, { XDG_STATE_HOME: NOWHERE, XDG_CACHE_HOME: NOWHERE, ...env });

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env all of it
 * @returns {Promise<{code: number, stdout: string, stderr: string}>}
 */
export const runIn = (args, env) => startIn(args, env).ended;

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env all of it
 */
export function startIn(args, env) {
  const stdout = createOutput();
  const stderr = createOutput();
  const process = new EventEmitter();
  const ended = main(args, { stdout: stdout.stream, stderr: stderr.stream, env, process });
  return {
    ended: ended.then((code) => ({ code, stdout: stdout.text(), stderr: stderr.text() })),
    stderr: () => stderr.text(),
    /** @param {NodeJS.Signals} signal */
    signal: (signal) => process.emit(signal, signal),
  };
}

/**
 * Asserts wrong usage: exit 2, one line on stderr, nothing on stdout.
 *
 * @param {string[]} args
 * @param {RegExp} message
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function assertRefused(args, message, env) {
  const { code, stdout, stderr } = await runMain(args, env);
  assert.match(stderr, /^redis-pipe-bench: [^\n]+\n$/, 'one line');
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /a bug in this tool/);
  assert.deepEqual([code, stdout], [2, '']);
  assert.ok(!existsSync(NOWHERE), 'nothing is kept');
}

function createOutput() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, written) {
      text += chunk;
      written();
    },
  });
  return { stream, text: () => text };
}
