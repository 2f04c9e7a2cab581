import { createHook } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const WITHIN_MS = 3000;
const LOOK_EVERY_MS = 50;
const KINDS = new Set(['TCPWRAP', 'TCPSERVERWRAP', 'PIPEWRAP', 'PIPESERVERWRAP', 'PROCESSWRAP']);

/** Where each that is open now was opened, by its async id. @type {Map<number, string>} */
const opened = new Map();

createHook({
  init(id, kind) {
    if (KINDS.has(kind)) opened.set(id, `${kind} opened ${placeOf(new Error().stack)}`);
  },
  destroy: (id) => void opened.delete(id),
}).enable();

/**
 * Mocha ends the process when all tests are done (`exit` in .mocharc.json): a socket that was left open
 * has kept it alive for an hour. So that this hides no leak, what is still open then is told.
 */
export const mochaHooks = {
  async afterAll() {
    const deadline = performance.now() + WITHIN_MS;
    while (opened.size > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
    for (const what of opened.values()) process.stderr.write(`still open after all tests: ${what}\n`);
  },
};

/** @param {string} [stack] @returns {string} the innermost places that are not Node's own */
const placeOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => line.includes('file:') && !line.includes('left-open.js'))
    .slice(0, 3)
    .map((line) => line.trim())
    .join(', ');
