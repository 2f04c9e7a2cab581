import { setTimeout as sleep } from 'node:timers/promises';

const WITHIN_MS = 3000;
const LOOK_EVERY_MS = 50;

/** What mocha itself and its output have open. */
const before = process.getActiveResourcesInfo();

/**
 * Mocha ends the process when all tests are done (`exit` in .mocharc.json): a browser's or a native
 * client's leftovers have kept it alive for an hour. So that this hides no leak, what is still open then
 * is told.
 */
export const mochaHooks = {
  async afterAll() {
    const deadline = performance.now() + WITHIN_MS;
    while (leftOpen().length > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
    const left = leftOpen();
    if (left.length > 0) process.stderr.write(`\nstill open after all tests: ${left.join(', ')}\n`);
  },
};

/** @returns {string[]} kinds of resources, each as often as there are more than before */
function leftOpen() {
  const known = [...before, 'Timeout'];
  return process.getActiveResourcesInfo().filter((kind) => {
    const index = known.indexOf(kind);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
}
