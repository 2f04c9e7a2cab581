import { RunError } from '../errors.js';
import { share } from '../plan/loads.js';
import { within } from '../process/wait.js';
import { mergeMachines } from '../results/merge-machines.js';
import { answerOfAll, createSeconds } from '../runner/workers.js';
import { secretsIn } from '../secrets.js';

/** @import { StartWorkers } from '../runner/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { Job, Second } from '../worker/types.js' */
/** @import { AgentLink } from './agent-link.js' */
/** @import { Clock } from './clock-offset.js' */
/** @import { AgentJob, AgentRun, AgentRunLength } from './types.js' */

/**
 * How far ahead a common start is: a multiple of what the slowest agent lately took to receive one, and what its workers
 * need. One delayed message says nothing about the next ones; two do.
 */
const LEAD = { times: 2, moreMs: 8, firstMs: 30, mostMs: 1000, remembered: 8 };
/** Its workers are killed there, or it is gone. */
const KILLED_WITHIN_MS = 2000;

/** @typedef {{links: AgentLink[], clock: Clock, areLocal: boolean, isPrivate: boolean}} Agents `isPrivate`: secrets may be sent */

/**
 * Workers on other machines: each call goes to all agents of a cell, and their answers come back as one.
 * @param {Agents} agents @returns {StartWorkers}
 */
export function createRemoteWorkers(agents) {
  const lead = createLead();
  let started = 0;
  return (shape, cpus, onSecond) =>
    startOn(agents, { ...shape, cpus, lead, workersId: `${++started}` }, onSecond);
}

/**
 * @param {Agents} agents
 * @param {Parameters<StartWorkers>[0] & {cpus: number[] | null, lead: ReturnType<typeof createLead>, workersId: string}} start
 * @param {(second: Second) => void} onSecond @returns {ReturnType<StartWorkers>}
 */
function startOn(agents, { processes, runtime, machines = 1, cpus, lead, workersId }, onSecond) {
  const { clock, areLocal, isPrivate } = agents;
  const links = agents.links.slice(0, machines);
  /** @type {number | undefined} */
  let pid;

  /** @param {Job} job */
  async function prepareAll(job) {
    const onAgent = { processes, nodeBin: runtime?.path ?? null, cpus: areLocal ? cpus : null };
    const answers = await prepare(links, workersId, withoutCredentials(job, isPrivate), onAgent);
    pid = answers[0].pid;
    return answerOfAll(
      'prepare',
      answers.map(({ facts }) => facts),
    );
  }

  /** @param {string} method */
  function send(method) {
    for (const link of links) link.call(method, { workersId }).catch(() => {});
  }

  return {
    get pid() {
      return areLocal && machines === 1 ? pid : undefined;
    },

    async call(method, params) {
      if (method === 'prepare') return prepareAll(/** @type {Job} */ (params));
      const answers = await Promise.all(
        links.map((link, index) => {
          const part = { index, count: links.length };
          const own = method === 'serve' ? share(/** @type {number} */ (params), part) : params;
          return link.call('call', { workersId, method, params: own });
        }),
      );
      return answerOfAll(method, answers);
    },

    async run(length) {
      const startAtMs = machines > 1 ? clock.now() + lead.ms() : undefined;
      /** @type {AgentRunLength} */
      const common = { ...length, startAtMs };
      const add = createSeconds(machines, onSecond);
      /** @type {AgentRun[]} */
      const runs = await Promise.all(
        links.map((link) => link.call('run', { workersId, length: common }, add)),
      );
      lead.learn(runs);
      await clock.refresh();
      return mergeMachines(runs.map((run, index) => ({ ...run, name: links[index].name })));
    },

    stop: () => send('stop'),
    interrupt: () => send('interrupt'),

    async kill() {
      const living = links.filter((link) => link.lost() === null);
      const killing = living.map((link) => within(KILLED_WITHIN_MS, link.call('kill', { workersId })));
      await Promise.allSettled(killing);
    },
  };
}

/** @param {AgentLink[]} links @param {string} workersId @param {Job} job of the whole cell @param {Omit<AgentJob, 'job'>} onAgent */
const prepare = (links, workersId, job, onAgent) =>
  Promise.all(
    links.map((link, index) => {
      const part = { index, count: links.length };
      return link.call('prepare', {
        workersId,
        job: { ...job, part, tasks: share(job.tasks, part) },
        ...onAgent,
      });
    }),
  );

/**
 * Without a private control Redis agents use credentials of their own.
 * @param {Job} job @param {boolean} isPrivate @returns {Job} @throws {RunError} where a secret would travel in the open
 */
function withoutCredentials(job, isPrivate) {
  if (isPrivate) return job;
  const { username: _, password: _hidden, ...target } = job.target;
  const [ofClient] = secretsIn(job.clientOptions);
  const secret =
    target.tls?.key !== undefined ? 'the private key of --tls-key' : ofClient && `--config's '${ofClient}'`;
  if (secret !== undefined) {
    throw new RunError(
      `${secret} is not sent through a control Redis that is reached without TLS; use rediss:// for --agents`,
    );
  }
  return { ...job, target: /** @type {Target} */ (target) };
}

/** Far enough ahead for every agent, and no farther: nothing is measured meanwhile. */
function createLead() {
  /** @type {number[]} ms of the latest messages */
  let took = [];
  let lastMs = LEAD.firstMs;
  return {
    ms() {
      const [slowest, second = slowest] = took.toSorted((a, b) => b - a);
      if (slowest !== undefined) lastMs = Math.min(LEAD.mostMs, LEAD.times * second + LEAD.moreMs);
      return lastMs;
    },
    /** @param {AgentRun[]} runs */
    learn(runs) {
      if (runs.length < 2) return;
      const slowest = Math.max(0, ...runs.map(({ aheadMs }) => lastMs - (aheadMs ?? lastMs)));
      took = [...took, slowest].slice(-LEAD.remembered);
    },
  };
}
