/** @import { WordsOf } from '../../report/fact-words.js' */
/** @import { Fact } from '../../store/types.js' */

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
