import { RunError } from '../errors.js';
import { share } from '../plan/loads.js';
import { createJob } from '../runner/cell-worker.js';
import { startWorkers } from '../runner/workers.js';
import { sharedClock } from '../shared-clock.js';
import { cellRefusals, confinementOf, refusals, serverAt } from './permissions.js';

/** @import { Prepared } from '../commands/prepare.js' */
/** @import { Cell } from '../plan/types.js' */
/** @import { Clock } from './clock-offset.js' */
/** @import { AgentRun, Allowed, Typed, Wants } from './types.js' */

/** What the agent and the queue still do after a job was fetched would disturb a run on few processors. */
const SETTLES_IN_MS = 4;
/** Nothing wakes workers before a common start. */
const STARTS_WITHIN_MS = 60_000;

/** @typedef {{workers: ReturnType<typeof startWorkers>, cell: Cell, onSecond: (second: object) => void}} CellWorkers */

/**
 * What an agent does for one benchmark: it starts workers and passes requests and answers on.
 * @param {object} agent @param {Clock} agent.clock @param {Allowed} agent.allowed
 * @param {(typed: Typed, refused: (wants: Wants) => string[]) => Promise<Prepared | string[]>} agent.read as the command line
 *   does, or what is refused
 */
export function createSession({ clock, allowed, read }) {
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

  /** @param {Prepared} plan @param {string} id @returns {{cell: Cell, refused: string[]}} */
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

    async prepare({ workersId, cell: id, target: place, part, cpus, keyPrefix, ...server }) {
      if (planned === null) throw new RunError('expected a plan that is allowed, before its cells');
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
      const { leaves } = planned.catalogue.clients.get(cell.client) ?? {};
      const workers = startWorkers(cell, cpus, (second) => own.onSecond(second), leaves);
      /** @type {CellWorkers} */
      const own = { cell, workers, onSecond: () => {} };
      running.set(workersId, own);
      const job = createJob(cell, target, /** @type {any} */ ({ ...planned, keyPrefix, server }));
      const facts = await workers.call('prepare', {
        ...job,
        part,
        tasks: share(job.tasks, part),
        // What a script replies stays here.
        scripts: allowed.words.includes('scripts') ? 'silent' : undefined,
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
