import { sameBut } from '../../../axes/all-axes.js';
import { sum } from '../../../descriptive-statistics.js';
import {
  count,
  duration,
  kilobytes,
  micro,
  percent,
  said,
  tenths,
  times,
  whole,
} from '../../../report/figures.js';
import { codeDifference } from '../judge/code-costs.js';
import {
  bytesPerOpOf,
  commandsPerOpOf,
  costsOf,
  isLonger,
  mostInFlight,
  NOTABLE,
  roundTripUsOf,
} from '../judge/pair-costs.js';
import { mainPartText } from './code-words.js';

/** @import { MeasuredCell } from '../judge/compare-group.js' */
/** @import { JudgedPair, Pair } from '../judge/pair-costs.js' */
/** @import { CauseRow } from './definitions.js' */
/** @import { Cause, Causes, CpuFigures, Slower } from './types.js' */

/** Causes that explain less of the difference are none: it would be there without them. */
export const NAMED = 1 / 3;

const ALL = () => Number.POSITIVE_INFINITY;

/** Less does not show why garbage takes longer. */
const MUCH_MORE = 1.25;

/**
 * The first of several that stand alone, or explain as much, counts; roots take their time in this order.
 * @type {{[Kind in keyof Causes]: CauseRow<Kind>}[keyof Causes][]}
 */
export const CAUSES = [
  {
    id: 'placement',
    isRoot: true,
    // The same cell is faster with the placement of the other.
    find({ cell, than, group: { compared, between } }) {
      if (cell.pin === than.pin) return null;
      const rest = sameBut(['pin'], compared);
      const twin = compared.find((other) => other.pin === than.pin && rest(other) === rest(cell));
      const contrast = twin === undefined ? null : between(twin.id, cell.id);
      if (!contrast?.differs || contrast.ratio < NOTABLE) return null;
      return { pin: than.pin, insteadOf: cell.pin, ratio: contrast.ratio };
    },
    us: ({ ratio }, { time }) => time.cell.all * (1 - 1 / ratio),
    say: ({ pin, ratio }) => `it is ${times(ratio)} as fast with --pin ${pin}`,
  },
  {
    id: 'not-cached',
    find({ cell, than }) {
      const [hitRate = null, againstHitRate] = [cell, than].map(({ summary }) => summary.cacheHitRate);
      return againstHitRate == null || againstHitRate - (hitRate ?? 0) < 0.1
        ? null
        : { hitRate, againstHitRate };
    },
    us: ALL,
    // Work and batches of the server do not compare then.
    alone: () => true,
    say: ({ hitRate, againstHitRate }) =>
      hitRate === null
        ? `it has no cache, and that of the other answers ${percent(againstHitRate)} of commands`
        : `its cache answers ${percent(hitRate)} of commands instead of ${percent(againstHitRate)}`,
  },
  {
    id: 'farther',
    // The fastest PINGs say so, unless either side has much to do. Less than 200 µs is lost in their noise.
    find({ cell, than }) {
      const [roundTripUs = 0, againstRoundTripUs = 0] = [cell.roundTripUs, than.roundTripUs];
      const isFarther = roundTripUs >= Math.max(NOTABLE * againstRoundTripUs, againstRoundTripUs + 200);
      const isKnown = isFarther && againstRoundTripUs > 0 && busyOf(cell) < MOSTLY_IDLE;
      return isKnown ? { roundTripUs, againstRoundTripUs } : null;
    },
    us: ALL,
    alone: () => true,
    say: ({ roundTripUs, againstRoundTripUs }) =>
      `its server's fastest PING takes ${duration(roundTripUs)} instead of ${duration(againstRoundTripUs)}`,
  },
  {
    id: 'one-at-a-time',
    isRoot: true,
    // It does so by definition, and whether that matters shows in the times.
    find: oneAtATime,
    us: fewerUs,
    alone: bothWait,
    say: ({ inFlight, againstUnderWay, limit }) =>
      `it sends one command at a time on each connection (${limit}): ${whole(inFlight)} in flight instead of ${whole(againstUnderWay)}`,
  },
  {
    id: 'fewer-in-flight',
    isRoot: true,
    find(pair) {
      const fewer = oneAtATime(pair) === null ? fewerInFlight(pair) : null;
      return fewer && (bothWait(pair) || waitsMore(pair)) ? { ...fewer, ...idleShares(pair.cell) } : null;
    },
    us: (figures, pair) =>
      Math.min(fewerUs(figures, pair), bothWait(pair) ? Number.POSITIVE_INFINITY : pair.more.waiting),
    // CPU time does not matter if both mostly wait.
    alone: bothWait,
    say: ({ inFlight, againstUnderWay }) =>
      `at most ${whole(inFlight)} in flight instead of ${whole(againstUnderWay)}`,
  },
  {
    id: 'opens-connections',
    isRoot: true,
    find: (pair) => (opensMore(pair) ? { connectionsPerCommand: openedBy(pair.cell) } : null),
    us: ALL,
    // Over a network it takes round trips, and hardly anything else takes time.
    alone: ({ cell }) => Number(cell.distance?.rttMs) > 0 && isMostlyIdle(cell),
    say: () => 'it opens a connection for each operation',
  },
  {
    id: 'more-round-trips',
    // A way to code a request waits for the server more often. On a local server the commands say more.
    find(pair) {
      const { cell, than, carried } = pair;
      const roundTripUs = roundTripUsOf(cell);
      if (cell.way === than.way || !isMostlyIdle(cell) || fewerInFlight(pair)) return null;
      if (!(Number(carried.roundTrips?.ratio) >= NOTABLE) || roundTripUs < 200) return null;
      // What an operation takes longer than a round trip for each of its commands, it waits for something else.
      const [perOp, againstPerOp] = costsOf('roundTrips', pair).map((measured, place) =>
        Math.min(measured, commandsPerOpOf([cell, than][place])),
      );
      return { perOp, againstPerOp, roundTripUs };
    },
    us: ALL,
    alone: () => true,
    say: ({ perOp, againstPerOp, roundTripUs }) =>
      `${tenths(perOp)} round trips of ${duration(roundTripUs)} per operation instead of ${tenths(againstPerOp)}`,
  },
  {
    id: 'split-by-slot',
    isRoot: true,
    // A cluster has a command for the keys of each slot.
    find({ cell, than }) {
      const commandsPerOp = commandsPerOpOf(cell);
      const nodes = cell.summary.server.nodes?.length ?? 0;
      const { count: keys = 0 } = /** @type {{count?: number}} */ (cell.chosen?.workload.parameter ?? {});
      const isSplit = cell.topology === 'cluster' && cell.way === 'mget' && commandsPerOp >= NOTABLE;
      return isSplit && than.way !== cell.way && keys > 1 ? { keys, commandsPerOp, nodes } : null;
    },
    us: ({ commandsPerOp }, { time }) => time.cell.all * (1 - 1 / commandsPerOp),
    say: ({ keys, commandsPerOp, nodes }) =>
      `its ${whole(keys)} keys were ${tenths(commandsPerOp)} commands on ${count(nodes, 'node')}`,
  },
  {
    id: 'more-commands',
    isRoot: true,
    // They are counted, so no test is needed.
    find(pair) {
      const [commandsPerOp, againstCommandsPerOp] = [pair.cell, pair.than].map(commandsPerOpOf);
      const isMore = commandsPerOp >= NOTABLE * againstCommandsPerOp && !opensMore(pair);
      return isMore ? { commandsPerOp, againstCommandsPerOp } : null;
    },
    // Twice as many take twice the time at most.
    us: ({ commandsPerOp, againstCommandsPerOp }, { time }) =>
      time.than.all * (commandsPerOp / againstCommandsPerOp - 1),
    say: ({ commandsPerOp, againstCommandsPerOp }) =>
      `${fewOrWhole(commandsPerOp)} commands per operation instead of ${fewOrWhole(againstCommandsPerOp)}`,
  },
  {
    id: 'more-bytes',
    isRoot: true,
    // They are counted, so no test is needed.
    find({ cell, than }) {
      const [bytesPerOp, againstBytesPerOp] = [cell, than].map(bytesPerOpOf);
      return bytesPerOp >= NOTABLE * againstBytesPerOp ? { bytesPerOp, againstBytesPerOp } : null;
    },
    us: ({ bytesPerOp, againstBytesPerOp }) => (bytesPerOp - againstBytesPerOp) * US_PER_BYTE,
    say: ({ bytesPerOp, againstBytesPerOp }) =>
      `${kilobytes(bytesPerOp)} sent and received per operation instead of ${kilobytes(againstBytesPerOp)}`,
  },
  {
    id: 'smaller-batches',
    isRoot: true,
    // A client that is busier has fewer commands to send at once, so they are a cause only where something else makes them small.
    find(pair) {
      const { cell, than, carried } = pair;
      const isMade = cell.connections !== than.connections || cell.pipelining !== than.pipelining;
      if (!isMade || !(Number(carried.batching?.ratio) <= 1 / NOTABLE) || opensMore(pair)) return null;
      const [commandsPerRead, againstCommandsPerRead] = costsOf('batching', pair);
      return { commandsPerRead, againstCommandsPerRead };
    },
    // A read more costs less than an operation of the faster cell, which may have one each.
    us({ commandsPerRead, againstCommandsPerRead }, pair) {
      const { than, time, more } = pair;
      const readsPerOp = commandsPerOpOf(than) * (1 / commandsPerRead - 1 / againstCommandsPerRead);
      return Math.min(readsPerOp * (time.than.all - time.than.waiting), more.code + serverUs(pair));
    },
    say: ({ commandsPerRead, againstCommandsPerRead }) =>
      `${tenths(commandsPerRead)} commands per server read instead of ${tenths(againstCommandsPerRead)}`,
  },
  {
    id: 'cpu',
    find(pair) {
      const [hasThreads, others] = [pair.cell, pair.than].map(usesThreads);
      const ofThreads = hasThreads ? cpuOf('server-threads', 'serverThreads', pair) : [];
      // Where only the other has several, its main thread is compared.
      const whose = hasThreads || others ? 'main-thread' : 'server';
      const ofServer = ofThreads.length > 0 ? ofThreads : cpuOf(whose, 'serverCpu', pair);
      return [...cpuOf('client', 'clientCpu', pair), ...ofServer];
    },
    us: ({ of }, pair) => (of === 'client' ? clientUs(pair) : serverUs(pair)),
    say: (found) => differenceText(found),
  },
  {
    id: 'encoding',
    find(pair) {
      if (!standsOut('encoding', pair)) return null;
      const [us, againstUs] = costsOf('encoding', pair);
      return { us, againstUs };
    },
    us: (_, { more }) => more.encoding,
    say: ({ us, againstUs }) =>
      `encoding and decoding took ${micro(us)} per operation instead of ${micro(againstUs)}`,
  },
  {
    id: 'garbage',
    find(pair) {
      if (!standsOut('garbage', pair)) return null;
      const { cell, than, time } = pair;
      const [bytesPerOp, againstBytesPerOp] = [cell, than].map(({ summary: { client } }) =>
        Number(client.allocatedBytesPerOp),
      );
      return { us: time.cell.garbage, againstUs: time.than.garbage, bytesPerOp, againstBytesPerOp };
    },
    us: (_, { more }) => more.garbage,
    say: ({ us, againstUs, bytesPerOp, againstBytesPerOp }) =>
      `garbage took ${micro(us)} per operation instead of ${micro(againstUs)}${
        bytesPerOp < MUCH_MORE * againstBytesPerOp
          ? ''
          : ` (${kilobytes(bytesPerOp)} allocated instead of ${kilobytes(againstBytesPerOp)})`
      }`,
  },
  {
    id: 'unread',
    // In every slice of its pass for longer than in any of the other's.
    find({ cell, than }) {
      const [own, others] = [cell, than].map(({ summary }) => unreadIn(summary.breakdown));
      const { unreadUs, wholeUs } = cell.summary.breakdown?.p50 ?? {};
      const isLonger = own.length > 0 && others.length > 0 && Math.min(...own) > Math.max(...others);
      if (!isLonger || unreadUs == null || wholeUs === undefined) return null;
      return { unreadUs, againstUnreadUs: Number(than.summary.breakdown?.p50.unreadUs), wholeUs };
    },
    // While one reply waits, its process handles others: where that takes more CPU, it follows from that.
    us({ unreadUs, againstUnreadUs }, pair) {
      const us = (unreadUs - againstUnreadUs) / (pair.cell.tasks * pair.cell.processes);
      return isLonger('clientCpu', pair) ? Math.min(us, clientUs(pair)) : us;
    },
    say: ({ unreadUs, wholeUs }) => `its replies lie unread for ${durations(unreadUs, wholeUs)}`,
  },
  {
    id: 'lockstep',
    // Commands that arrive in one read are answered in one write: client and server alternate, and neither is saturated.
    find(pair) {
      const inStep = lockstepOf(pair.cell);
      return inStep && waitsIdly(pair) ? { ...inStep, ...idleShares(pair.cell) } : null;
    },
    us: idleUs,
    say: ({ tasks, clientBusyShare, serverBusyShare }) =>
      `its ${tasks} tasks run in lockstep: client ${percent(clientBusyShare)} busy, server ${percent(serverBusyShare)}`,
  },
  {
    id: 'waiting',
    find: (pair) => (waitsIdly(pair) && lockstepOf(pair.cell) === null ? idleShares(pair.cell) : null),
    us: idleUs,
    say: ({ clientBusyShare, serverBusyShare }) =>
      `it waits: client ${percent(clientBusyShare)} busy, server ${percent(serverBusyShare)}`,
  },
];

/** @param {MeasuredCell['summary']['breakdown']} breakdown @returns {number[]} µs of each slice */
const unreadIn = (breakdown) => breakdown?.slices.flatMap(({ p50 }) => p50.unreadUs ?? []) ?? [];

/** @param {number} us @param {number} ofUs */
const durations = (us, ofUs) => `${duration(us)} of ${duration(ofUs)}`;

/** @param {{inFlight: number, againstUnderWay: number}} figures @param {JudgedPair} pair */
function fewerUs({ inFlight, againstUnderWay }, { time }) {
  return time.than.all * (againstUnderWay / inFlight - 1);
}

/** With ioredis and node-redis, GET and SET of 10 and 100 kB took 0.6 to 1.4 ns of client and server for each byte. */
const US_PER_BYTE = 0.002;

/** @param {number} number */
const fewOrWhole = (number) => (Number(number.toFixed(1)) % 1 === 0 ? whole(number) : tenths(number));

/** @param {'garbage' | 'encoding'} part @param {JudgedPair} pair */
const standsOut = (part, pair) =>
  isLonger(part, pair) && pair.more[part] >= NAMED * pair.moreUs && pair.more[part] > pair.more.code;

/** Parts of the client's CPU that may be a cause of their own. @type {('garbage' | 'encoding')[]} */
const OWN_PARTS = ['garbage', 'encoding'];

/** Garbage and encoding that do not stand out are part of it; it is not more than its CPU time differs. @param {JudgedPair} pair @returns {number} µs */
function clientUs(pair) {
  const parts = OWN_PARTS.filter((part) => !standsOut(part, pair));
  const [us, againstUs] = costsOf('clientCpu', pair);
  return Math.min(us - againstUs, pair.more.code + sum(parts.map((part) => pair.more[part])));
}

/** @param {MeasuredCell} cell */
const usesThreads = ({ summary }) => summary.bottleneck.serverThreads !== undefined;

/** @param {JudgedPair} pair @returns {number} µs; 0 if no test carries it */
function serverUs(pair) {
  if (isLonger('serverThreads', pair) && usesThreads(pair.cell)) return serverUsIn('serverThreads', pair);
  return isLonger('serverCpu', pair) ? serverUsIn('serverCpu', pair) : 0;
}

/** The server's CPU matters only while the client waits. @param {'serverCpu' | 'serverThreads'} cost @param {JudgedPair} pair */
function serverUsIn(cost, pair) {
  const [us, againstUs] = costsOf(cost, pair);
  const more = us * commandsPerOpOf(pair.cell) - againstUs * commandsPerOpOf(pair.than);
  return Math.max(0, Math.min(pair.more.waiting, more));
}

/** @param {Pair} pair */
function bothWait({ cell, than }) {
  return isMostlyIdle(cell) && isMostlyIdle(than);
}

/** A cell with more connections per command opens them as part of its work. */
const OPENS = 0.01;

/** @param {Pair} pair */
const opensMore = ({ cell, than }) => openedBy(cell) > OPENS && openedBy(than) <= OPENS;

/** @param {MeasuredCell} cell */
const openedBy = ({ summary: { server } }) => (server.connections ?? 0) / (server.commands ?? 1);

const USERS = {
  client: 'client CPU per operation',
  server: 'server CPU per command',
  'main-thread': "the server's main thread per command",
  'server-threads': 'CPU in all server threads per command',
};

/** @type {(of: CpuFigures['of'], cost: 'clientCpu' | 'serverCpu' | 'serverThreads', pair: JudgedPair) => Causes['cpu'][]} */
function cpuOf(of, cost, pair) {
  if (!isLonger(cost, pair)) return [];
  const [us, againstUs] = costsOf(cost, pair);
  const code = of === 'client' ? codeDifference(pair.cell, pair.than) : null;
  return [{ of, us, againstUs, ...(code && { code }) }];
}

/**
 * The CPU time that explains most, where no test shows that any difference is more than chance.
 * @type {(pair: JudgedPair, leastUs: number) => NonNullable<Slower['unproven']> | null} null if none explains as much
 */
export function largestDifference(pair, leastUs) {
  const ofClient = clientUs(pair);
  const ofServer = serverUsIn('serverCpu', pair);
  // A server may not tell its own.
  const isClient = !(ofServer > ofClient);
  if (!((isClient ? ofClient : ofServer) >= leastUs)) return null;
  const [us, againstUs] = costsOf(isClient ? 'clientCpu' : 'serverCpu', pair);
  return { of: isClient ? 'client' : 'server', us, againstUs };
}

/** @param {CpuFigures} difference */
export const differenceText = ({ of, us, againstUs }) =>
  `${micro(us)} of ${USERS[of]} instead of ${micro(againstUs)}`;

/** @param {Cause} cause */
export const codeOf = (cause) => ('code' in cause && cause.code ? said([mainPartText(cause.code)]) : []);

/** With this share of all that can be in flight, a read has commands of all tasks. */
const NEARLY_ALL = 0.75;

/** In lockstep all tasks get their replies together and send together: a read has a command of nearly each. @param {MeasuredCell} cell */
function lockstepOf(cell) {
  const { tasks, processes, connections, summary } = cell;
  const commandsPerRead = summary.server.commandsPerRead;
  const inFlight = mostInFlight(cell);
  if (commandsPerRead === null || inFlight === null || connections !== processes) return null;
  if (tasks < 2 || inFlight < tasks || commandsPerRead < NEARLY_ALL * (inFlight / processes)) return null;
  return { tasks, commandsPerRead };
}

/** @param {Pair} pair @returns {{inFlight: number, againstUnderWay: number} | null} null if not notably fewer */
function fewerInFlight({ cell, than }) {
  const [inFlight, againstUnderWay] = [mostInFlight(cell), mostInFlight(than)];
  if (inFlight === null || againstUnderWay === null || againstUnderWay / inFlight < NOTABLE) return null;
  return cell.summary.bottleneck.serverBusy === null ? null : { inFlight, againstUnderWay };
}

/** `limit`: an option of its client, or its pipelining. @param {Pair} pair */
function oneAtATime({ cell, than }) {
  const fewer = fewerInFlight({ cell, than });
  const takesTurns = cell.pipelining !== than.pipelining && mostInFlight(cell) === cell.connections;
  const limit = cell.inFlight?.limit ?? (takesTurns ? `--pipelining ${cell.pipelining}` : null);
  return fewer === null || limit === null ? null : { ...fewer, limit };
}

/** If neither side is busier, throughput depends on what is in flight. */
const MOSTLY_IDLE = 0.5;

/** @param {MeasuredCell} cell */
const isMostlyIdle = ({ summary: { bottleneck } }) =>
  bottleneck.limit === 'round-trips' &&
  Math.max(bottleneck.clientBusy, bottleneck.serverBusy ?? 1) < MOSTLY_IDLE;

/** @param {MeasuredCell} cell */
const busyOf = ({ summary: { bottleneck } }) => Math.max(bottleneck.clientBusy, bottleneck.serverBusy ?? 0);

/** Whether it waits longer, with time to spare on both sides, and more of it than the other. @param {JudgedPair} pair */
const waitsMore = (pair) =>
  isLonger('waiting', pair) &&
  HAVE_TIME.includes(pair.cell.summary.bottleneck.limit) &&
  pair.cell.summary.bottleneck.serverBusy !== null &&
  busyOf(pair.cell) < Math.max(MOSTLY_IDLE, busyOf(pair.than));

/** @param {JudgedPair} pair */
const waitsIdly = (pair) => waitsMore(pair) && fewerInFlight(pair) === null;

/** @param {unknown} _ @param {JudgedPair} pair */
function idleUs(_, pair) {
  return pair.more.waiting - serverUs(pair);
}

/** What other programs took is no part of the time. @type {MeasuredCell['summary']['bottleneck']['limit'][]} */
const HAVE_TIME = ['round-trips', 'processor'];

/** @param {MeasuredCell} cell */
const idleShares = ({ summary: { bottleneck } }) => ({
  clientBusyShare: bottleneck.clientBusy,
  serverBusyShare: Number(bottleneck.serverBusy),
});
