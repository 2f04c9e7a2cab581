import { messageOf, RunError } from '../errors.js';
import { createCalls } from '../process/calls.js';
import { isTimeout, within } from '../process/wait.js';
import { checkAnswer } from './answer-schemas.js';
import { agentQueue, createEvents, createQueue, LOCK_MS } from './bull.js';
import { signed, verifiedAnswer } from './job-signature.js';
import { fullName } from './shapes.js';

/** @import { ControlRedis } from './control-redis.js' */
/** @import { Hello, SessionOffer } from './types.js' */

/** @typedef {Awaited<ReturnType<typeof openAgentLink>>} AgentLink one agent, as the commander sees it */

/** An agent answers within milliseconds, unless its machine is busy. */
const ANSWERS_WITHIN_MS = 3000;
const BEGINS_WITHIN_MS = 6000;
const ENDS_WITHIN_MS = 1500;

/**
 * The queue of an agent, for the commander: a call is a job, its answer the job's result.
 * @param {ControlRedis} control @param {string} name of the agent @param {string} caller
 */
export async function openAgentLink(control, name, caller) {
  const queue = await createQueue(control, agentQueue(name));
  const events = await createEvents(control, agentQueue(name));
  const calls = createCalls();
  let lastCall = 0;
  const session = `${caller}-all`;
  let nonce = '';

  events.on('completed', ({ jobId, returnvalue }) => calls.answer(jobId, returnvalue ?? undefined));
  events.on('failed', ({ jobId, failedReason }) =>
    calls.fail(jobId, new RunError(`${name}: ${failedReason}`)),
  );
  events.on('progress', ({ jobId, data }) => calls.tell(jobId, data));
  events.on('stalled', ({ jobId }) => {
    if (calls.has(jobId))
      calls.end(new RunError(`the agent ${name} was lost: it sent nothing for ${LOCK_MS / 1000} s`));
  });

  /** @param {string} method @param {object} data @param {string} jobId */
  function send(method, data, jobId) {
    const job = { agent: name, nonce, id: jobId, name: method, data: { session, ...data } };
    queue
      .add(method, signed(control.token, job), { jobId })
      .catch((error) => calls.fail(jobId, new RunError(`${name}: ${messageOf(error)}`)));
  }

  /** Removes a job that no agent has taken. @param {string} jobId */
  const forget = (jobId) => within(ENDS_WITHIN_MS, queue.remove(jobId)).catch(() => {});

  /**
   * @param {string} method @param {any} data @param {string} id of the job @param {(news: any) => void} onNews
   * @returns {Promise<any>} the agent's answer, checked: nobody else can answer in its name
   */
  async function ask(method, data, id, onNews) {
    const seal = { agent: name, nonce, id, name: method };
    const full = fullName(method, data);
    const read = (/** @type {'answer' | 'news'} */ kind, /** @type {unknown} */ given) => {
      try {
        const value = verifiedAnswer(control.token, seal, kind, given);
        checkAnswer(kind === 'news' ? `news of ${full}` : full, value);
        return value;
      } catch (error) {
        throw new RunError(`${name}: ${messageOf(error)}`);
      }
    };
    const tell = (/** @type {unknown} */ given) => {
      try {
        onNews(read('news', given));
      } catch (error) {
        calls.fail(id, /** @type {Error} */ (error));
      }
    };
    return read('answer', await calls.wait(id, () => send(method, data, id), tell));
  }

  /** @param {SessionOffer} offer @param {(news: any) => void} onStarted */
  async function work(offer, onStarted) {
    try {
      await ask('session', offer, session, onStarted);
    } catch (error) {
      calls.end(/** @type {Error} */ (error));
      throw error;
    }
    calls.end(new RunError(`${name}: its work for this benchmark is over`));
  }

  /** @param {string} method @param {object} [data] @param {(second: any) => void} [onSecond] */
  const call = (method, data = {}, onSecond = () => {}) =>
    ask(method, data, `${caller}-${++lastCall}`, onSecond);

  return {
    name,
    /** Why no answer comes any more, if so. */
    lost: calls.over,
    /** Everything that waits fails with this reason. */
    lose: calls.end,
    call,

    /** @returns {Promise<Hello | null>} null where nobody answers */
    async hello() {
      const asked = call('hello');
      try {
        const hello = await within(ANSWERS_WITHIN_MS, asked);
        if (hello.name !== name) throw new RunError(`${name}: it replied under another name`);
        nonce = hello.nonce ?? '';
        return hello;
      } catch (error) {
        // An agent that takes this name later must not find the job.
        await forget(`${caller}-${lastCall}`);
        if (isTimeout(error)) return null;
        throw error;
      }
    },

    /** Reserves it for this benchmark until the link is closed. @param {SessionOffer} offer */
    async open(offer) {
      try {
        await within(BEGINS_WITHIN_MS, new Promise((resolve, reject) => work(offer, resolve).catch(reject)));
      } catch (error) {
        calls.forget(session);
        await forget(session);
        if (!isTimeout(error)) throw error;
        throw new RunError(
          `the agent ${name} was lost: it replied, but did not start within ${BEGINS_WITHIN_MS / 1000} s`,
        );
      }
    },

    async close() {
      if (calls.has(session)) {
        await within(ENDS_WITHIN_MS, call('end')).catch(() => forget(`${caller}-${lastCall}`));
        await forget(session);
      }
      calls.end(new RunError(`${name}: the benchmark is over`));
      await Promise.all([events.close(), queue.close()]);
    },
  };
}
