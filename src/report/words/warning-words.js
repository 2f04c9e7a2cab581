import { capital, percent, said, spanText, times, whole } from './figures.js';

/** @import { Finding, WarningFinding } from '../../analysis/types.js' */
/** @import { RunWarning } from '../../results/types.js' */
/** @import { Words } from './findings.js' */

/** @template {WarningFinding['kind']} Kind @typedef {Extract<Finding, {kind: Kind}>} Of */

/** What makes figures doubtful. @satisfies {Record<string, Words>} */
export const WARNING_WORDS = {
  control: {
    sure: (/** @type {Of<'control'>[]} */ all) => [
      all.some(({ tellsApart }) => tellsApart > HARDLY_ANY)
        ? 'Starts of a cell differ too much, or are too few, to tell even large differences apart; use more --starts.'
        : `Differences below ${sharesText(all)} could not be told apart on this machine.`,
    ],
    details: (/** @type {Of<'control'>[]} */ all) => [controlText(all)],
  },
  disturbance: {
    sure: (/** @type {Of<'disturbance'>[]} */ [finding]) => [disturbanceText(finding)],
    details: (/** @type {Of<'disturbance'>[]} */ [finding]) => [slicesText(finding)],
  },
  'not-borne-out': {
    sure: (/** @type {Of<'not-borne-out'>[]} */ all, { name }) => [doubtText(all, name)],
  },
  'not-warm': {
    warnings: (/** @type {Of<'not-warm'>[]} */ all, { name }) =>
      all.flatMap((finding) => warmthTexts(finding, name)),
  },
  'few-runs': {
    warnings: (/** @type {Of<'few-runs'>[]} */ [{ runs }]) => [
      `${runs === 1 ? 'one run of each cell is not enough' : `${runs} runs of each cell are few`}: intervals are wide and small differences cannot be seen; use --runs 5 or more (6 for a 95 % interval)`,
    ],
  },
  unstable: {
    warnings: (/** @type {Of<'unstable'>[]} */ all, { name }) => {
      const cells = all.flatMap(({ reaches }) =>
        reaches.map(
          (each) =>
            `${name(each.cell)} ${each.percent === null ? 'too few runs' : `± ${percent(each.percent / 100)}`}`,
        ),
      );
      return [
        `not stable within ${all[0].limitPercent} %: ${cells.join(', ')}; use more --max-runs, or a longer --run-time`,
      ];
    },
  },
};

/** Ten times as much: two starts of which one was disturbed come to thousands of per cent. */
const HARDLY_ANY = 9;

/** @param {Of<'control'>[]} all of each group */
function sharesText(all) {
  const shares = all.map(({ tellsApart }) => tellsApart);
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map(percent);
  return spanText(low, high);
}

/** @param {Of<'control'>[]} all of each group */
function controlText(all) {
  const starts = [...new Set(all.map((each) => each.starts))].sort().join(' or ');
  const amount = all.some(({ tellsApart }) => tellsApart > HARDLY_ANY)
    ? 'of any size'
    : `below ${sharesText(all)}`;
  return `Control: each cell was started ${starts} times and held against itself. Starts of one cell differ so much that differences ${amount} are not claimed.`;
}

/** Less than this is what worker and server of a quiet machine wait for. */
const QUIET = 0.05;

/** Whose waits are known. */
const WAITED = {
  all: 'worker and server waited',
  some: 'the worker, and the server where its waits are known, waited',
  none: 'the worker waited',
};

/** Stolen time is told by the hundredth of a second. */
const HARDLY_STOLEN = 0.01;

/** @param {Of<'disturbance'>} finding */
function disturbanceText({ waitedShare, stolenShare, server, isWhole }) {
  const quiet = waitedShare + Number(stolenShare) < QUIET;
  const stolen =
    Number(stolenShare) < HARDLY_STOLEN
      ? ''
      : `, and the hypervisor took ${percent(Number(stolenShare))} of it for others`;
  const waited = `${WAITED[server]} ${percent(waitedShare)} of the time for a processor${stolen}`;
  const busy =
    waitedShare < QUIET ? 'Other machines on this host were at work' : 'Other programs were at work';
  if (isWhole) return `${quiet ? 'The machine was quiet' : busy}: ${waited}.`;
  // Processes that share processors wait for each other, so of those it cannot be said.
  const where = `where a worker has processors of its own, ${waited}`;
  return quiet ? `${capital(where)}.` : `${busy}: ${where}.`;
}

/** @param {Of<'disturbance'>} finding */
const slicesText = ({ slices, disturbed, repeats }) =>
  `Disturbance: ${whole(disturbed)} of ${whole(slices)} slices were without a processor for over a tenth of their time${repeats === 0 ? '' : `, after ${whole(repeats)} had been repeated for that`}.`;

/** Equal within this. */
const EQUAL = 0.02;

/** @param {Of<'not-borne-out'>[]} all @param {(id: string) => string} name */
function doubtText(all, name) {
  const [{ slower, faster, of }, ...others] = all.toSorted((a, b) => b.of.times - a.of.times);
  const { rounds, disturbedRounds, cpuRatio } = of;
  const cpu =
    cpuRatio === null
      ? 'nothing but the time shows it'
      : Math.abs(cpuRatio - 1) <= EQUAL
        ? 'CPU per operation is equal'
        : `CPU per operation (${times(cpuRatio)}) does not account for it`;
  const more = others.length === 0 ? '' : ` The same holds for ${others.length} more.`;
  return `Not claimed: ${name(slower)} looks ${times(of.times)} slower than ${name(faster)}. ${disturbedRounds} of ${rounds} rounds were disturbed; ${cpu}.${more}`;
}

/** @param {Of<'not-warm'>} finding @param {(id: string) => string} name */
function warmthTexts({ cells, laterFaster, leftOut = [] }, name) {
  const starts = leftOut.map((each) => `${name(each.cell)} (${each.starts})`).join(', ');
  const cold = cells.map(name).join(', ');
  const falling = laterFaster
    .map(({ cell, ratio }) => `${name(cell)} (${times(ratio)} the CPU an operation at first)`)
    .join(', ');
  return said([
    cold && `not warm after the longest warm-up, so not compared: ${cold}`,
    starts &&
      `starts that still warmed up while they were timed are not compared: ${starts}; use more --warmup-runs`,
    falling && `still warming up while they were timed: ${falling}; use more --warmup-runs`,
  ]);
}

/**
 * What makes a run doubtful, and what helps.
 * @type {{[Kind in RunWarning['kind']]: (facts: Extract<RunWarning, {kind: Kind}>) => string}}
 */
const RUN_WARNINGS = {
  'no-info': () =>
    'INFO is not allowed on this server: its own figures are missing, and the commands could not be checked',
  'cache-miscounted': ({ cached, claimed, missing }) =>
    `the client's cache claims to have answered ${cached} commands, but of the run's ${claimed} the server counted all but ${missing}`,
  'command-miscounted': ({ command, claimed, counted }) =>
    `the run claims ${claimed} ${String(command).toUpperCase()}, the server counted ${counted}${counted > claimed ? ': another program uses it too' : ''}`,
  'commands-miscounted': ({ claimed, counted }) =>
    `the run claims ${claimed} commands, the server counted ${counted}`,
  'other-commands': ({ commands = {} }) =>
    `other commands ran on the server: ${Object.entries(commands)
      .map(([name, calls]) => `${name} ×${calls}`)
      .join(', ')}`,
  'processor-taken': () =>
    "something else ran on the worker's processor: close other programs, or use more --runs",
  'much-garbage': () => 'garbage collection took over a tenth of the run',
  'app-work-off': ({ more, beyondShare }) =>
    `the application's work took over ${percent(beyondShare)} ${more ? 'more' : 'less'} CPU than --app-work asks for (appWorkUsPerOp)`,
  crowded: ({ processes, cpus }) =>
    `${processes} worker processes shared ${cpus === 1 ? 'one processor' : `${cpus} processors`}: latencies include the time they waited for each other`,
  'started-apart': ({ ms, beyondShare }) =>
    `its machines started more than ${ms} ms or ${beyondShare * 100} % of the run apart (startSkewMs)`,
  'own-tail': ({ name, times: more }) =>
    `in a run the tail was ${name}'s own: its p99 was over ${more} times that of the other machines together`,
  'late-company': ({ name }) =>
    `'${name}' came less often than that: what was under way of it was not answered in time`,
  'part-of-recording': () =>
    'the part of the recording that a run covers had another rate than the whole: a longer --duration covers more',
  'farther-than-asked': () =>
    'the server was farther away than was asked for: in the relay half of the round trips took over 5 % or 50 µs too long; other programs, or this traffic, need too much of its processor',
  'narrow-line': () =>
    'the relay stopped reading for a while, because no more could wait in it: the line was narrow, not only long',
  'late-fault': ({ ms }) =>
    `the fault struck ${Math.round(ms)} ms later than it was meant to: this machine was busy`,
  evicted: ({ keys }) =>
    `the server evicted ${keys} ${keys === 1 ? 'key' : 'keys'} to make room in its memory`,
  stalled: ({ ms }) =>
    `nothing was answered for ${(ms / 1000).toFixed(1)} s: the server, the network or this machine stalled`,
};

/** @param {RunWarning} facts @returns {string} the same for the same facts, so that repeats can be merged */
export const runWarningText = (facts) =>
  Object.hasOwn(RUN_WARNINGS, facts.kind)
    ? RUN_WARNINGS[facts.kind](/** @type {any} */ (facts))
    : // A later release wrote it.
      facts.kind;
