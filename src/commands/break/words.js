import { duration, whole } from '../../report/figures.js';

/** @import { WordsOf } from '../../report/fact-words.js' */
/** @import { CellResult, Fact } from '../../store/types.js' */

/** @type {Partial<WordsOf<Fact>>} */
export const WORDS = {
  'fault-keys': ({ keys, most }) =>
    `each operation needs keys of its own, ${whole(keys)} in all, and ${whole(most)} is the most; use a lower --rate or a shorter --duration`,
  'fault-of-single': ({ fault, able = [], topology }) =>
    `'${fault}' needs a single server; ${topology === 'cluster' ? 'a cluster' : 'a primary behind Sentinels'} can have ${able.join(', ')}`,
  'fault-of-sentinels': ({ fault }) => `'${fault}' is ordered of Sentinels; use --topology sentinel`,
  'fault-over-unix': ({ fault }) =>
    `'${fault}' needs a relay, which unix sockets do not support; use tcp or tls`,
  'fault-idle': ({ fault }) => `'${fault}' strikes connections that are idle for longer; add a longer --idle`,
  'fault-rate': ({ most }) => `each operation is followed, so --rate may be at most ${most}`,
  'fault-waits': ({ command }) => `${command} waits, so it is late without a fault too; leave it out`,
  'late-fault': ({ ms }) => `the fault struck ${Math.round(ms)} ms late, because this machine was busy`,
  'run-too-short': ({ fault, durationMs, neededMs, surely }) =>
    surely
      ? `'${fault}' outlasts a run of ${duration(durationMs * 1000)}, so recovery cannot be seen; use --duration ${Math.ceil(neededMs / 1000)}s`
      : `'${fault}' may outlast a run of ${duration(durationMs * 1000)}, so recovery may not be seen; use --duration ${Math.ceil(neededMs / 1000)}s`,
};

/** What a fault needs, where --duration does not say it. @param {CellResult} cell */
export const durationOf = ({ fault }) => fault?.durationMs;
