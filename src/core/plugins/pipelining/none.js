import { issueThrough } from '../shared/connections.js';

/** @import { PipeliningPlugin } from '../types.js' */

/** @satisfies {PipeliningPlugin} */
export default {
  id: 'none',
  title: 'none',
  summary: 'one command at a time on a connection; tasks that share one wait for each other',
  takesTurns: true,

  wrap(connection) {
    const takeTurns = createTurns();
    return issueThrough(connection, (send) => takeTurns(() => send(connection)));
  },
};

/** Calls one function at a time, in order. @returns {(work: () => unknown) => Promise<unknown>} */
function createTurns() {
  /** @type {(() => void)[]} */
  let waiting = [];
  let next = 0;
  let busy = false;

  function passOn() {
    if (next < waiting.length) {
      waiting[next++]();
      return;
    }
    waiting = [];
    next = 0;
    busy = false;
  }
  return async (work) => {
    if (busy) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    busy = true;
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}
