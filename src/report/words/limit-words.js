import { mainPartsText } from './code-words.js';
import { duration, micro, percent, times, whole } from './figures.js';

/** @import { BehindBlocking, BusyShares, Cause, CodeDifference, Finding, InStep, Limit, Slower } from '../../analysis/types.js' */
/** @import { Context, Words } from './findings.js' */

/** What limits a cell, and why others are slower. @satisfies {Record<string, Words>} */
export const LIMIT_WORDS = {
  limit: {
    explanation: (/** @type {Extract<Finding, {kind: 'limit'}>[]} */ limits, { name }) =>
      limits.map(
        (limit) => `${name(limit.cell)} ${limitText(limit)}${limit.withCompany ? WITH_COMPANY : ''}.`,
      ),
  },
  slower: {
    explanation: (/** @type {Extract<Finding, {kind: 'slower'}>[]} */ all, context) =>
      all.filter(({ nearest }) => !nearest).map((finding) => slowerText(finding, context)),
    outcome: (/** @type {Extract<Finding, {kind: 'slower'}>[]} */ all, context) =>
      all.map((finding) => slowerText({ ...finding, causes: finding.causes.slice(0, MAIN_CAUSES) }, context)),
  },
};

/** Nobody can tell whose CPU it was. */
const WITH_COMPANY = '; these figures are those of the company too';

const BUSIEST = {
  'main-thread': 'its main thread',
  node: 'its busiest node',
  processor: 'the processor that its nodes share',
};

/** @param {Limit} limit */
function limitText(limit) {
  const { clientBusyShare, serverBusyShare, busiest, behind } = limit;
  if (behind) return `is limited by its background load: ${behindText(behind)}`;
  const clientCpu = `${micro(limit.clientCpuUsPerOp)} of CPU an operation`;
  const serverCpu = `${micro(limit.serverCpuUsPerCommand)} of CPU a command`;
  switch (limit.limit) {
    case 'client':
      return `is limited by the client: ${limit.sharedCore ? sharedText(limit) : `${percent(clientBusyShare)} busy${workText(limit)}`}, ${clientCpu}`;
    case 'application':
      return `is limited by the application's own work: ${limit.sharedCore ? sharedText(limit) : `it takes ${percent(limit.appBusyShare)} of the time (${micro(limit.appWorkUsPerOp)} an operation), the client another ${percent(clientBusyShare)} (${micro(limit.clientCpuUsPerOp)})`}`;
    case 'server':
      return `is limited by the server: ${limit.sharedCore ? sharedText(limit) : `${BUSIEST[busiest]} ${percent(serverBusyShare)} busy`}, ${serverCpu}`;
    case 'round-trips':
      return `is limited by round trips (${waitingText(limit)})${latencyText(limit)}`;
    case 'processor':
      if (limit.waitedShare === null)
        return `is limited by its processor, for which its processes wait in turn (${percent(clientBusyShare)} busy with them; other programs may have had the rest)`;
      return `waited for a processor ${percent(limit.waitedShare)} of the time, because other programs used it: what limits it without them cannot be said`;
    default:
      if (limit.serverThreads !== undefined) return threadsText(limit, limit.serverThreads);
      return serverBusyShare === null
        ? `has no limit that the figures show: the client ${percent(clientBusyShare)} busy, and the server does not tell its CPU`
        : `has no limit that the figures show: ${sharedText(limit)}, so that something else may have had the rest`;
  }
}

/** @param {BehindBlocking} behind */
export const behindText = ({ company, p50Us }) =>
  `operations wait behind ${company} on the same connection (p50 ${duration(p50Us)})`;

/** @param {Limit} limit @param {number} threads processors that they used */
const threadsText = ({ clientBusyShare, serverBusyShare }, threads) =>
  `has no limit that the figures show: the client ${percent(clientBusyShare)} busy, the server's main thread ${percent(serverBusyShare)}, and all its threads, which also wait for each other at work, on ${threads.toFixed(1)} processors`;

/** @param {Limit} limit the limit, of client and server on one processor */
const sharedText = ({ clientCpuShare, appBusyShare, serverBusyShare, clientBusyShare }) =>
  `of the processor that they share the client takes ${percent(clientCpuShare)}${appBusyShare === null ? '' : `, the application's own work ${percent(appBusyShare)}`} and the server ${percent(serverBusyShare)}, and the client's event loop is ${percent(clientBusyShare)} busy`;

/** @param {Limit} limit */
function waitingText(limit) {
  const { sharedCore, clientBusyShare, clientCpuShare, serverBusyShare, underWayAtMost, inStep } = limit;
  return [
    `the client ${percent(sharedCore ? clientCpuShare : clientBusyShare)} busy${workText(limit)}`,
    `the server ${percent(serverBusyShare)}`,
    ...(underWayAtMost === null ? [] : [`${whole(underWayAtMost)} under way at most`]),
    ...(inStep === null ? [] : [inStepText(inStep)]),
  ].join(', ');
}

/** @param {BusyShares} busy */
export const workText = ({ appBusyShare }) =>
  appBusyShare === null ? '' : `, the application's own work another ${percent(appBusyShare)}`;

/** @param {InStep} inStep */
const inStepText = ({ tasks, commandsPerRead }) =>
  `its ${tasks} tasks in step: a read of the server brings ${plain(commandsPerRead)} commands, and client and server take turns`;

/** @param {Limit} limit */
const latencyText = ({ p50Us }) =>
  p50Us === null ? '' : `: half of its operations take ${micro(p50Us)} or less`;

/** The causes come before their effects: the first two say most. */
const MAIN_CAUSES = 2;

/** @param {Slower & {nearest: boolean}} slower @param {Context} context */
function slowerText({ cell, than, timesSlower, causes, explained, nearest }, { name }) {
  const slower = `${name(cell)} is ${times(timesSlower)} slower${nearest ? ` than ${name(than)}` : ''}`;
  if (causes.length === 0) return `${slower}, and the figures do not explain it.`;
  const reasons = causes.map(causeText).join('; ');
  return explained
    ? `${slower}: ${reasons}.`
    : `${slower}, which the figures explain only in part: ${reasons}.`;
}

/** @type {{[Kind in Cause['kind']]: (cause: Extract<Cause, {kind: Kind}>) => string}} */
const CAUSES = {
  placement: ({ pin, insteadOf, ratio }) =>
    `with --pin ${pin} instead of ${insteadOf} the same cell is ${times(ratio)} as fast`,
  'behind-company': ({ company, p50Us, againstP50Us }) =>
    `its operations wait behind ${company} on the same connection (half of them take ${duration(p50Us)} or more, instead of ${duration(againstP50Us)})`,
  farther: ({ roundTripUs, againstRoundTripUs }) =>
    `its server is farther away (fastest PING ${duration(roundTripUs)}, against ${duration(againstRoundTripUs)})`,
  'not-cached': ({ hitRate, againstHitRate }) =>
    `every command goes to the server${hitRate > 0 ? `, but for ${percent(hitRate)}` : ''}, and the other client answered ${percent(againstHitRate)} of its own out of its cache`,
  'opens-connections': () => 'it opens a connection for each operation',
  'smaller-batches': ({ commandsPerRead, againstCommandsPerRead }) =>
    `each read of the server brought ${plain(commandsPerRead)} commands instead of ${plain(againstCommandsPerRead)}`,
  cpu: ({ of, ratio, us, againstUs, code }) =>
    withParts(
      `${USERS[of]} used ${times(ratio)} the CPU ${of === 'client' ? 'an operation' : 'a command'} (${micro(us)} against ${micro(againstUs)})`,
      code,
    ),
  garbage: ({ share }) => `garbage collection took ${percent(share)} of the time`,
  'in-step': ({ tasks, commandsPerRead, ...busy }) =>
    `its ${tasks} tasks go in step on one connection (a read of the server brings ${plain(commandsPerRead)} commands), so that client and server take turns and neither is ever full: ${busyText(busy)}`,
  'fewer-under-way': ({ underWay, againstUnderWay, ...busy }) =>
    `it waits, with ${whole(underWay)} under way at most instead of ${whole(againstUnderWay)}: ${busyText(busy)}`,
  waiting: (busy) => `it waits: ${busyText(busy)}`,
};

/** Whose CPU it is. @type {Record<(Cause & {kind: 'cpu'})['of'], string>} */
const USERS = {
  client: 'the client',
  server: 'the server',
  'main-thread': "the server's main thread",
  'server-threads': 'the threads of the server, which also wait for each other at work,',
};

/** @param {string} used @param {CodeDifference} [code] missing where nothing was profiled */
function withParts(used, code) {
  const where = code === undefined ? '' : mainPartsText(code);
  return where === '' ? used : `${used}: ${where}`;
}

/** @param {{clientBusyShare: number, serverBusyShare: number}} busy */
const busyText = ({ clientBusyShare, serverBusyShare }) =>
  `the client was ${percent(clientBusyShare)} busy and the server ${percent(serverBusyShare)}`;

/** @param {Cause} cause */
const causeText = (cause) => CAUSES[cause.kind](/** @type {any} */ (cause));

/** @param {number} value */
const plain = (value) => value.toFixed(1);
