import { RunError } from '../errors.js';
import { cacheFolder } from '../machine/releases/cached-releases.js';
import { loadPlugin } from '../plugins/registry.js';
import { startWorkers } from '../runner/workers.js';
import { sharedClock } from '../shared-clock.js';
import { ANY_TARGET, isWithin, MOST_PROCESSES, placesOf, refusals } from './permissions.js';

/** @import { ClientPlugin } from '../plugins/types.js' */
/** @import { Clock } from './clock-offset.js' */
/** @import { AgentJob, AgentRun, AgentRunLength, Allowed, Wants } from './types.js' */

/** What the agent and the queue still do after a job was fetched would disturb a run on few processors. */
const SETTLES_IN_MS = 4;
/** Nothing wakes workers before a common start. */
const STARTS_WITHIN_MS = 60_000;

/** @typedef {{workers: ReturnType<typeof startWorkers>, processes: number, onSecond: (second: object) => void}} CellWorkers */

/**
 * What an agent does for one benchmark: it starts workers and passes requests and answers on.
 * @param {object} agent @param {Clock} agent.clock @param {Allowed} agent.allowed @param {NodeJS.ProcessEnv} agent.env
 */
export function createSession({ clock, allowed, env }) {
  /** @type {Map<string, CellWorkers>} */
  const running = new Map();
  let over = false;

  /** @param {string} id */
  function cellOf(id) {
    const found = running.get(id);
    if (found === undefined) throw new RunError('the agent does not run these workers any more');
    return found;
  }

  /** @type {Record<string, (data: any, tell: (second: object) => void) => Promise<unknown>>} */
  const methods = {
    /** @param {Wants} wants @returns {Promise<string[]>} what it may not do */
    check: async (wants) => refusals(wants, allowed),

    /** @param {{workersId: string} & AgentJob} given */
    async prepare({ workersId, ...asked }) {
      checkJob({}, asked, allowed);
      const { job, processes, nodeBin, cpus } = asked;
      const client = await loadPlugin('clients', job.client, job.pluginFolders);
      checkJob(client, asked, allowed);
      const all = [...running.values()].reduce((sum, other) => sum + other.processes, processes);
      if (all > MOST_PROCESSES.inAll)
        throw new RunError(
          `${all} processes need more memory than this agent has (at most ${MOST_PROCESSES.inAll})`,
        );
      if (over || running.has(workersId))
        throw new RunError('expected the first cell of this name, and a session');
      /** @type {CellWorkers} */
      const own = {
        processes,
        onSecond: () => {},
        workers: startWorkers(
          { processes, runtime: nodeBin === null ? null : { name: '', version: '', v8: '', path: nodeBin } },
          cpus,
          (second) => own.onSecond(second),
          client.leaves,
        ),
      };
      running.set(workersId, own);
      const quiet = { ...job, ...(job.scripts && { scripts: /** @type {const} */ ('silent') }) };
      const facts = await own.workers.call('prepare', confined(quiet, allowed, env));
      return { facts, pid: own.workers.pid };
    },

    /** @param {{workersId: string, length: AgentRunLength}} given @returns {Promise<AgentRun>} */
    async run({ workersId, length: { startAtMs, ...length } }, tell) {
      const cell = cellOf(workersId);
      if (startAtMs !== undefined && Math.abs(startAtMs - clock.now()) > STARTS_WITHIN_MS)
        throw new RunError('expected a start within a minute by the clock of the control Redis');
      const { offsetMs, errorMs } = clock.offset();
      const startsAtMs = startAtMs === undefined ? sharedClock() + SETTLES_IN_MS : startAtMs - offsetMs;
      const aheadMs = startAtMs === undefined ? null : startsAtMs - sharedClock();
      cell.onSecond = tell;
      const measured = await cell.workers.run({ ...length, startAtMs: startsAtMs });
      await clock.refresh();
      return { measured, clock: { offsetMs, errorMs }, aheadMs };
    },

    /** @param {{workersId: string, method: string, params: unknown}} given */
    async call({ workersId, method, params }) {
      const own = method === 'stop-profile' ? onOwnClock(params, clock.offset().offsetMs) : params;
      return cellOf(workersId).workers.call(method, own);
    },
    stop: async ({ workersId }) => running.get(workersId)?.workers.stop(),
    interrupt: async ({ workersId }) => running.get(workersId)?.workers.interrupt(),

    async kill({ workersId }) {
      await running.get(workersId)?.workers.kill();
      running.delete(workersId);
    },
  };

  return {
    /** @param {string} method @param {object} data @param {(second: object) => void} tell */
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

/** @param {any} profile of a run between two times @param {number} offsetMs */
const onOwnClock = (profile, offsetMs) => ({
  ...profile,
  fromMs: profile.fromMs - offsetMs,
  toMs: profile.toMs - offsetMs,
});

/**
 * @param {Pick<ClientPlugin, 'ownSockets' | 'options'>} client empty while its plugin may not be loaded yet
 * @param {AgentJob} asked @param {Allowed} allowed @throws {RunError} where it asks for what is not allowed
 */
function checkJob({ ownSockets, options = [] }, { job, processes, nodeBin }, allowed) {
  const { target, entry, pluginFolders = {}, clientOptions } = job;
  const targets = placesOf(target);
  const isForeign = entry !== null && !isWithin(cacheFolder(), entry);
  const { file } = job.workload.parameter ?? {};
  const refused = refusals(
    {
      targets,
      pluginFolders: [...Object.values(pluginFolders).flat(), ...(isForeign ? [entry] : [])],
      releases: entry === null ? [] : [entry],
      nodeBins: nodeBin === null ? [] : [nodeBin],
      profiles: file === undefined ? [] : [`${file}`],
      processes,
    },
    allowed,
  );
  if (target.transport !== 'tls') {
    refused.push(
      ...targets.filter((each) => allowed.onlyTls.includes(each)).map((each) => `${each} without TLS`),
    );
  }
  // It may connect to what was checked here, and to nothing else.
  if (ownSockets && allowed.targets !== null) {
    const strange = Object.keys(clientOptions).filter((name) => !options.includes(name));
    refused.push(
      ...[...strange, ...(target.topology === 'cluster' ? ['a cluster'] : [])].map(
        (what) => `${what} with ${job.client}, whose sockets cannot be seen (--allow ${ANY_TARGET})`,
      ),
    );
  }
  if (refused.length > 0) throw new RunError(`this agent is not allowed to use ${refused.join(', ')}`);
}

/**
 * Adds the agent's own password, which goes only to the servers that its owner named.
 * @param {AgentJob['job']} job @param {Allowed} allowed @param {NodeJS.ProcessEnv} env of the agent
 */
function confined(job, { targets, onlyTls }, { REDIS_USERNAME, REDIS_PASSWORD }) {
  if (targets === null) return job;
  const lacks = job.target.password === undefined && REDIS_PASSWORD;
  const own = lacks ? { username: REDIS_USERNAME || undefined, password: REDIS_PASSWORD } : {};
  return { ...job, target: { ...job.target, ...own }, confinement: { addresses: targets, onlyTls } };
}
