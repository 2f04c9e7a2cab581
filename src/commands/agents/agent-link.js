import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { messageOf, RunError } from '../../errors.js';
import { createCalls } from '../../process/answering.js';
import { textOf } from '../../process/read-file.js';
import { isTimeout, until, within } from '../../process/wait.js';
import { printable } from '../../report/escaped.js';
import {
  agentQueue,
  agentsAmong,
  createEvents,
  createQueue,
  LEASE_MS,
  leaseOf,
  watchLease,
} from './control-redis.js';
import { signed, verifiedAnswer } from './job-signature.js';
import { checkShape, withinOf } from './methods.js';

/** @import { ControlRedis } from './control-redis.js' */
/** @import { Hello, Offer, Refusing } from './types.js' */

/** @returns {string} a new one each time: the queues' events still hold answers to earlier calls */
export const createCallerName = () =>
  `${os.hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`.replace(/[^\w.-]/g, '-');

/** @returns {string} the same for all processes of this machine only */
export const machineId = () => `${textOf('/proc/sys/kernel/random/boot_id').trim()} ${os.hostname()}`.trim();

/** @param {ControlRedis} control @param {string} caller */
export async function greet(control, caller) {
  const names = agentsAmong(await control.queueNames());
  const all = await Promise.all(
    names.map(async (name) => {
      const link = await openAgentLink(control, name, caller);
      return { name, link, answer: await link.hello().catch(messageOf) };
    }),
  );
  const found = all.flatMap(({ link, answer }) =>
    answer !== null && typeof answer === 'object' ? { link, hello: answer } : [],
  );
  const links = found.map(({ link }) => link);
  await Promise.all(all.map(({ link }) => links.includes(link) || link.close()));
  return {
    links,
    hellos: found.map(({ hello }) => hello),
    silent: all.flatMap(({ name, answer }) => (answer === null ? name : [])),
    refusing: all.flatMap(({ name, answer }) => (typeof answer === 'string' ? { name, why: answer } : [])),
  };
}

/** @param {Refusing} refusing */
export const isAgent = ({ why }) => why.includes('--queue-token');

/** @typedef {Awaited<ReturnType<typeof openAgentLink>>} AgentLink one agent, as the commander sees it */

const FORGETS_WITHIN_MS = 1500;

/** An agent that was just paused renews it within a second. */
const LEASE_COMES = { everyMs: 100, withinMs: 2000 };

/** After no reply to anything else, an agent is asked no more: each cell would wait as long again. */
const IN_PASSING = new Set(['hello', 'stop', 'interrupt', 'kill', 'end']);

/**
 * The queue of an agent, for the commander: a call is a job, its answer the job's result.
 * @param {ControlRedis} control @param {string} name of the agent @param {string} caller
 */
export async function openAgentLink(control, name, caller) {
  const queue = await createQueue(control, agentQueue(name));
  const events = await createEvents(control, agentQueue(name));
  const calls = createCalls();
  let lastCall = 0;
  let nonce = '';
  let unwatch = () => {};
  let hasBegun = false;
  /** @type {Promise<unknown>} */
  let removing = Promise.resolve();

  const failure = (/** @type {string} */ why) => new RunError(`${name}: ${why}`);
  events.on('completed', ({ jobId, returnvalue }) => calls.answer(jobId, returnvalue ?? undefined));
  events.on('failed', ({ jobId, failedReason }) => calls.fail(jobId, failure(printable(`${failedReason}`))));
  events.on('progress', ({ jobId, data }) => calls.tell(jobId, data));

  /** @param {string} why */
  const loseFor = (why) => calls.end(new RunError(`the agent ${name} was lost: ${why}`));

  /**
   * @param {string} method @param {any} [data] @param {(news: any) => void} [onNews] @param {number} [withinMs]
   * @returns {Promise<any>} the agent's answer, checked: nobody else can answer in its name
   */
  async function call(method, data = {}, onNews = () => {}, withinMs = withinOf(method)) {
    const id = `${caller}-${++lastCall}`;
    const seal = { agent: name, nonce, id, name: method };
    const job = { ...seal, data: { session: caller, ...data } };
    const fail = (/** @type {unknown} */ error) => calls.fail(id, failure(messageOf(error)));
    const send = () => void queue.add(method, signed(control.token, job), { jobId: id }).catch(fail);
    /** @param {'answer' | 'news'} kind @param {unknown} given */
    function read(kind, given) {
      const value = verifiedAnswer(control.token, seal, kind, given);
      checkShape(kind, method, value);
      return value;
    }
    /** @param {unknown} given */
    function tell(given) {
      try {
        onNews(read('news', given));
      } catch (error) {
        fail(error);
      }
    }
    const answer = calls.wait(id, send, tell);
    /** @type {unknown} */
    let given;
    try {
      given = await within(withinMs, answer);
    } catch (error) {
      answer.catch(() => {});
      calls.forget(id);
      // An agent that takes this name later must not find the job.
      const removed = within(FORGETS_WITHIN_MS, queue.remove(id)).catch(() => {});
      removing = Promise.all([removing, removed]);
      if (!isTimeout(error)) throw error;
      const why = `no reply to '${method}' within ${Math.round(withinMs / 1000)} s`;
      if (!IN_PASSING.has(method)) loseFor(why);
      throw Object.assign(calls.over() ?? failure(why), { isSilent: true });
    }
    try {
      return read('answer', given);
    } catch (error) {
      throw failure(messageOf(error));
    }
  }

  return {
    name,
    /** Why no answer comes any more, if so. */
    lost: calls.over,
    /** Everything that waits fails with this reason. */
    lose: calls.end,
    call,

    /** @returns {Promise<Hello | null>} null where nobody answers */
    async hello() {
      if (control.token !== null) {
        const found = await until(() => control.command('GET', leaseOf(agentQueue(name))), LEASE_COMES);
        // Without a lease the agent is not alive.
        if (typeof found !== 'string') return null;
        nonce = found;
      }
      const hello = await call('hello').catch((error) => {
        if (error.isSilent) return null;
        throw error;
      });
      if (hello === null) return null;
      if (hello.name !== name) throw failure('it replied under another name');
      nonce = hello.nonce ?? '';
      return hello;
    },

    /** Reserves it for this benchmark until the link is closed. @param {Offer} offer @param {Hello} hello */
    async begin(offer, { lease }) {
      unwatch = watchLease(control, leaseOf(agentQueue(name)), lease, () =>
        loseFor(`it was ended there, or sent nothing for ${LEASE_MS / 1000} s`),
      );
      hasBegun = true;
      await call('begin', offer);
    },

    async close() {
      if (hasBegun && calls.over() === null) await call('end').catch(() => {});
      unwatch();
      calls.end(failure('the benchmark is over'));
      await setImmediate();
      await removing;
      await Promise.all([events.close(), queue.close()]);
    },
  };
}
