import { median } from '../../descriptive-statistics.js';
import { count } from '../../numbers.js';
import { milli } from '../../report/figures.js';

/** @import { WordsOf } from '../../report/fact-words.js' */
/** @import { Fact, Report } from '../../store/types.js' */

/** @type {Partial<WordsOf<Fact>>} */
export const WORDS = {
  'agent-node': ({ agent, node, here }) => `${agent} runs Node ${node}, this machine ${here}`,
  'agent-package': (fact) =>
    `${fact.agent} has ${fact.package} ${fact.version}, this machine ${fact.here ?? 'none'}`,
  'agent-silent': ({ agent }) =>
    `the agent ${agent} does not reply and is left out; 'redis-pipe-bench agents clean' removes its traces`,
  'agent-refuses': ({ why }) => `skipped at the control Redis: ${why}`,
  'started-apart': ({ ms, beyondShare }) =>
    `its machines started more than ${ms} ms or ${beyondShare * 100} % of the run apart (startSkewMs)`,
  'own-tail': ({ name, times: more }) =>
    `the tail of a run came from ${name}: its p99 was over ${more}x that of the other machines together`,
};

const MOST_NAMED = 4;

/**
 * Where the load came from, if not from this machine, and how far apart it started.
 * @param {Pick<Report, 'agents' | 'cells'>} report
 * @returns {string[]}
 */
export function originTexts({ agents = [], cells }) {
  if (agents.length === 0) return [];
  const skews = cells.flatMap(({ runs }) =>
    runs.flatMap(({ machines = [], startSkewMs = 0 }) => (machines.length > 1 ? [startSkewMs] : [])),
  );
  const names = agents.map(({ name }) => name);
  const who = names.length <= MOST_NAMED ? names.join(', ') : `${names[0]} … ${names.at(-1)}`;
  const from = `load from ${count(agents.length, 'agent')} (${who})`;
  if (skews.length === 0) return [from];
  const most = milli(Math.max(...skews));
  return [
    `${from}, started ${milli(median(skews))} apart (median of ${count(skews.length, 'run')}; ${most} at most)`,
  ];
}
