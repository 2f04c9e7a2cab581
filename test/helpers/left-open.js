import { createHook } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import glide from '../../src/plugins/clients/valkey-glide.js';
import { removeLeftovers } from '../../src/process/leftovers.js';
import { keeping } from './free-port.js';

/** Some clients take three seconds to close theirs, on a machine that is quiet. */
const WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 50;
const KINDS = new Set(['TCPWRAP', 'TCPSERVERWRAP', 'PIPEWRAP', 'PIPESERVERWRAP', 'PROCESSWRAP']);
/** What the fast tests may not start. */
const SLOW = new Set(['TCPSERVERWRAP', 'PIPESERVERWRAP', 'PROCESSWRAP']);

/** Where each that is open now was opened. @type {Map<object, string>} */
const opened = new Map();
/** @type {string[]} */
const slow = [];

// Without `destroy`, which Node would have to call for each promise: a tenth of the CPU of all tests.
createHook({
  init(_id, kind, _trigger, /** @type {any} */ handle) {
    if (!KINDS.has(kind)) return;
    const what = `${kind} opened ${placeOf(new Error().stack)}`;
    // Mocha's own pipes to its workers, and what is to be left open.
    if (what.includes('/workerpool/') || keeping.getStore()) return;
    opened.set(handle, what);
    if (SLOW.has(kind)) slow.push(what);
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

// Contract tests use clients in this process, which serves many files.
process.once('exit', () => removeLeftovers(glide.tempFilePrefix(process.pid)));

/**
 * Mocha ends the process when all tests are done (`exit` in .mocharc.json), because a socket left open once
 * kept it alive for an hour. Whatever is still open then fails the tests.
 */
export const mochaHooks = {
  async afterAll() {
    const deadline = performance.now() + WITHIN_MS;
    while (opened.size > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
    const left = [...opened.values()].map((what) => `still open after all tests: ${what}`);
    opened.clear();
    if (process.env.TEST_PART === 'fast') {
      left.push(...slow.splice(0).map((what) => `for the part 'servers', see run.js: ${what}`));
    }
    if (left.length > 0) throw new Error(left.join('\n'));
  },
};

/** @param {string} [stack] @returns {string} the innermost frames outside of Node itself */
const placeOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => line.includes('/') && !line.includes('node:') && !line.includes('left-open.js'))
    .slice(0, 3)
    .map((line) => line.trim())
    .join(', ');
