import { answerRequests } from '../process/answer-requests.js';
import { operate } from '../server/operate.js';
import { STRIKES } from './fault-strikes.js';

/** @import { FaultPlan } from '../plan/types.js' */
/** @import { Operated } from '../server/operate.js' */
/** @import { Target } from '../server/types.js' */

/** Changes external servers and restores everything, even if the tool was killed. */
const ending = new AbortController();
/** @type {Operated | null} */
let operated = null;
/** @type {FaultPlan | undefined} */
let fault;
/** @type {Promise<unknown> | undefined} */
let striking;

async function putBack() {
  ending.abort();
  await striking?.catch(() => {});
  await operated?.putBack();
  operated = null;
}

answerRequests(
  {
    /** @param {{target: Target, fault: FaultPlan}} job */
    async prepare(job) {
      fault = job.fault;
      operated = await operate(job.target, job.fault);
    },
    /** @param {number} atMs */
    strike(atMs) {
      const stage = /** @type {any} */ ({ ...operated, fault, signal: ending.signal, gone: new Set() });
      striking = STRIKES[/** @type {FaultPlan} */ (fault).kind](stage, atMs, []);
      return striking;
    },
    putBack,
  },
  putBack,
);
