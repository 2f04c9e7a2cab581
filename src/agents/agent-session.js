import { RunError } from '../errors.js';
import { share } from '../plan/loads.js';
import { createJob } from '../runner/cell-worker.js';
import { startWorkers } from '../runner/workers.js';
import { sharedClock } from '../shared-clock.js';
import { confinementOf, refusals, refusalsOf, serverAt } from './permissions.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { ClientPlugin } from '../plugins/types.js' */
/** @import { Part } from '../worker/types.js' */
/** @import { Clock } from './clock-offset.js' */
/** @import { AgentRun, AgentRunLength, Allowed, PlaceOfServer, ReadTyped, Typed, Wants } from './types.js' */

/** What the agent and the queue still do after a job was fetched would disturb a run on few processors. */
const SETTLES_IN_MS = 4;
/** Nothing wakes workers before a common start. */
const STARTS_WITHIN_MS = 60_000;

/** @typedef {{workers: ReturnType<typeof startWorkers>, cell: Cell, onSecond: (second: object) => void}} CellWorkers */
/** @typedef {{workersId: string, cell: string, target: PlaceOfServer, part: Part, keyPrefix: string, removal: string[],
 *   runIds: string[] | null, cpus: number[] | null}} AskedCell */

/**
 * What an agent does for one benchmark: it starts workers and passes requests and answers on.
 * @param {object} agent @param {Clock} agent.clock @param {Allowed} agent.allowed
 * @param {(typed: Typed, refuse: (wants: Wants) => void) => Promise<ReadTyped>} agent.read as the command line does
 */
export function createSession({ clock, allowed, read }) {
  /** @type {ReadTyped | null} */
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

  /** @param {ReadTyped} plan @param {string} id @returns {{cell: Cell, refused: string[]}} */
  function cellOf({ cells, catalogue, clientOptions }, id) {
    const cell = cells.find((each) => each.id === id);
    if (cell === undefined || cell.skipped !== null)
      throw new RunError(`'${id}' is no cell that this agent can run (${skippedText(cell)})`);
    const client = /** @type {ClientPlugin} */ (catalogue.clients.get(cell.client));
    const options = allowed.isOwned ? {} : { ...clientOptions[cell.client], ...cell.ownVariant?.options };
    const others = [...running.values()].map((each) => each.cell);
    return { cell, refused: refusalsOf(cell, { client, options }, allowed, others) };
  }

  /** @type {Record<string, (data: any, tell: (second: object) => void) => Promise<unknown>>} */
  const methods = {
    /** @param {Typed} typed @returns {Promise<string[]>} what it may not do */
    async plan({ targets, ...typed }) {
      /** @type {string[]} */
      const refused = [];
      const plan = await read({ ...typed, targets }, (wants) => {
        refused.push(...refusals(wants, allowed));
        if (refused.length > 0) throw new NotAllowed();
      }).catch((error) => {
        if (error instanceof NotAllowed) return null;
        throw error;
      });
      if (plan === null) return refused;
      for (const id of typed.cells) refused.push(...cellOf(plan, id).refused);
      if (refused.length === 0) planned = plan;
      return [...new Set(refused)];
    },

    /** @param {AskedCell} asked */
    async prepare({ workersId, cell: id, target: place, part, cpus, ...how }) {
      if (planned === null) throw new RunError('expected a plan that is allowed, before its cells');
      const { cell, refused } = cellOf(planned, id);
      const target = serverAt(place, allowed);
      if (typeof target === 'string') refused.push(target);
      if ((place.nodes !== undefined) !== (cell.topology === 'cluster') || place.transport !== cell.transport)
        refused.push(`${place.at} for a cell of ${cell.topology}, ${cell.transport}`);
      if (refused.length > 0 || typeof target === 'string')
        throw new RunError(`this agent is not allowed to use ${refused.join(', ')}`);
      if (over || running.has(workersId))
        throw new RunError('expected the first cell of this name, and a session');
      /** @type {CellWorkers} */
      const own = {
        cell,
        onSecond: () => {},
        workers: startWorkers(
          cell,
          cpus,
          (second) => own.onSecond(second),
          planned.catalogue.clients.get(cell.client)?.leaves,
        ),
      };
      running.set(workersId, own);
      const { keyPrefix, ...server } = how;
      const job = createJob(cell, target, { .../** @type {any} */ (planned), keyPrefix, server });
      const facts = await own.workers.call('prepare', {
        ...job,
        part,
        tasks: share(job.tasks, part),
        // What a script replies stays here.
        scripts: allowed.words.includes('scripts') ? 'silent' : undefined,
        ...(!allowed.isOwned && { confinement: confinementOf(target, allowed) }),
      });
      return { facts, pid: own.workers.pid };
    },

    /** @param {{workersId: string, length: AgentRunLength}} given @returns {Promise<AgentRun>} */
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

    /** @param {{workersId: string, method: string, params: any}} given */
    async call({ workersId, method, params }) {
      const { offsetMs } = clock.offset();
      const own =
        method === 'stop-profile'
          ? { ...params, fromMs: params.fromMs - offsetMs, toMs: params.toMs - offsetMs }
          : params;
      return workersOf(workersId).workers.call(method, own);
    },
    stop: async ({ workersId }) => running.get(workersId)?.workers.stop(),
    interrupt: async ({ workersId }) => running.get(workersId)?.workers.interrupt(),

    async kill({ workersId }) {
      await running.get(workersId)?.workers.kill();
      running.delete(workersId);
    },
  };

  return {
    /** @param {string} method one that methods.js knows @param {object} data @param {(second: object) => void} tell */
    answer: async (method, data, tell) => methods[method](data, tell),

    /** Ends all load, and has the workers remove what they stored. */
    async end() {
      over = true;
      const all = [...running.values()].map(({ workers }) => workers);
      running.clear();
      await Promise.all(all.map((workers) => workers.dismiss()));
    },
  };
}

class NotAllowed extends Error {}

/** @param {Cell | undefined} cell */
const skippedText = (cell) => (cell === undefined ? 'not among those of its plan' : 'it is skipped here');
