import { count } from '../../../axes/number-words.js';
import { startedCold } from '../../../cold/first-replies.js';
import {
  capital,
  cpusText,
  joined,
  percent,
  said,
  spanOf,
  times,
  whole,
} from '../../../core/report/figures.js';

/** @import { RunWarning } from '../../../core/store/types.js' */
/** @import { WordsOf } from './fact-words.js' */
/** @import { Context, Of, Words } from './findings.js' */

/** What makes figures doubtful. @satisfies {Words} */
export const WARNING_WORDS = {
  control: {
    sure: { all: (all, context) => [noiseText(all, context)] },
    details: { all: (all) => [controlText(all)] },
  },
  disturbance: {
    sure: disturbanceText,
    details: ({ slices, disturbed, repeats }) =>
      `Disturbance: ${whole(disturbed)} of ${whole(slices)} slices waited for CPU over 10 % of the time${repeats === 0 ? '' : `, after ${whole(repeats)} were repeated`}.`,
  },
  'kept-awake': { sure: awakeText },
  'not-warm': { warnings: warmthTexts },
  'few-runs': {
    warnings: ({ runs }) =>
      `${count(runs, 'run')} per cell ${runs === 1 ? 'is' : 'are'} too few to see small differences; use --runs 5 or more (6 for a 95 % interval)`,
  },
  unstable: { warnings: { all: (all, { name }) => [unstableText(all, name)] } },
};

/** Ten times as much: two starts, one of them disturbed, come to thousands of per cent. */
const HARDLY_ANY = 9;

/** @param {Of<'control'>[]} all of each group @param {Context} context */
function noiseText(all, { measured, settings }) {
  const { noisy, others, where } = noiseIn(all);
  if (noisy === 0) return `Noise: differences under ${sharesText(all)} are too small to detect here.`;
  const elsewhere =
    others.length === 0 ? '' : `; elsewhere, differences under ${sharesText(others)} are too small`;
  return `Noise: ${where}restarts differ too much, or are too few, to detect differences under 10x${elsewhere}. Use ${settings.races ? 'a longer --budget' : startedCold(measured) ? 'more --runs' : 'more --starts'}.`;
}

/** @param {Of<'control'>[]} all of each group */
function noiseIn(all) {
  const others = all.filter(({ tellsApart }) => tellsApart <= HARDLY_ANY);
  const noisy = all.length - others.length;
  return { noisy, others, where: others.length === 0 ? '' : `under ${noisy} of ${all.length} conditions, ` };
}

/** @param {Of<'control'>[]} all of each group */
const sharesText = (all) => spanOf(percent, all, ({ tellsApart }) => tellsApart);

/** @param {Of<'control'>[]} all of each group */
function controlText(all) {
  const starts = [...new Set(all.map((each) => each.starts))].sort().join(' or ');
  const often = starts === '2' ? 'twice' : `${starts} times`;
  const { noisy, others, where } = noiseIn(all);
  const noise = [
    noisy > 0 &&
      `${capital(`${where}restarts`)} alone differ so much that no difference under 10x is reported.`,
    others.length > 0 &&
      `Restarts alone differ by up to ${sharesText(others)}${noisy > 0 ? ' elsewhere' : ''}, so smaller differences are not reported.`,
  ];
  return `Control: each cell was started ${often} and compared with itself. ${said(noise).join(' ')}`;
}

/** @param {Of<'kept-awake'>} finding @param {Context} context */
function awakeText({ asIs, fastest, times: ratio, differs }, { name }) {
  const kept = 'With processors kept awake, as on a busy machine,';
  if (asIs === fastest) return `${kept} ${name(fastest)} is fastest too.`;
  return differs && ratio !== null
    ? `${kept} ${name(fastest)} is ${times(ratio)} faster than ${name(asIs)}.`
    : `${kept} ${name(fastest)} and ${name(asIs)} could not be distinguished.`;
}

/** Less than this is what worker and server of a quiet machine wait for. */
const QUIET = 0.05;

const WAITED = {
  all: 'worker and server waited for CPU',
  some: 'the worker (and the server, where known) waited for CPU',
  none: 'the worker waited for CPU',
};

/** Steal is reported in hundredths of a second. */
const HARDLY_STOLEN = 0.01;

/** @param {Of<'disturbance'>} finding */
function disturbanceText({ waitedShare, stolenShare, server, isWhole, limitedTo }) {
  const quiet = waitedShare + Number(stolenShare) < QUIET;
  const stolen =
    Number(stolenShare) < HARDLY_STOLEN ? '' : `, and CPU steal was ${percent(Number(stolenShare))}`;
  const waited = `${WAITED[server]} ${percent(waitedShare)} of the time${stolen}`;
  const busy = limitedTo
    ? `The CPU limit of ${cpusText(limitedTo)} was reached`
    : waitedShare < QUIET
      ? 'Other virtual machines on this host were busy'
      : 'Other programs were running';
  if (isWhole) return `${quiet ? 'The machine was quiet' : busy}: ${waited}.`;
  // Processes that share CPUs wait for each other, so their waits mean nothing.
  const where = `where each worker has a CPU of its own, ${waited}`;
  return quiet ? `${capital(where)}.` : `${busy}: ${where}.`;
}

/** With 3,000 iterations of 64 tasks redis:tuned took up to 1.28 times the CPU of a bare loop, with 30,000 at most 1.05. */
const LONGER = 10;

/** @param {Of<'not-warm'>} finding @param {Context} context */
function warmthTexts({ cells, laterFaster }, { name, settings: { iterations } }) {
  const cold = cells.map(name).join(', ');
  const falling = laterFaster
    .map(({ cell, ratio }) => `${name(cell)} (${times(ratio)} the CPU per operation at first)`)
    .join(', ');
  const help =
    typeof iterations === 'number'
      ? `--iterations ${LONGER * iterations} shows the floor`
      : 'use more --warmup-runs';
  return said([
    cold && `not warm after the longest warm-up, so not compared: ${cold}`,
    falling && `still getting faster during the runs: ${falling}; ${help}`,
  ]);
}

/** @param {Of<'unstable'>[]} all @param {(id: string) => string} name */
function unstableText(all, name) {
  const cells = all
    .flatMap(({ reaches }) => reaches)
    .map(
      ({ cell, percent: reach }) =>
        `${name(cell)} ${reach === null ? 'too few runs' : `± ${percent(reach / 100)}`}`,
    );
  return `not stable within ${all[0].limitPercent} %: ${cells.join(', ')}; use more --max-runs, or a longer --run-time`;
}

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
