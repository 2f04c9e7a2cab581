import { RunError } from '../errors.js';
import { loadPlugin } from '../plugins/registry.js';
import { startWorkers } from '../runner/workers.js';
import { monotonicMs } from './clock-offset.js';
import { placesOf, refusals } from './permissions.js';

/**
 * @import { Target } from '../server/types.js'
 * @import { AgentJob, AgentRun, AgentRunLength, Allowed, Clock, Wants } from './types.js'
 */

/** The agent and the queue have still to do after a job was fetched, and on few processors a run would feel it. */
const SETTLES_IN_MS = 4;

/**
 * @typedef {object} Life of the workers of a cell
 * @property {ReturnType<typeof startWorkers>} workers
 * @property {(second: object) => void} onSecond
 */

/**
 * What an agent does for one benchmark: it starts workers and passes requests and answers on.
 *
 * @param {object} agent
 * @param {Clock} agent.clock
 * @param {Allowed} agent.allowed
 * @param {NodeJS.ProcessEnv} agent.env
 */
export function createSession({ clock, allowed, env }) {
  /** @type {Map<string, Life>} */
  const lives = new Map();

  /** @param {string} id */
  function workersOf(id) {
    const life = lives.get(id);
    if (life === undefined) throw new RunError('the agent does not run these workers any more');
    return life.workers;
  }

  /** @type {Record<string, (data: any, tell: (second: object) => void) => Promise<unknown>>} */
  const methods = {
    /** @param {Wants} wants @returns {Promise<string[]>} what it may not do */
    check: async (wants) => refusals(wants, allowed),

    /** @param {{life: string} & AgentJob} given */
    async prepare({ life, job, processes, nodeBin, cpus }) {
      checkJob(job, nodeBin, allowed);
      const { leaves } = await loadPlugin('clients', job.client, job.pluginFolders);
      /** @type {Life} */
      const own = {
        onSecond: () => {},
        workers: startWorkers(
          { processes, runtime: nodeBin === null ? null : { name: '', version: '', v8: '', path: nodeBin } },
          cpus,
          (second) => own.onSecond(second),
          leaves,
        ),
      };
      lives.set(life, own);
      const facts = await own.workers.call('prepare', { ...job, target: withOwn(job.target, env) });
      return { facts, pid: own.workers.pid };
    },

    /**
     * @param {{life: string, length: AgentRunLength}} given
     * @returns {Promise<AgentRun>}
     */
    async run({ life, length: { startAtMs, ...length } }, tell) {
      const workers = workersOf(life);
      const { offsetMs, errorMs } = clock.offset();
      const startsAtMs = startAtMs === undefined ? monotonicMs() + SETTLES_IN_MS : startAtMs - offsetMs;
      const aheadMs = startAtMs === undefined ? null : startsAtMs - monotonicMs();
      /** @type {Life} */ (lives.get(life)).onSecond = tell;
      const measured = await workers.run({ ...length, startAtMs: startsAtMs });
      await clock.refresh();
      return { measured, clock: { offsetMs, errorMs }, aheadMs };
    },

    /** @param {{life: string, method: string, params: unknown}} given */
    async call({ life, method, params }) {
      const own = method === 'stop-profile' ? onOwnClock(params, clock.offset().offsetMs) : params;
      return workersOf(life).call(method, own);
    },
    stop: async ({ life }) => lives.get(life)?.workers.stop(),
    interrupt: async ({ life }) => lives.get(life)?.workers.interrupt(),

    async kill({ life }) {
      await lives.get(life)?.workers.kill();
      lives.delete(life);
    },
  };

  return {
    /**
     * @param {string} method
     * @param {object} data
     * @param {(second: object) => void} tell
     */
    async answer(method, data, tell) {
      if (!Object.hasOwn(methods, method)) throw new RunError(`an agent does not know '${method}'`);
      return methods[method](data, tell);
    },

    /** Ends all load, and has the workers remove what they stored. */
    async end() {
      const all = [...lives.values()].map(({ workers }) => workers);
      lives.clear();
      await Promise.all(all.map((workers) => workers.dismiss()));
    },
  };
}

/** @param {any} profile of a run between two times @param {number} offsetMs */
const onOwnClock = (profile, offsetMs) => ({
  ...profile,
  fromMs: profile.fromMs - offsetMs,
  toMs: profile.toMs - offsetMs,
});

/**
 * @param {AgentJob['job']} job
 * @param {string | null} nodeBin
 * @param {Allowed} allowed
 * @throws {RunError} where it asks for what is not allowed
 */
function checkJob({ target, pluginFolders = {}, entry }, nodeBin, allowed) {
  const refused = refusals(
    {
      targets: placesOf(target),
      pluginFolders: Object.values(pluginFolders).flat().map(String),
      releases: entry === null ? [] : [entry],
      nodeBins: nodeBin === null ? [] : [nodeBin],
    },
    allowed,
  );
  if (refused.length > 0) throw new RunError(`this agent is not allowed to use ${refused.join(', ')}`);
}

/**
 * @param {Target} target
 * @param {NodeJS.ProcessEnv} env of the agent
 * @returns {Target} with the agent's own credentials where none came with it
 */
function withOwn(target, { REDIS_USERNAME, REDIS_PASSWORD }) {
  if (target.password !== undefined || !REDIS_PASSWORD) return target;
  return { ...target, username: REDIS_USERNAME || undefined, password: REDIS_PASSWORD };
}
