import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { messageOf, RunError, UsageError } from '../../errors.js';
import { sharedClock } from '../../process/shared-clock.js';
import { deferred, within } from '../../process/wait.js';
import { createJob } from '../../run/cell-worker.js';
import { share } from '../../run/plan/loads.js';
import { startWorkers } from '../../run/workers.js';
import {
  agentQueue,
  commanderLease,
  createQueue,
  createWorker,
  holdLease,
  leaseOf,
  takeLease,
  watchLease,
} from './control-redis.js';
import { createGate } from './job-signature.js';
import { checkCaller, checkShape } from './methods.js';
import { cellRefusals, confinementOf, refusals, serverAt } from './permissions.js';

/** @import { Job } from 'bullmq' */
/** @import { Clock, ControlRedis } from './control-redis.js' */
/** @import { AgentFacts, AgentRun, Allowed, Offer, Typed, Wants } from './types.js' */
/** @import { Prepared } from '../../run/prepare.js' */
/** @import { Cell } from '../../run/plan/types.js' */

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
  const dispatcher = createDispatcher(context, lease);
  const ended = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  // A lost control Redis does not answer.
  const leave = await Promise.race([holdLease(control, leaseOf(name), lease, dispatcher.end), ended]);
  if (leave === null) {
    throw new UsageError(
      `--name: an agent named '${facts.name}' already waits for jobs there, and each would take the other's jobs; ` +
        'give each its own name',
    );
  }
  const starting = createWorker(control, name, facts.name, dispatcher.handle);
  await Promise.race([starting.then(onReady), ended]);
  await ended;
  dispatcher.end('the agent was ended there');
  const ending = starting.then(async (worker) => {
    // Whoever waits for an answer hears of the end from that.
    await worker.close();
    if (typeof leave === 'function') await leave();
    const queue = await createQueue(control, name);
    await queue.obliterate({ force: true });
    await queue.close();
  });
  await within(ENDS_WITHIN_MS, ending).catch(() => {});
}

/** @param {AgentContext} context @param {string} lease */
function createDispatcher(context, lease) {
  const { control, facts, clock } = context;
  const gate = createGate(control.token, facts.name, lease);
  /** Why each benchmark is over, null for the one it works for. @type {Map<string, RunError | null>} */
  const seen = new Map();
  /** @type {Current | null} */
  let current = null;

  /** @param {Job} job @param {any} given with it @returns {Promise<unknown>} */
  async function perform(job, { session: caller, ...data }) {
    const { name, id } = job;
    checkShape('asked', name, data);
    checkCaller(caller);
    if (name === 'hello') {
      const worksFor = current && `${current.commander} since ${current.since}`;
      const aheadMs = Date.now() - clock.now();
      return { ...facts, clock: clock.offset(), aheadMs, worksFor, nonce: gate.nonce, lease };
    }
    if (name === 'begin') return accept(caller, data);
    if (current === null || current.id !== caller)
      throw seen.get(caller) ?? new RunError('the agent was restarted and knows nothing of this benchmark');
    const { session, done, failure, end } = current;
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
    // Just back from a pause, it may not hold its own any more, and the commander would take it for dead.
    if (current === null) await takeLease(control, leaseOf(agentQueue(facts.name)), lease);
    // The job may have waited since long before this agent was started.
    const isThere = (await control.command('GET', commanderLease(commander))) === offer.lease;
    const refusal =
      (!isThere && `${commander} is gone, so this job is not run`) ||
      (current &&
        `it has worked for ${current.commander} since ${current.since}, and runs one benchmark at a time`) ||
      (tool !== facts.tool && `it is redis-pipe-bench ${facts.tool}, and ${commander} is ${tool}`) ||
      (seen.has(id) && 'this benchmark has run here before');
    if (refusal) throw new RunError(refusal);
    seen.set(id, null);
    current = begin(id, offer, context, (why) => {
      current = null;
      seen.set(id, why);
    });
    return null;
  }

  return {
    /** @param {Job} job */
    handle: async (job) => gate.seal(job, 'answer', await perform(job, gate.read(job))),

    /** @param {string} why */
    end: (why) => void current?.end(new RunError(why)),
  };
}

/**
 * Works for a benchmark as long as its commander lives.
 * @param {string} id @param {Offer} offer @param {AgentContext} context @param {(why: RunError) => void} onOver
 */
function begin(id, { commander, lease }, context, onOver) {
  const { control, say } = context;
  /** @type {RunError | null} */
  let failure = null;
  const ended = deferred();
  const session = createSession(context);
  /** @param {RunError | null} why not in good order @returns {Promise<null>} */
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
    onOver(failure ?? new RunError('this benchmark is over'));
  });
  say(`works for ${commander}`);
  const since = new Date().toISOString().slice(11, 19);
  /** @type {Set<string>} */
  const done = new Set();
  return { id, commander, since, done, session, end, failure: () => failure };
}

/** What the agent and the queue still do after a job was fetched would disturb a run on few processors. */
const SETTLES_IN_MS = 4;
/** Nothing wakes workers before a common start. */
const STARTS_WITHIN_MS = 60_000;

/** A script may read what this agent's owner did not mean to show. */
const NOT_TOLD = 'an agent does not report what a script replied; run it without --agents to see that';

/** @typedef {{workers: ReturnType<typeof startWorkers>, cell: Cell, onSecond: (second: object) => void}} CellWorkers */

/**
 * What an agent does for one benchmark: it starts workers and passes requests and answers on.
 * @param {object} agent @param {Clock} agent.clock @param {Allowed} agent.allowed
 * @param {(typed: Typed, refused: (wants: Wants) => string[]) => Promise<Prepared | string[]>} agent.read as the command line
 *   does, or what is refused
 */
function createSession({ clock, allowed, read }) {
  /** @type {Prepared | null} */
  let planned = null;
  /** @type {Map<string, CellWorkers>} */
  const running = new Map();
  let over = false;

  /** @param {string} id */
  function workersOf(id) {
    const found = running.get(id);
    if (found === undefined) throw new RunError('the agent does not run these workers any more');
    return found;
  }

  /** @type {(plan: Prepared, id: string) => {cell: Cell, refused: string[]}} */
  function cellOf(plan, id) {
    const cell = plan.cells.find((each) => each.id === id);
    if (cell === undefined || cell.skipped !== null)
      throw new RunError(`'${id}' is no cell that this agent can run (another plugin or package?)`);
    const others = [...running.values()].map((each) => each.cell);
    return { cell, refused: cellRefusals(cell, plan, allowed, others) };
  }

  /** What is not passed on to workers as it is. @type {Record<string, (data: any, tell: (second: object) => void) => Promise<unknown>>} */
  const methods = {
    /** @param {Typed} typed @returns {Promise<string[]>} what it may not do */
    async plan(typed) {
      const plan = await read(typed, (wants) => refusals(wants, allowed));
      if (Array.isArray(plan)) return plan;
      const refused = [...new Set(typed.cells.flatMap((id) => cellOf(plan, id).refused))];
      if (refused.length === 0) planned = plan;
      return refused;
    },

    async prepare({ workersId, cell: id, target: place, part, cpus, keyPrefix, untriedBytes, ...server }) {
      if (planned === null) throw new RunError('expected a plan that is allowed, before its cells');
      if (part.index >= part.count) throw new RunError('expected a part of the load that there is');
      const { cell, refused } = cellOf(planned, id);
      const target = serverAt(place, allowed);
      if ((place.nodes !== undefined) !== (cell.topology === 'cluster') || place.transport !== cell.transport)
        refused.push(`${place.at} for a cell of ${cell.topology}, ${cell.transport}`);
      if (refused.length > 0 || typeof target === 'string')
        throw new RunError(
          `this agent is not allowed to use ${[target, ...refused].filter((each) => typeof each === 'string').join(', ')}`,
        );
      if (over || running.has(workersId))
        throw new RunError('expected the first cell of this name, and a session');
      const { tempFilePrefix } = planned.catalogue.clients.get(cell.client) ?? {};
      const workers = startWorkers(cell, cpus, (second) => own.onSecond(second), tempFilePrefix);
      /** @type {CellWorkers} */
      const own = { cell, workers, onSecond: () => {} };
      running.set(workersId, own);
      const job = createJob(cell, target, { ...planned, command: planned.command.name, keyPrefix, server });
      const facts = await workers.call('prepare', {
        ...job,
        part,
        untriedBytes,
        tasks: share(job.tasks, part),
        mayScript: allowed.words.includes('scripts'),
        // What a script replies stays here.
        ...(allowed.words.includes('scripts') && { silence: NOT_TOLD }),
        ...(!allowed.isOwned && { confinement: confinementOf(target, allowed) }),
      });
      return { facts, pid: workers.pid };
    },

    /** @returns {Promise<AgentRun>} */
    async run({ workersId, length: { startAtMs, ...length } }, tell) {
      const own = workersOf(workersId);
      if (startAtMs !== undefined && Math.abs(startAtMs - clock.now()) > STARTS_WITHIN_MS)
        throw new RunError('expected a start within a minute by the clock of the control Redis');
      const { offsetMs, errorMs } = clock.offset();
      const startsAtMs = startAtMs === undefined ? sharedClock() + SETTLES_IN_MS : startAtMs - offsetMs;
      const aheadMs = startAtMs === undefined ? null : startsAtMs - sharedClock();
      own.onSecond = tell;
      const measured = await own.workers.run({ ...length, startAtMs: startsAtMs });
      await clock.refresh();
      return { measured, clock: { offsetMs, errorMs }, aheadMs };
    },

    'stop-profile': async ({ workersId, params }) => {
      const { offsetMs } = clock.offset();
      const { fromMs, toMs } = params;
      const own = { ...params, fromMs: fromMs - offsetMs, toMs: toMs - offsetMs };
      return workersOf(workersId).workers.call('stop-profile', own);
    },
    stop: async ({ workersId }) => running.get(workersId)?.workers.stop(),
    interrupt: async ({ workersId }) => running.get(workersId)?.workers.interrupt(),

    async kill({ workersId }) {
      await running.get(workersId)?.workers.kill();
      running.delete(workersId);
    },
  };

  return {
    /** @param {string} method one that methods.js knows @param {any} data @param {(second: object) => void} tell */
    answer: async (method, data, tell) =>
      Object.hasOwn(methods, method)
        ? methods[method](data, tell)
        : workersOf(data.workersId).workers.call(method, data.params),

    /** Ends all load, and has the workers remove what they stored. */
    async end() {
      over = true;
      const all = [...running.values()].map(({ workers }) => workers);
      running.clear();
      await Promise.all(all.map((workers) => workers.dismiss()));
    },
  };
}
