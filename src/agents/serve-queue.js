import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { messageOf, RunError, UsageError } from '../errors.js';
import { deferred, within } from '../process/wait.js';
import { createSession } from './agent-session.js';
import { agentQueue, commanderLease, createQueue, createWorker, leaseOf } from './bull.js';
import { createGate, createOnce } from './job-signature.js';
import { holdLease, watchLease } from './lease.js';
import { checkJob } from './methods.js';

/** @import { Job } from 'bullmq' */
/** @import { AgentFacts } from '../results/types.js' */
/** @import { ControlRedis } from './control-redis.js' */
/** @import { Offer } from './types.js' */

/** @typedef {{control: ControlRedis, facts: Omit<AgentFacts, 'clock'>, say: (text: string) => void}} OfAgent */
/** @typedef {OfAgent & Parameters<typeof createSession>[0]} AgentContext */
/** @typedef {ReturnType<typeof begin>} Current the benchmark that it works for */

const ENDS_WITHIN_MS = 2000;
const ENDED_HERE = 'the agent was ended there';
const RESTARTED = 'the agent was restarted and knows nothing of this benchmark';

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
  const held = await Promise.race([holdLease(control, leaseOf(name), lease, desk.end), ended]);
  if (held === null) {
    throw new UsageError(
      `--name: an agent named '${facts.name}' already waits for jobs there, and each would take the other's jobs; ` +
        'give each its own name',
    );
  }
  const starting = createWorker(control, name, facts.name, desk.handle);
  await Promise.race([starting.then(onReady), ended]);
  await ended;
  const wasBusy = desk.end(ENDED_HERE);
  const leave = async () => {
    const worker = await starting;
    if (typeof held === 'function') await held(wasBusy);
    await worker.close();
    const queue = await createQueue(control, name);
    await queue.obliterate({ force: true });
    await queue.close();
  };
  await within(ENDS_WITHIN_MS, leave()).catch(() => {});
}

/** @param {AgentContext} context @param {string} lease */
function createDesk(context, lease) {
  const { control, facts } = context;
  const gate = createGate(control.token, facts.name);
  /** Commanders. @type {Set<string>} */
  const seen = new Set();
  /** @type {Current | null} */
  let current = null;

  /** @param {Job} job @param {(news: unknown) => Promise<void>} tell */
  async function perform(job, tell) {
    const id = String(job.id);
    const data = gate.read(job);
    checkJob(job.name, data);
    if (job.name === 'hello') return { ...helloOf(context, current), nonce: gate.nonce, lease };
    if (job.name === 'begin') return accept(data);
    if (current === null || current.id !== data.session) throw new RunError(RESTARTED);
    current.once(id);
    if (job.name === 'end') return current.end(null);
    const { session, failure } = current;
    try {
      return await session.answer(job.name, data, (second) => void tell(second));
    } catch (error) {
      // An error of killed workers only follows from the reason.
      throw failure() ?? error;
    }
  }

  /** @param {Offer & {session: string}} offer @throws {RunError} */
  async function accept(offer) {
    const { tool, commander, session: id } = offer;
    // The job may have waited since long before this agent was started.
    if ((await control.command('GET', commanderLease(commander))) !== offer.lease)
      throw new RunError(`${commander} is gone, so this job is not run`);
    if (current !== null)
      throw new RunError(
        `it has worked for ${current.commander} since ${current.since}, and runs one benchmark at a time`,
      );
    if (tool !== facts.tool)
      throw new RunError(`it is redis-pipe-bench ${facts.tool}, and ${commander} is ${tool}`);
    if (seen.has(id)) throw new RunError('this benchmark has run here before');
    seen.add(id);
    current = begin(offer, context, () => {
      current = null;
    });
  }

  return {
    /** @param {Job} job */
    async handle(job) {
      const tell = (/** @type {unknown} */ news) => job.updateProgress(gate.seal(job, 'news', news));
      return gate.seal(job, 'answer', await perform(job, tell));
    },

    /** @param {string} why @returns {boolean} whether it worked for anybody */
    end(why) {
      const isBusy = current !== null;
      void current?.end(new RunError(why));
      return isBusy;
    },
  };
}

/** @param {AgentContext} context @param {Current | null} current */
function helloOf({ facts, clock }, current) {
  const worksFor = current === null ? null : `${current.commander} since ${current.since}`;
  return { ...facts, clock: clock.offset(), aheadMs: Date.now() - clock.now(), worksFor };
}

/**
 * Works for a benchmark as long as its commander lives.
 * @param {Offer & {session: string}} offer @param {AgentContext} context @param {() => void} onOver
 */
function begin({ session: id, commander, lease }, context, onOver) {
  const { control, say } = context;
  /** @type {Error | null} */
  let failure = null;
  const ended = deferred();
  const session = createSession(context);
  const end = async (/** @type {Error | null} */ why) => {
    failure ??= why;
    ended.resolve();
    await over;
    return null;
  };
  const unwatch = watchLease(control, commanderLease(commander), lease, (how) =>
    end(how === 'ended' ? null : new RunError(`${commander} fell silent`)),
  );
  const over = ended.promise.then(async () => {
    unwatch();
    await session.end();
    say(`${failure === null ? 'done' : messageOf(failure)}; waits for jobs`);
    onOver();
  });
  say(`works for ${commander}`);
  return {
    id,
    commander,
    once: createOnce(),
    since: new Date().toISOString().slice(11, 19),
    session,
    end,
    failure: () => failure,
  };
}
