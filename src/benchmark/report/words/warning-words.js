import { count } from '../../../axes/number-words.js';
import { joined, percent } from '../../../core/report/figures.js';

/** @import { RunWarning } from '../../../core/store/types.js' */
/** @import { WordsOf } from './fact-words.js' */

/** The first screen has these: an option helps, or the figures are wrong. Others are only counted there. @type {Set<RunWarning['kind']>} */
export const URGENT = new Set([
  'app-work-off',
  'farther-than-asked',
  'part-of-recording',
  'processor-taken',
  'cache-miscounted',
  'command-miscounted',
  'commands-miscounted',
  'evicted',
  'empty-replies',
  'no-info',
]);

/** What makes a run doubtful, and what helps. @type {WordsOf<RunWarning>} */
export const RUN_WARNING_WORDS = {
  'no-info': ({ why }) =>
    `${why === 'unknown' ? 'the server has no INFO' : 'the user may not call INFO (ACL SETUSER USER +info)'}: its figures are missing, and it could not confirm the commands`,
  'cache-miscounted': ({ cached, claimed, missing }) =>
    `the client's cache claims to have served ${cached} of ${claimed} commands, but ${missing} did not reach the server`,
  'command-miscounted': ({ command, claimed, counted }) =>
    `the run claims ${claimed} ${String(command).toUpperCase()}, the server counted ${counted}${counted > claimed ? ': another program is using this server' : ''}`,
  'commands-miscounted': ({ claimed, counted }) =>
    `the run claims ${claimed} commands, the server counted ${counted}`,
  'other-commands': ({ commands = {} }) =>
    `other commands ran on the server: ${Object.entries(commands)
      .map(([name, calls]) => `${name} ×${calls}`)
      .join(', ')}`,
  'processor-taken': () => "something else used the worker's CPU: close other programs, or use more --runs",
  'much-garbage': () => 'garbage collection took over 10 % of the run',
  'app-work-off': ({ more, beyondShare }) =>
    `the application's work took over ${percent(beyondShare)} ${more ? 'more' : 'less'} CPU than --app-work asks for (appWorkUsPerOp)`,
  crowded: ({ processes, cpus }) =>
    `${processes} worker processes shared ${count(cpus, 'CPU')}: latencies include the time they waited for each other`,
  'started-apart': ({ ms, beyondShare }) =>
    `its machines started more than ${ms} ms or ${beyondShare * 100} % of the run apart (startSkewMs)`,
  'own-tail': ({ name, times: more }) =>
    `the tail of a run came from ${name}: its p99 was over ${more}x that of the other machines together`,
  'part-of-recording': () =>
    'the replayed part has a different rate than the whole recording; a longer --duration covers more',
  'farther-than-asked': () =>
    'the relay was short of CPU: half of the round trips took over 5 % or 50 µs longer than --rtt asks for',
  'narrow-line': () =>
    'the relay was full for a while and stopped reading, so it limited bandwidth as well as adding delay',
  'kept-alive': ({ processes, of }) =>
    `${processes} of ${of} processes did not end by themselves after their connection was closed`,
  'late-fault': ({ ms }) => `the fault struck ${Math.round(ms)} ms late, because this machine was busy`,
  evicted: ({ keys }) => `the server evicted ${count(keys, 'key')} to free memory`,
  'empty-replies': ({ command, prepared }) =>
    prepared
      ? `every reply to ${command} was empty, although --prepare stored data: check that both name the same type and fields`
      : `every reply to ${command} was empty, as nothing was stored: add --prepare '${prepareFor(command)}'`,
  'types-only': ({ command }) => `only the type of ${String(command).toUpperCase()} replies is checked`,
  'not-replayed': ({ command, why }) =>
    `${command} is not replayed, because it fails on generated data: ${why}`,
  'other-sizes': ({ all, commands = {} }) =>
    `of ${all} different commands, ${joined(
      Object.entries(commands).map(([name, calls]) => `${calls} ${name}`),
    )} get replies of a different size than recorded`,
  'transactions-left-out': ({ transactions }) =>
    `${count(transactions, 'transaction')} with commands that cannot be replayed ${transactions === 1 ? 'is' : 'are'} left out`,
  stalled: ({ ms }) =>
    `no reply came for ${(ms / 1000).toFixed(1)} s: the server, the network or this machine stalled`,
};

/** What makes data that a command finds. @type {[names: RegExp, prepare: (field: string) => string][]} */
const PREPARES = [
  [/^H/, (field) => `HSET {key} ${field} {value}`],
  [/^Z/, (field) => `ZADD {key} 1 ${field}`],
  [/^(L(?!CS)|RP)/, () => 'RPUSH {key} {value}'],
  [/^S(CARD|DIFF|INTER|ISM|M|POP|RAND|REM|SCAN|UNION)/, (field) => `SADD {key} ${field}`],
  [/^X/, () => 'XADD {key} 1-1 field {value}'],
  [/^GEO/, () => 'GEOADD {key} 13 52 {value}'],
  [/^PF/, () => 'PFADD {key} {value}'],
  [/^JSON/, () => 'JSON.SET {key} $ "[1]"'],
  [/^/, () => 'SET {key} {value}'],
];
/** Their next word is a field or a member. */
const ASK_FOR_ONE =
  /^(H(GET|MGET|EXISTS|STRLEN|DEL|GETDEL)|Z(SCORE|MSCORE|RANK|REVRANK|REM)|S(ISMEMBER|MISMEMBER|REM))$/;

/** @param {string} command of the user @returns {string} */
function prepareFor(command) {
  const [name, , field] = `${command}`.split(' ');
  const upper = name.toUpperCase();
  const [, prepare] = PREPARES.find(([names]) => names.test(upper)) ?? PREPARES[PREPARES.length - 1];
  if (field !== undefined && ASK_FOR_ONE.test(upper)) return prepare(field);
  return prepare(upper.startsWith('H') ? 'field' : '{value}');
}
