import { once } from 'node:events';
import { messageOf, RunError, UsageError } from '../errors.js';
import { deferred, within } from '../process/wait.js';
import { createSession } from './agent-session.js';
import { agentQueue, createQueue, createWorker } from './bull.js';
import { checkJobShape } from './job-schemas.js';
import { createGate, createOnce } from './job-signature.js';
import { watchLease, watchOwn } from './lease.js';

/** @import { Job, Queue, Worker } from 'bullmq' */
/** @import { AgentFacts } from '../results/types.js' */
/** @import { ControlRedis } from './control-redis.js' */
/** @import { SessionOffer } from './types.js' */

/** @typedef {{control: ControlRedis, facts: Omit<AgentFacts, 'clock'>, say: (text: string) => void}} OfAgent */
/** @typedef {OfAgent & Parameters<typeof createSession>[0]} AgentContext */
/** @typedef {ReturnType<typeof begin>} Current the benchmark that it works for */

const ENDS_WITHIN_MS = 2000;

/** BullMQ fails a dead agent's active jobs; this is for those that still waited. */
const RESTARTED = 'the agent was restarted and knows nothing of this benchmark';

/**
 * Waits for jobs and does them, for one benchmark at a time.
 * @param {AgentContext} context @param {AbortSignal} signal ends it @param {() => void} onReady
 * @throws {UsageError} where another agent has this name
 */
export async function serveQueue(context, signal, onReady) {
  const { control, facts } = context;
  const name = agentQueue(facts.name);
  const queue = await createQueue(control, name);
  const ended = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  // A lost control Redis does not answer.
  await Promise.race([refuseTwin(queue, facts.name), ended]);
  const desk = createDesk(context, () => starting);
  const starting = createWorker(control, name, facts.name, desk.handle);
  await Promise.race([starting.then(onReady), ended]);
  await ended;
  desk.end(new RunError('the agent was ended there'));
  const ending = starting
    .then((worker) => worker.close())
    .then(() => queue.obliterate({ force: true }))
    .then(() => queue.close());
  await within(ENDS_WITHIN_MS, ending).catch(() => {});
}

/** @param {AgentContext} context @param {() => Promise<Worker>} worker that brings the jobs */
function createDesk(context, worker) {
  const { control, facts } = context;
  const gate = createGate(control.token, facts.name);
  /** @type {Current | null} */
  let current = null;
  /** @param {Job} job @param {(news: unknown) => Promise<void>} tell */
  async function perform(job, tell) {
    const id = String(job.id);
    const data = gate.read(job);
    checkJobShape(job.name, data);
    if (job.name === 'hello') return { ...helloOf(context, current), nonce: gate.nonce };
    if (job.name !== 'session') {
      if (current === null || current.id !== data.session) throw new RunError(RESTARTED);
      current.once(id);
      if (job.name === 'end') return current.end(null);
      return answer(job, data, current, tell);
    }
    // The job may have waited since long before this agent was started.
    if (!(await control.isHeld(data.lease)))
      throw new RunError(`${data.commander} is gone, so this job is not run`);
    refuseSession(data, current, context);
    gate.enter(id);
    current = begin(id, data, context);
    try {
      return await work(tell, current, await worker(), context);
    } finally {
      current = null;
    }
  }
  return {
    /** @param {Job} job */
    async handle(job) {
      const tell = (/** @type {unknown} */ news) => job.updateProgress(gate.seal(job, 'news', news));
      return gate.seal(job, 'answer', await perform(job, tell));
    },

    /** @param {Error} why */
    end: (why) => current?.end(why),
  };
}

/** @param {Queue} queue @param {string} name */
async function refuseTwin(queue, name) {
  // Without permission for CLIENT LIST there is no telling.
  const [other] = await queue.getWorkers().catch(() => []);
  if (other === undefined) return;
  await queue.close();
  throw new UsageError(
    `--name: an agent named '${name}' already waits for jobs there (from ${other.addr}), and each would take the ` +
      "other's jobs; give each its own name",
  );
}

/** @param {AgentContext} context @param {Current | null} current */
function helloOf({ facts, clock }, current) {
  const worksFor = current === null ? null : `${current.offer.commander} since ${current.since}`;
  return { ...facts, clock: clock.offset(), aheadMs: Date.now() - clock.now(), worksFor };
}

/** @param {SessionOffer} offer @param {Current | null} current @param {AgentContext} context @throws {RunError} */
function refuseSession({ tool, commander }, current, { facts }) {
  if (current !== null)
    throw new RunError(
      `it has worked for ${current.offer.commander} since ${current.since}, and runs one benchmark at a time`,
    );
  if (tool !== facts.tool)
    throw new RunError(`it is redis-pipe-bench ${facts.tool}, and ${commander} is ${tool}`);
}

/** @param {string} id of the session's job @param {SessionOffer} offer @param {AgentContext} context */
function begin(id, offer, context) {
  /** @type {Error | null} */
  let failure = null;
  const { promise: ended, resolve } = deferred();
  return {
    id,
    offer,
    once: createOnce(),
    since: new Date().toISOString().slice(11, 19),
    session: createSession(context),
    end(/** @type {Error | null} */ why) {
      failure ??= why;
      resolve(why);
    },
    failure: () => failure,
    ended,
  };
}

/** @param {Job} job @param {object} data @param {Current} current @param {(second: object) => Promise<void>} tell */
async function answer(job, data, { session, failure }, tell) {
  try {
    return await session.answer(job.name, data, (second) => void tell(second));
  } catch (error) {
    // An error of killed workers only follows from the reason.
    throw failure() ?? error;
  }
}

/**
 * Works for a benchmark: while the session's job is active, the agent lives.
 * @param {(news: string) => Promise<void>} tell @param {Current} current @param {Worker} worker
 * @param {AgentContext} context @throws {RunError} why it ended, if not in good order
 */
async function work(tell, current, worker, { control, say }) {
  const { commander, lease } = current.offer;
  say(`works for ${commander}`);
  const unwatchOwn = watchOwn(worker, current.id, () =>
    current.end(new RunError(`the control Redis at ${control.label} was lost`)),
  );
  const unwatch = await watchLease(control, lease, (how) =>
    current.end(how === 'ended' ? null : new RunError(`${commander} fell silent`)),
  );
  await tell('open');
  const why = await current.ended;
  unwatchOwn();
  await current.session.end();
  say(`${why === null ? 'done' : messageOf(why)}; waits for jobs`);
  await within(ENDS_WITHIN_MS, unwatch()).catch(() => {});
  if (why !== null) throw why;
}
