import { setTimeout as sleep } from 'node:timers/promises';

/** What the tests' own output needs, and this hook. */
const EXPECTED = new Set(['TTYWrap', 'PipeWrap', 'FSReqPromise', 'Timeout', 'Immediate']);
const WITHIN_MS = 3000;
const LOOK_EVERY_MS = 50;

/**
 * Mocha ends the process when all tests are done (`exit` in .mocharc.json), for a native client such as
 * GLIDE may keep it alive for ever with threads of its own. So that this hides no leak, what is still
 * open then is told.
 */
export const mochaHooks = {
  async afterAll() {
    const deadline = performance.now() + WITHIN_MS;
    while (open().length > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
    const left = open();
    if (left.length > 0) console.error(`\nstill open after all tests: ${left.join(', ')}`);
  },
};

const open = () => process.getActiveResourcesInfo().filter((name) => !EXPECTED.has(name));
