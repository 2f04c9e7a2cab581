import { mergeMachines } from '../../run/merge-runs.js';
import { answerOfAll, createSeconds } from '../../run/workers.js';
import { placeOf } from './permissions.js';

/** @import { StartWorkers } from '../../run/types.js' */
/** @import { Job } from '../../worker/types.js' */
/** @import { AgentLink } from './agent-link.js' */
/** @import { Clock } from './control-redis.js' */
/** @import { AgentRun, Owner } from './types.js' */

/**
 * How far ahead a common start is: a multiple of what the slowest agent lately took to receive one, and what its workers
 * need. One delayed message says nothing about the next ones; two do.
 */
const LEAD = { times: 2, moreMs: 8, firstMs: 30, mostMs: 1000, remembered: 8 };
/** To connect and to store data, at least; where there is much, it is stored at this many bytes in a millisecond. */
const PREPARES = { withinMs: 15_000, bytesPerMs: 2000 };

/** @typedef {{links: AgentLink[], clock: Clock, areLocal: boolean, owner?: Owner}} Agents */

/**
 * Workers on other machines: each call goes to all agents of a cell, and their answers come back as one.
 * @type {(agents: Agents) => StartWorkers}
 */
export function createRemoteWorkers({ clock, areLocal, owner, ...agents }) {
  const lead = createLead();
  let started = 0;
  return (cell, cpus, onSecond) => {
    const { machines = 1 } = cell;
    const links = agents.links.slice(0, machines);
    const workersId = `${++started}`;
    /** @type {number | undefined} */
    let pid;
    /** @type {<Answer>(ask: (link: AgentLink, part: {index: number, count: number}) => Answer) => Promise<Awaited<Answer>[]>} */
    const askAll = (ask) =>
      Promise.all(links.map((link, index) => ask(link, { index, count: links.length })));

    /** @param {Job} job */
    async function prepareAll(job) {
      const { keyPrefix, removal, runIds, untriedBytes, keys, keySize, valueSize } = job;
      await owner?.name(job.target);
      const asked = {
        workersId,
        keyPrefix,
        removal,
        runIds,
        untriedBytes,
        cell: cell.id,
        target: placeOf(job.target),
        cpus: areLocal ? cpus : null,
      };
      const withinMs = PREPARES.withinMs + Math.ceil((keys * (keySize + valueSize)) / PREPARES.bytesPerMs);
      const answers = await askAll((link, part) =>
        link.call('prepare', { ...asked, part }, undefined, withinMs),
      );
      pid = answers[0].pid;
      const facts = answers.map((answer) => answer.facts);
      return answerOfAll('prepare', facts);
    }

    /** @param {string} method */
    const send = (method) => void askAll((link) => link.call(method, { workersId }).catch(ignore));

    return {
      get pid() {
        return areLocal && machines === 1 ? pid : undefined;
      },

      /** Those of other machines cannot be looked at. */
      pids: [],

      async call(method, params) {
        if (method === 'prepare') return prepareAll(/** @type {Job} */ (params));
        const answers = await askAll((link) => link.call(method, { workersId, params }));
        return answerOfAll(method, answers);
      },

      async run(length) {
        const startAtMs = machines > 1 ? clock.now() + lead.ms() : undefined;
        const add = createSeconds(machines, onSecond);
        /** @type {AgentRun[]} */
        const runs = await askAll((link) =>
          link.call('run', { workersId, length: { ...length, startAtMs } }, add),
        );
        lead.learn(runs);
        await clock.refresh();
        return mergeMachines(runs.map((run, index) => ({ ...run, name: links[index].name })));
      },

      stop: () => send('stop'),
      interrupt: () => send('interrupt'),
      // Its workers are killed there, or it is gone.
      kill: async () =>
        void (await askAll(async (link) => link.lost() ?? link.call('kill', { workersId }).catch(ignore))),
    };
  };
}

const ignore = () => {};

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
