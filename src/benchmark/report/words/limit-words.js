import { duration, micro, percent, said, tenths, times, whole } from '../../../core/report/figures.js';
import { mainPartsText } from '../../../why/code-words.js';

/** @import { BusyShares, Cause, InStep, Limit, Slower } from '../../judge/types.js' */
/** @import { WordsOf } from './fact-words.js' */
/** @import { Context, Words } from './findings.js' */

/** What limits a cell, and why others are slower. @satisfies {Words} */
export const LIMIT_WORDS = {
  limit: {
    explanation: (limit, { name }) => `${name(limit.cell)} ${limitText(limit)}.`,
  },
  slower: {
    explanation: (finding, context) => (finding.nearest ? [] : slowerText(finding, context)),
    outcome(finding, context) {
      const main = finding.causes.slice(0, MAIN_CAUSES);
      const withoutCode = main.map((cause) => ('code' in cause ? { ...cause, code: undefined } : cause));
      const texts = [main, withoutCode, main.slice(0, 1), withoutCode.slice(0, 1)].map((causes) =>
        slowerText({ ...finding, causes }, context),
      );
      return texts.find(context.fits) ?? texts[texts.length - 1];
    },
  },
};

const BUSIEST = {
  'main-thread': 'its main thread',
  node: 'its busiest node',
  processor: 'the processor that its nodes share',
};

/** @param {Limit} limit */
function limitText(limit) {
  const { clientBusyShare, serverBusyShare, busiest } = limit;
  const clientCpu = `${micro(limit.clientCpuUsPerOp)} of CPU per operation`;
  const serverCpu = `${micro(limit.serverCpuUsPerCommand)} of CPU per command`;
  switch (limit.limit) {
    case 'client':
      return `is limited by the client: ${limit.sharedCore ? sharedText(limit) : `${percent(clientBusyShare)} busy${workText(limit)}`}, ${clientCpu}`;
    case 'application':
      return `is limited by the application's own work: ${limit.sharedCore ? sharedText(limit) : `it takes ${percent(limit.appBusyShare)} of the time (${micro(limit.appWorkUsPerOp)} per operation), the client another ${percent(clientBusyShare)} (${micro(limit.clientCpuUsPerOp)})`}`;
    case 'server':
      return `is limited by the server: ${limit.sharedCore ? sharedText(limit) : `${BUSIEST[busiest]} ${percent(serverBusyShare)} busy`}, ${serverCpu}`;
    case 'round-trips':
      return `is limited by round trips: ${waitingText(limit)}`;
    case 'processor':
      if (limit.waitedShare === null)
        return `is limited by the CPU that its processes share: they keep it ${percent(clientBusyShare)} busy, and other programs may have used the rest`;
      return `was starved of CPU ${percent(limit.waitedShare)} of the time, so its real limit is unknown`;
    default:
      if (limit.serverThreads !== undefined)
        return `shows no clear limit: client ${percent(clientBusyShare)} busy, the server's main thread ${percent(serverBusyShare)}, ${threadsText(limit.serverThreads)}`;
      return serverBusyShare === null
        ? `shows no clear limit: client ${percent(clientBusyShare)} busy, and the server does not report its CPU`
        : `shows no clear limit: ${sharedText(limit)}; something else may have used the rest`;
  }
}

/** @param {number} cpus that all threads of a server used */
export const threadsText = (cpus) =>
  `all its threads ${cpus.toFixed(1)} CPUs, time spent waiting for each other included`;

/** @param {Limit} limit of client and server on one processor */
const sharedText = ({ clientCpuShare, appBusyShare, serverBusyShare, clientBusyShare }) =>
  `client ${percent(clientCpuShare)}${appBusyShare === null ? '' : `, the application's own work ${percent(appBusyShare)}`} and server ${percent(serverBusyShare)} of the CPU that they share, event loop ${percent(clientBusyShare)} busy`;

/** @param {Limit} limit */
function waitingText(limit) {
  const { underWayAtMost, inStep, p50Us } = limit;
  const figures = said([
    `client ${percent(limit.sharedCore ? limit.clientCpuShare : limit.clientBusyShare)} busy${workText(limit)}`,
    `server ${percent(limit.serverBusyShare)}`,
    underWayAtMost !== null && `at most ${whole(underWayAtMost)} in flight`,
    p50Us !== null && `p50 ${micro(p50Us)}`,
  ]).join(', ');
  return inStep === null ? figures : `${figures}; ${inStepText(inStep)}`;
}

/** @param {BusyShares} busy */
export const workText = ({ appBusyShare }) =>
  appBusyShare === null ? '' : `, the application's own work another ${percent(appBusyShare)}`;

/** @param {InStep} inStep */
const inStepText = ({ tasks, commandsPerRead }) =>
  `its ${tasks} tasks run in lockstep on one connection (${tenths(commandsPerRead)} commands per server read)`;

/** Causes come before their effects, so the first two say most. */
const MAIN_CAUSES = 2;

/** @param {Slower & {nearest: boolean}} slower @param {Context} context */
function slowerText({ cell, than, timesSlower, causes, explained, nearest }, { name }) {
  const slower = `${name(cell)} is ${times(timesSlower)} slower${nearest ? ` than ${name(than)}` : ''}`;
  if (causes.length === 0) return `${slower}; the figures do not show why.`;
  const reasons = causes.map(causeText).join('; ');
  return explained ? `${slower}: ${reasons}.` : `${slower}, explained only in part: ${reasons}.`;
}

/** @type {WordsOf<Cause>} */
const CAUSES = {
  placement: ({ pin, insteadOf, ratio }) =>
    `the same cell is ${times(ratio)} as fast with --pin ${pin} as with --pin ${insteadOf}`,
  farther: ({ roundTripUs, againstRoundTripUs }) =>
    `its server is farther away (fastest PING ${duration(roundTripUs)} instead of ${duration(againstRoundTripUs)})`,
  'not-cached': ({ hitRate, againstHitRate }) =>
    `${hitRate > 0 ? `only ${percent(hitRate)} of its commands are served` : 'none of its commands is served'} from a cache, but ${percent(againstHitRate)} of the other client's`,
  'opens-connections': () => 'it opens a connection for each operation',
  'more-commands': ({ commandsPerOp, againstCommandsPerOp }) =>
    `it takes ${whole(commandsPerOp)} commands per operation instead of ${whole(againstCommandsPerOp)}`,
  'smaller-batches': ({ commandsPerRead, againstCommandsPerRead }) =>
    `the server reads ${tenths(commandsPerRead)} commands at a time instead of ${tenths(againstCommandsPerRead)}`,
  cpu({ of, ratio, us, againstUs, code }) {
    const where = code === undefined ? '' : mainPartsText(code);
    return `${USERS[of]} used ${times(ratio)} the CPU per ${of === 'client' ? 'operation' : 'command'} (${micro(us)} instead of ${micro(againstUs)})${where && `: ${where}`}`;
  },
  encoding: ({ us, againstUs }) =>
    `encoding and decoding took ${micro(us)} per operation instead of ${micro(againstUs)}`,
  'more-round-trips': ({ perOp, againstPerOp, roundTripUs }) =>
    `an operation takes as long as ${tenths(perOp)} round trips of ${duration(roundTripUs)} instead of ${tenths(againstPerOp)}`,
  'server-sleeps': ({ sleepsPerCommand, againstSleepsPerCommand }) =>
    `the server went idle ${sleepsPerCommand.toFixed(2)} times per command instead of ${againstSleepsPerCommand.toFixed(2)}, and each time a write had to wake it`,
  garbage: ({ share }) => `garbage collection took ${percent(share)} of the time`,
  'in-step': ({ tasks, commandsPerRead, ...busy }) =>
    `${inStepText({ tasks, commandsPerRead })}: client and server alternate, and neither is saturated (${busyText(busy)})`,
  'fewer-under-way': ({ underWay, againstUnderWay, ...busy }) =>
    `it waits, with at most ${whole(underWay)} in flight instead of ${whole(againstUnderWay)} (${busyText(busy)})`,
  waiting: (busy) => `it waits (${busyText(busy)})`,
};

/** Whose CPU it is. @type {Record<(Cause & {kind: 'cpu'})['of'], string>} */
const USERS = {
  client: 'the client',
  server: 'the server',
  'main-thread': "the server's main thread",
  'server-threads': 'all threads of the server together',
};

/** @param {{clientBusyShare: number, serverBusyShare: number}} busy */
const busyText = ({ clientBusyShare, serverBusyShare }) =>
  `client ${percent(clientBusyShare)} busy, server ${percent(serverBusyShare)}`;

/** @param {Cause} cause */
export const causeText = (cause) => CAUSES[cause.kind](/** @type {any} */ (cause));
