import { messageOf, RunError } from '../errors.js';
import { within } from '../server/within.js';
import { agentQueue, createEvents, createQueue, LOCK_MS } from './bull.js';
import { signed } from './job-signature.js';

/** @import { AgentLink, ControlRedis } from './types.js' */

/** One that lives answers within milliseconds, unless its machine is busy. */
const ANSWERS_WITHIN_MS = 3000;
const BEGINS_WITHIN_MS = 6000;
const ENDS_WITHIN_MS = 1500;

/**
 * @typedef {object} Waiting for the answer to a call
 * @property {(value: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {(second: any) => void} onSecond
 */

/**
 * The queue of an agent, for the machine that commands: a call is a job, its answer the job's result.
 *
 * @param {ControlRedis} control
 * @param {string} name of the agent
 * @param {string} caller whose calls they are
 * @returns {Promise<AgentLink>}
 */
export async function openAgentLink(control, name, caller) {
  const queue = await createQueue(control, agentQueue(name));
  const events = await createEvents(control, agentQueue(name));
  /** @type {Map<string, Waiting>} */
  const waiting = new Map();
  /** @type {Error | null} */
  let lost = null;
  let calls = 0;
  /** The job that stands for the whole benchmark. */
  const session = `${caller}-all`;
  let nonce = '';

  /** @param {string} jobId @param {(waiting: Waiting) => void} settle */
  const settle = (jobId, settle) => {
    const own = waiting.get(jobId);
    waiting.delete(jobId);
    if (own !== undefined) settle(own);
  };
  /** @param {Error} reason */
  function lose(reason) {
    lost ??= reason;
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(reason));
  }

  events.on('completed', ({ jobId, returnvalue }) =>
    settle(jobId, ({ resolve }) => resolve(returnvalue ?? undefined)),
  );
  events.on('failed', ({ jobId, failedReason }) =>
    settle(jobId, ({ reject }) => reject(new RunError(`${name}: ${failedReason}`))),
  );
  events.on('progress', ({ jobId, data }) => waiting.get(jobId)?.onSecond(data));
  events.on('stalled', ({ jobId }) => {
    if (waiting.has(jobId))
      lose(new RunError(`the agent ${name} was lost: nothing was heard of it for ${LOCK_MS / 1000} s`));
  });

  /**
   * @param {string} method
   * @param {object} data
   * @param {string} jobId
   */
  function send(method, data, jobId) {
    const job = { agent: name, nonce, id: jobId, name: method, data: { session, ...data } };
    return queue
      .add(method, signed(control.token, job), { jobId })
      .catch((error) => settle(jobId, ({ reject }) => reject(new RunError(`${name}: ${messageOf(error)}`))));
  }

  /** @param {string} jobId that nobody has taken */
  const forget = (jobId) => within(ENDS_WITHIN_MS, queue.remove(jobId)).catch(() => {});

  /** @type {AgentLink['call']} */
  function call(method, data = {}, onSecond = () => {}) {
    if (lost !== null) return Promise.reject(lost);
    const jobId = `${caller}-${++calls}`;
    return new Promise((resolve, reject) => {
      waiting.set(jobId, { resolve, reject, onSecond });
      void send(method, data, jobId);
    });
  }

  return {
    name,
    lost: () => lost,
    lose,
    call,

    async hello() {
      const asked = call('hello');
      try {
        const hello = await within(ANSWERS_WITHIN_MS, asked);
        nonce = hello.nonce ?? '';
        return hello;
      } catch (error) {
        // Whoever takes this name later shall not find it.
        await forget(`${caller}-${calls}`);
        if (/** @type {any} */ (error).code === 'SILENT') return null;
        throw error;
      }
    },

    async open(offer) {
      const opened = new Promise((resolve, reject) => {
        waiting.set(session, {
          resolve: () => lose(new RunError(`${name}: its work for this benchmark is over`)),
          reject(error) {
            lose(error);
            reject(error);
          },
          onSecond: () => resolve(undefined),
        });
        void send('session', offer, session);
      });
      try {
        await within(BEGINS_WITHIN_MS, opened);
      } catch (error) {
        waiting.delete(session);
        await forget(session);
        if (/** @type {any} */ (error).code !== 'SILENT') throw error;
        throw new RunError(
          `the agent ${name} was lost: it answered, and then did not begin its work within ${BEGINS_WITHIN_MS / 1000} s`,
        );
      }
    },

    async close() {
      if (waiting.has(session)) {
        await within(ENDS_WITHIN_MS, call('end')).catch(() => forget(`${caller}-${calls}`));
        await forget(session);
      }
      lose(new RunError(`${name}: the benchmark is over`));
      await Promise.all([events.close(), queue.close()]);
    },
  };
}
