import { endStarted } from './cli.js';
import { BUSY, machineIsBusy, watchOthers } from './machine-busy.js';

const ENDS_WITHIN_MS = 60_000;

/**
 * A test whose point is a rate, a stall or a duration. If it fails while other programs keep the machine
 * busy, it is skipped and says so; on a quiet machine it fails like any other test.
 *
 * A file that has such a test is named *.nightly.test.js and runs alone.
 *
 * @param {string} title
 * @param {(this: Mocha.Context) => Promise<unknown>} body
 */
export function timed(title, body) {
  it(title, async function () {
    this.timeout(ENDS_WITHIN_MS);
    // On Linux, others are watched instead.
    const busyBefore = process.platform !== 'linux' && (await machineIsBusy());
    const wereOthersBusy = watchOthers();
    try {
      await body.call(this);
    } catch (error) {
      if (this.test?.isPending()) throw error;
      await endStarted();
      if (!busyBefore && !wereOthersBusy() && !(await machineIsBusy())) throw error;
      skipAsBusy(this);
    }
  });
}

/** @param {Mocha.Context} context */
function skipAsBusy(context) {
  if (context.test) context.test.title += ` ${BUSY}`;
  context.skip();
}
