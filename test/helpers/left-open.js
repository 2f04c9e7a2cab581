import { createHook } from 'node:async_hooks';
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import glide from '../../src/plugins/clients/valkey-glide.js';
import { removeLeftovers } from '../../src/process/leftovers.js';
import { atEnd } from './at-end.js';
import { keeping } from './free-port.js';

/** Some clients take three seconds to close theirs, on a machine that is quiet. */
const WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 50;
const KINDS = new Set(['TCPWRAP', 'TCPSERVERWRAP', 'PIPEWRAP', 'PIPESERVERWRAP', 'PROCESSWRAP']);
/** Servers and processes, which only files whose names say so may start. */
const STARTED = new Set(['TCPSERVERWRAP', 'PIPESERVERWRAP', 'PROCESSWRAP']);

/** Where each that is open now was opened. @type {Map<object, string>} */
const opened = new Map();
/** @type {string[]} */
const started = [];

// Without `destroy`, which Node would have to call for each promise: a tenth of the CPU of all tests.
createHook({
  init(_id, kind, _trigger, /** @type {any} */ handle) {
    if (!KINDS.has(kind)) return;
    const what = `${kind} opened ${placeOf(new Error().stack)}`;
    // Mocha's own pipes to its workers, and what is to be left open.
    if (what.includes('/workerpool/') || keeping.getStore()) return;
    opened.set(handle, what);
    if (STARTED.has(kind)) started.push(what);
    for (const name of ['close', 'reset']) {
      const end = handle[name];
      if (end === undefined) continue;
      handle[name] = (/** @type {unknown[]} */ ...given) => {
        opened.delete(handle);
        return Reflect.apply(end, handle, given);
      };
    }
  },
}).enable();

// Whoever waits for a process to end makes no handle that the hook sees.
for (const name of /** @type {const} */ (['execFileSync', 'execSync', 'spawnSync'])) {
  const run = childProcess[name];
  childProcess[name] = (/** @type {any[]} */ ...given) => {
    started.push(`${name} ${placeOf(new Error().stack)}`);
    return Reflect.apply(run, childProcess, given);
  };
}
syncBuiltinESMExports();

// Contract tests use clients in this process, which serves many files.
process.once('exit', () => removeLeftovers(glide.tempFilePrefix(process.pid)));

/**
 * Mocha ends the process when all tests are done (`exit` in .mocharc.json), because a socket left open once
 * kept it alive for an hour. Whatever is still open then fails the tests.
 */
export const mochaHooks = {
  /** @this {Mocha.Context} */
  async afterAll() {
    for (const end of atEnd) await end();
    const deadline = performance.now() + WITHIN_MS;
    while (opened.size > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
    const left = [...opened.values()].map((what) => `still open after all tests: ${what}`);
    opened.clear();
    left.push(...misnamed(this.test?.parent));
    started.length = 0;
    if (left.length > 0) throw new Error(left.join('\n'));
  },
};

/**
 * Names tell what a file starts, so that what is fast can be run alone. Others are run by hand.
 *
 * @param {Mocha.Suite} [root] of all files that ran, in parallel of one
 * @returns {string[]}
 */
function misnamed(root) {
  if (root === undefined) return [];
  const files = [...new Set([...root.suites, ...root.tests].map(({ file = '' }) => file))];
  if (files.every((file) => file.endsWith('.test.js') && !/\.(?:server|nightly)\.test\.js$/.test(file))) {
    return [...new Set(started)].map(
      (what) => `${files}: only a file named *.server.test.js may start that: ${what}`,
    );
  }
  const isServer = files.length === 1 && files[0].endsWith('.server.test.js');
  if (!isServer || started.length > 0 || hasSkipped(root)) return [];
  return [`${files[0]} starts no server and no process: its name is *.test.js`];
}

/** @param {Mocha.Suite} suite @returns {boolean} whether not all of its tests ran, here or by -g */
const hasSkipped = ({ tests, suites }) =>
  tests.some((test) => test.state !== 'passed') || suites.some(hasSkipped);

/** @param {string} [stack] @returns {string} the innermost frames outside of Node itself */
const placeOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => line.includes('/') && !line.includes('node:') && !line.includes('left-open.js'))
    .slice(0, 3)
    .map((line) => line.trim())
    .join(', ');
