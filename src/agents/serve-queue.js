import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { messageOf, RunError, UsageError } from '../errors.js';
import { deferred, within } from '../process/wait.js';
import { createSession } from './agent-session.js';
import { agentQueue, commanderLease, createQueue, createWorker, leaseOf } from './bull.js';
import { createGate } from './job-signature.js';
import { holdLease, watchLease } from './lease.js';
import { checkShape } from './methods.js';

/** @import { Job } from 'bullmq' */
/** @import { AgentFacts } from '../results/types.js' */
/** @import { ControlRedis } from './control-redis.js' */
/** @import { Offer } from './types.js' */

/** @typedef {{control: ControlRedis, facts: Omit<AgentFacts, 'clock'>, say: (text: string) => void}} OfAgent */
/** @typedef {OfAgent & Parameters<typeof createSession>[0]} AgentContext */
/** @typedef {ReturnType<typeof begin>} Current the benchmark that it works for */

const ENDS_WITHIN_MS = 2000;

/**
 * Waits for jobs and does them, for one benchmark at a time.
 * @param {AgentContext} context @param {AbortSignal} signal ends it @param {() => void} onReady
 * @throws {UsageError} where another agent has this name
 */
export async function serveQueue(context, signal, onReady) {
  const { control, facts } = context;
  const name = agentQueue(facts.name);
  const lease = randomBytes(16).toString('hex');
  const desk = createDesk(context, lease);
  const ended = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  // A lost control Redis does not answer.
  const leave = await Promise.race([holdLease(control, leaseOf(name), lease, desk.end), ended]);
  if (leave === null) {
    throw new UsageError(
      `--name: an agent named '${facts.name}' already waits for jobs there, and each would take the other's jobs; ` +
        'give each its own name',
    );
  }
  const starting = createWorker(control, name, facts.name, desk.handle);
  await Promise.race([starting.then(onReady), ended]);
  await ended;
  const wasBusy = desk.end('the agent was ended there');
  const ending = starting.then(async (worker) => {
    if (typeof leave === 'function') await leave(wasBusy);
    await worker.close();
    const queue = await createQueue(control, name);
    await queue.obliterate({ force: true });
    await queue.close();
  });
  await within(ENDS_WITHIN_MS, ending).catch(() => {});
}

/** @param {AgentContext} context @param {string} lease */
function createDesk(context, lease) {
  const { control, facts, clock } = context;
  const gate = createGate(control.token, facts.name);
  /** Commanders. @type {Set<string>} */
  const seen = new Set();
  /** @type {Current | null} */
  let current = null;

  /** @param {Job} job @param {any} given with it @returns {Promise<unknown>} */
  async function perform(job, { session: caller, ...data }) {
    const { name, id } = job;
    checkShape('asked', name, data);
    if (name === 'hello') {
      const worksFor = current && `${current.commander} since ${current.since}`;
      const aheadMs = Date.now() - clock.now();
      return { ...facts, clock: clock.offset(), aheadMs, worksFor, nonce: gate.nonce, lease };
    }
    if (name === 'begin') return accept(caller, data);
    if (current?.id !== caller)
      throw new RunError('the agent was restarted and knows nothing of this benchmark');
    const { session, done, failure, end } = /** @type {Current} */ (current);
    if (done.has(String(id))) throw new RunError('this job was done before');
    done.add(String(id));
    if (name === 'end') return end(null);
    try {
      return await session.answer(
        name,
        data,
        (news) => void job.updateProgress(gate.seal(job, 'news', news)),
      );
    } catch (error) {
      // An error of killed workers only follows from the reason.
      throw failure() ?? error;
    }
  }

  /** @param {string} id @param {Offer} offer @throws {RunError} */
  async function accept(id, offer) {
    const { tool, commander } = offer;
    // The job may have waited since long before this agent was started.
    const isThere = (await control.command('GET', commanderLease(commander))) === offer.lease;
    const refusal =
      (!isThere && `${commander} is gone, so this job is not run`) ||
      (current &&
        `it has worked for ${current.commander} since ${current.since}, and runs one benchmark at a time`) ||
      (tool !== facts.tool && `it is redis-pipe-bench ${facts.tool}, and ${commander} is ${tool}`) ||
      (seen.has(id) && 'this benchmark has run here before');
    if (refusal) throw new RunError(refusal);
    seen.add(id);
    current = begin(id, offer, context, () => {
      current = null;
    });
    return null;
  }

  return {
    /** @param {Job} job */
    handle: async (job) => gate.seal(job, 'answer', await perform(job, gate.read(job))),

    /** @param {string} why @returns {boolean} whether it worked for anybody */
    end(why) {
      const wasBusy = current !== null;
      void current?.end(new RunError(why));
      return wasBusy;
    },
  };
}

/**
 * Works for a benchmark as long as its commander lives.
 * @param {string} id @param {Offer} offer @param {AgentContext} context @param {() => void} onOver
 */
function begin(id, { commander, lease }, context, onOver) {
  const { control, say } = context;
  /** @type {Error | null} */
  let failure = null;
  const ended = deferred();
  const session = createSession(context);
  /** @param {Error | null} why not in good order @returns {Promise<null>} */
  async function end(why) {
    failure ??= why;
    ended.resolve();
    await over;
    return null;
  }
  const unwatch = watchLease(control, commanderLease(commander), lease, () =>
    end(new RunError(`${commander} fell silent`)),
  );
  const over = ended.promise.then(async () => {
    unwatch();
    await session.end();
    say(`${failure === null ? 'done' : messageOf(failure)}; waits for jobs`);
    onOver();
  });
  say(`works for ${commander}`);
  const since = new Date().toISOString().slice(11, 19);
  /** @type {Set<string>} */
  const done = new Set();
  return { id, commander, since, done, session, end, failure: () => failure };
}
