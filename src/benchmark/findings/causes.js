import { sum } from 'simple-statistics';
import { sameBut } from '../../axes/all-axes.js';
import { count, duration, micro, percent, said, tenths, times, whole } from '../../core/report/figures.js';
import { contrastFamily } from '../../core/statistics/contrasts.js';
import { samplesBy } from '../../core/store/metrics.js';
import { codeDifference } from '../judge/code-costs.js';
import { mainPartText } from '../report/words/code-words.js';

/** @import { Contrast } from '../../core/statistics/contrasts.js' */
/** @import { CellResult, Figures } from '../../core/store/types.js' */
/** @import { ContrastedGroup, MeasuredCell } from '../judge/compare-group.js' */
/** @import { Cause } from '../judge/types.js' */

/** @typedef {{cell: MeasuredCell, than: MeasuredCell}} Pair a slower cell, and a faster one */
/** @typedef {Partial<Record<keyof typeof COSTS, Contrast>>} Carried the significant differences */
/** @typedef {Pair & {group: ContrastedGroup, carried: Carried, timesSlower: number}} JudgedPair */

/** @template Found @typedef {NonNullable<Found> extends (infer Each)[] ? Each : NonNullable<Found>} One */

/**
 * Why a cell is slower than another, proven by a test of its own. `find`: its figures, or null where it does not apply;
 * `say`: behind `Why ioredis is slower:`, in few words.
 *
 * `times`: how many times slower it makes a cell by itself, where that is known; `multiplies`: in addition to the others, of which
 * the largest counts. `isRoot`: named before what follows from it; `alone`: next to it, others do not matter.
 * @template {string} Id @template Found
 * @param {{
 *   id: Id,
 *   find(pair: JudgedPair): Found,
 *   times?(figures: One<NoInfer<Found>>, pair: JudgedPair): number,
 *   multiplies?: boolean,
 *   isRoot?: boolean,
 *   alone?(pair: JudgedPair): boolean,
 *   say(figures: One<NoInfer<Found>>): string,
 * }} cause
 */
const cause = (cause) => cause;

/** In the order in which they are told; of several that stand alone, the first. */
export const CAUSES = /** @type {const} */ ([
  // The same cell is faster with the placement of the other.
  cause({
    id: 'placement',
    isRoot: true,
    find({ cell, than, group: { compared, between } }) {
      if (cell.pin === than.pin) return null;
      const rest = sameBut(['pin'], compared);
      const twin = compared.find((other) => other.pin === than.pin && rest(other) === rest(cell));
      const contrast = twin === undefined ? null : between(twin.id, cell.id);
      if (!contrast?.differs || contrast.ratio < NOTABLE) return null;
      return { pin: than.pin, insteadOf: cell.pin, ratio: contrast.ratio };
    },
    times: ({ ratio }) => ratio,
    say: ({ pin, ratio }) => `it is ${times(ratio)} as fast with --pin ${pin}`,
  }),
  // Then work and batches of the server do not compare.
  cause({
    id: 'not-cached',
    find({ cell, than }) {
      const [hitRate = null, againstHitRate] = [cell.summary.cacheHitRate, than.summary.cacheHitRate];
      if (againstHitRate == null || againstHitRate - (hitRate ?? 0) < 0.1) return null;
      return { hitRate, againstHitRate };
    },
    times: () => Number.POSITIVE_INFINITY,
    alone: () => true,
    say: ({ hitRate, againstHitRate }) =>
      hitRate === null
        ? `it has no cache, and that of the other answers ${percent(againstHitRate)} of commands`
        : `its cache answers ${percent(hitRate)} of commands instead of ${percent(againstHitRate)}`,
  }),
  // By the fastest PINGs to either server; not if either side has much to do. Less than 200 µs is lost in their noise.
  cause({
    id: 'farther',
    find({ cell: { roundTripUs = 0, summary }, than: { roundTripUs: againstRoundTripUs = 0 } }) {
      const isFarther = roundTripUs >= Math.max(NOTABLE * againstRoundTripUs, againstRoundTripUs + 200);
      const busy = Math.max(summary.bottleneck.clientBusy, summary.bottleneck.serverBusy ?? 0);
      if (!isFarther || againstRoundTripUs === 0 || busy >= MOSTLY_IDLE) return null;
      return { roundTripUs, againstRoundTripUs };
    },
    times: ({ roundTripUs, againstRoundTripUs }, { than }) =>
      roundTripUs / (than.summary.latency?.p50Us ?? againstRoundTripUs),
    alone: () => true,
    say: ({ roundTripUs, againstRoundTripUs }) =>
      `its server's fastest PING takes ${duration(roundTripUs)} instead of ${duration(againstRoundTripUs)}`,
  }),
  // By definition, on each connection; whether that matters shows in the times.
  cause({
    id: 'one-at-a-time',
    isRoot: true,
    find: oneAtATime,
    times: ({ underWay, againstUnderWay }) => againstUnderWay / underWay,
    alone: (pair) => bothWait(pair),
    say: ({ underWay, againstUnderWay, limit }) =>
      `it sends one command at a time on each connection (${limit}): ${whole(underWay)} in flight instead of ${whole(againstUnderWay)}`,
  }),
  // And the cell waits for round trips. CPU time does not matter if both mostly wait.
  cause({
    id: 'fewer-under-way',
    find(pair) {
      const fewer = oneAtATime(pair) === null ? fewerInFlight(pair) : null;
      return fewer && (bothWait(pair) || waitsMore(pair)) ? { ...fewer, ...idleShares(pair.cell) } : null;
    },
    times: ({ underWay, againstUnderWay }) => againstUnderWay / underWay,
    multiplies: true,
    alone: (pair) => bothWait(pair),
    say: ({ underWay, againstUnderWay }) =>
      `at most ${whole(underWay)} in flight instead of ${whole(againstUnderWay)}`,
  }),
  // Over a network opening takes round trips, and hardly anything else takes time. Elsewhere its CPU time says how much it costs.
  cause({
    id: 'opens-connections',
    isRoot: true,
    find: (pair) => (opensMore(pair) ? { connectionsPerCommand: openedBy(pair.cell) } : null),
    times: (_, { cell }) => (waitsFar(cell) ? Number.POSITIVE_INFINITY : 1),
    alone: ({ cell }) => waitsFar(cell),
    say: () => 'it opens a connection for each operation',
  }),
  // A way to code a request that waits for the server more often. On a local server the commands say more.
  cause({
    id: 'more-round-trips',
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
    times: (_, { carried }) => Number(carried.roundTrips?.ratio),
    alone: () => true,
    say: ({ perOp, againstPerOp, roundTripUs }) =>
      `${tenths(perOp)} round trips of ${duration(roundTripUs)} per operation instead of ${tenths(againstPerOp)}`,
  }),
  // A cluster has a command for the keys of each slot.
  cause({
    id: 'split-by-slot',
    isRoot: true,
    find({ cell, than }) {
      const commandsPerOp = commandsPerOpOf(cell);
      const nodes = cell.summary.server.nodes?.length ?? 0;
      const keys = cell.chosen?.workload.parameter?.count;
      const isSplit = cell.topology === 'cluster' && cell.way === 'mget' && commandsPerOp >= NOTABLE;
      return isSplit && than.way !== cell.way && keys > 1 ? { keys, commandsPerOp, nodes } : null;
    },
    say: ({ keys, commandsPerOp, nodes }) =>
      `its ${whole(keys)} keys were ${tenths(commandsPerOp)} commands on ${count(nodes, 'node')}`,
  }),
  // Commands are counted, so no test is needed.
  cause({
    id: 'more-commands',
    isRoot: true,
    find(pair) {
      const [commandsPerOp, againstCommandsPerOp] = [pair.cell, pair.than].map(commandsPerOpOf);
      if (commandsPerOp < NOTABLE * againstCommandsPerOp || opensMore(pair)) return null;
      return { commandsPerOp, againstCommandsPerOp };
    },
    say: ({ commandsPerOp, againstCommandsPerOp }) =>
      `${whole(commandsPerOp)} commands per operation instead of ${whole(againstCommandsPerOp)}`,
  }),
  cause({
    id: 'smaller-batches',
    isRoot: true,
    find(pair) {
      if (!(Number(pair.carried.batching?.ratio) <= 1 / NOTABLE) || opensMore(pair)) return null;
      const [commandsPerRead, againstCommandsPerRead] = costsOf('batching', pair);
      return { commandsPerRead, againstCommandsPerRead };
    },
    say: ({ commandsPerRead, againstCommandsPerRead }) =>
      `${tenths(commandsPerRead)} commands per server read instead of ${tenths(againstCommandsPerRead)}`,
  }),
  // Part of the CPU time: what is left without the difference.
  cause({
    id: 'encoding',
    find(pair) {
      if (!(Number(pair.carried.encoding?.ratio) >= NOTABLE)) return null;
      const [us, againstUs] = costsOf('encoding', pair);
      return { us, againstUs };
    },
    times({ us, againstUs }, { cell }) {
      const cpuUs = Number(cell.summary.client.cpuUsPerOp);
      return isMostlyIdle(cell) ? 1 : cpuUs / Math.max(againstUs, cpuUs - (us - againstUs));
    },
    say: ({ us, againstUs }) =>
      `encoding and decoding took ${micro(us)} per operation instead of ${micro(againstUs)}`,
  }),
  // Of the client per operation, of the server per command: of its main thread where only the other has several.
  cause({
    id: 'cpu',
    find(pair) {
      const [hasThreads, others] = [pair.cell, pair.than].map(
        ({ summary }) => summary.bottleneck.serverThreads !== undefined,
      );
      const ofThreads = hasThreads ? cpuOf('server-threads', 'serverThreads', pair) : [];
      const ofServer =
        ofThreads.length > 0
          ? ofThreads
          : cpuOf(hasThreads || others ? 'main-thread' : 'server', 'serverCpu', pair);
      return [...cpuOf('client', 'clientCpu', pair), ...ofServer];
    },
    // CPU time of a server that is not the limit slows nothing down. Threads that wait for each other leave no visible limit.
    times({ of, ratio }, { cell }) {
      const { limit } = cell.summary.bottleneck;
      const slows = of === 'client' || limit === 'server' || (of === 'server-threads' && limit === null);
      return slows ? ratio : 1;
    },
    say: (found) => differenceText(found),
  }),
  // Waking another processor is work of the writer, so the client takes more CPU as well.
  cause({
    id: 'server-sleeps',
    find(pair) {
      const { sleeps, clientCpu } = pair.carried;
      if (![sleeps, clientCpu].every((carried) => Number(carried?.ratio) >= NOTABLE)) return null;
      const [sleepsPerCommand, againstSleepsPerCommand] = costsOf('sleeps', pair);
      if (sleepsPerCommand - againstSleepsPerCommand < 0.1) return null;
      return { sleepsPerCommand, againstSleepsPerCommand };
    },
    say: ({ sleepsPerCommand, againstSleepsPerCommand }) =>
      `the server is woken ${sleepsPerCommand.toFixed(2)} times per command instead of ${againstSleepsPerCommand.toFixed(2)}`,
  }),
  cause({
    id: 'garbage',
    find({ cell, carried }) {
      const good = cell.runs.filter((run) => run.client !== null && run.elapsedMs);
      const share =
        sum(good.map(({ client }) => Number(client?.gcPauseMs))) /
        sum(good.map(({ elapsedMs }) => Number(elapsedMs)));
      return Number(carried.garbage?.ratio) < 1 && share >= 0.1 ? { share } : null;
    },
    say: ({ share }) => `garbage collection took ${percent(share)} of the time`,
  }),
  // Commands that arrive in one read are answered in one write: client and server alternate, and neither is saturated.
  cause({
    id: 'in-step',
    find(pair) {
      const inStep = lockstepOf(pair.cell);
      if (inStep === null || !waitsMore(pair) || fewerInFlight(pair)) return null;
      return { ...inStep, ...idleShares(pair.cell) };
    },
    times: (_, pair) => timesIdle(pair),
    multiplies: true,
    say: ({ tasks, clientBusyShare, serverBusyShare }) =>
      `its ${tasks} tasks run in lockstep: client ${percent(clientBusyShare)} busy, server ${percent(serverBusyShare)}`,
  }),
  // Neither side is saturated, and the figures do not show more.
  cause({
    id: 'waiting',
    find: (pair) =>
      waitsMore(pair) && !fewerInFlight(pair) && lockstepOf(pair.cell) === null
        ? idleShares(pair.cell)
        : null,
    times: (_, pair) => timesIdle(pair),
    multiplies: true,
    say: ({ clientBusyShare, serverBusyShare }) =>
      `it waits: client ${percent(clientBusyShare)} busy, server ${percent(serverBusyShare)}`,
  }),
]);

/** @param {Pair} pair */
const bothWait = ({ cell, than }) => isMostlyIdle(cell) && isMostlyIdle(than);

/** A cell with more connections per command opens them as part of its work. */
const OPENS = 0.01;

/** @param {Pair} pair */
const opensMore = ({ cell, than }) => openedBy(cell) > OPENS && openedBy(than) <= OPENS;

/** @param {MeasuredCell} cell */
const openedBy = ({ summary: { server } }) => (server.connections ?? 0) / (server.commands ?? 1);

/** @param {MeasuredCell} cell */
const waitsFar = (cell) => Number(cell.distance?.rttMs) > 0 && isMostlyIdle(cell);

const USERS = {
  client: 'client CPU per operation',
  server: 'server CPU per command',
  'main-thread': "the server's main thread per command",
  'server-threads': 'CPU in all server threads per command',
};

/** @param {keyof typeof USERS} of @param {'clientCpu' | 'serverCpu' | 'serverThreads'} cost @param {JudgedPair} pair */
function cpuOf(of, cost, pair) {
  const { ratio } = pair.carried[cost] ?? { ratio: 1 };
  if (ratio < NOTABLE) return [];
  const [us, againstUs] = costsOf(cost, pair);
  const code = of === 'client' ? codeDifference(pair.cell, pair.than) : null;
  return [{ of, ratio, us, againstUs, ...(code && { code }) }];
}

/**
 * The CPU time in which they differ most, where no test shows that any difference is more than chance.
 * @param {Pair} pair @returns {{of: 'client' | 'server', us: number, againstUs: number} | null} null if none is notable
 */
export function largestDifference(pair) {
  const found = /** @type {const} */ (['clientCpu', 'serverCpu']).flatMap((cost) => {
    const [us, againstUs] = costsOf(cost, pair);
    const isNotable = againstUs > 0 && us >= NOTABLE * againstUs && isComparable(cost, pair.cell, pair.than);
    const of = /** @type {'client' | 'server'} */ (cost === 'clientCpu' ? 'client' : 'server');
    return isNotable ? [{ of, us, againstUs }] : [];
  });
  const [largest = null] = found.toSorted((a, b) => b.us / b.againstUs - a.us / a.againstUs);
  return largest;
}

/** In words. @param {{of: keyof typeof USERS, us: number, againstUs: number}} difference */
export const differenceText = ({ of, us, againstUs }) =>
  `${micro(us)} of ${USERS[of]} instead of ${micro(againstUs)}`;

/** What `--details` adds: whose code it is. @param {Cause} cause */
export const codeOf = (cause) => ('code' in cause && cause.code ? said([mainPartText(cause.code)]) : []);

/** Smaller ratios are not worth a sentence. */
const NOTABLE = 1.25;

/** What a slower cell may cost more. @satisfies {Record<string, (figures: Figures, cell: MeasuredCell) => number | null | undefined>} */
const COSTS = {
  clientCpu: ({ client }) => client?.cpuUsPerOp,
  serverCpu: ({ server }) => server?.cpuUsPerCommand,
  serverThreads: ({ server }) => server?.allThreadsCpuUsPerCommand,
  batching: ({ server }) => server?.commandsPerRead,
  sleeps: ({ server }) => server?.sleepsPerCommand,
  encoding: ({ client }) => client?.encodeUsPerOp,
  // Ways to code a request differ in how often they wait for the server.
  roundTrips: ({ latency }, cell) =>
    latency && cell.way !== undefined && roundTripUsOf(cell) > 0 ? latency.p50Us / roundTripUsOf(cell) : null,
  busy: ({ client, server }) =>
    client && Math.max(client.eventLoopUtilization, server?.busiestNodeUtilization ?? 0),
  // The rest of the time: most runs collect no garbage, and 0 has no ratio.
  garbage: ({ client, elapsedMs }) => client && elapsedMs && 1 - Number(client.gcPauseMs) / elapsedMs,
};

/** 0 if unknown and no distance was set. @param {CellResult} cell */
export const roundTripUsOf = ({ roundTripUs = 0, distance }) => roundTripUs + (distance?.rttMs ?? 0) * 1000;

/** Figures that a test has compared. @param {keyof typeof COSTS} name @param {Pair} pair @returns {number[]} */
const costsOf = (name, { cell, than }) => [cell, than].map((each) => Number(COSTS[name](each.summary, each)));

/**
 * What the slower cells of a group cost more than the faster ones: all costs of all pairs are one family.
 * @param {Pair[]} pairs @param {ContrastedGroup} group @returns {JudgedPair[]}
 */
export function judgePairs(pairs, group) {
  const names = /** @type {(keyof typeof COSTS)[]} */ (Object.keys(COSTS));
  const contrasts = contrastFamily(
    names.map((name) => ({
      pairs: pairs.map(({ cell, than }) => [cell, than]),
      // 0 has no ratio.
      of: (/** @type {MeasuredCell} */ cell) =>
        samplesBy(cell.runs, (run) => COSTS[name](run, cell)).filter(({ value }) => value > 0),
    })),
  );
  return pairs.map(({ cell, than }) => {
    const carried = names.flatMap((name, index) => {
      const contrast = contrasts[index].between(cell, than);
      return contrast?.differs && isComparable(name, cell, than) ? [[name, contrast]] : [];
    });
    const timesSlower =
      group.between(than.id, cell.id)?.ratio ?? than.summary.opsPerSecond / cell.summary.opsPerSecond;
    return { cell, than, group, carried: Object.fromEntries(carried), timesSlower };
  });
}

const PER_COMMAND = ['serverCpu', 'serverThreads', 'batching', 'sleeps'];

/**
 * One command for 20 keys costs the server more than one for a single key.
 * @param {string} cost @param {MeasuredCell} cell @param {MeasuredCell} than
 */
function isComparable(cost, cell, than) {
  const ratio = commandsPerOpOf(cell) / commandsPerOpOf(than);
  return (ratio < NOTABLE && ratio > 1 / NOTABLE) || !PER_COMMAND.includes(cost);
}

/** 1 without ways to code a request. @param {MeasuredCell} cell @returns {number} */
const commandsPerOpOf = ({ way, runs }) =>
  way === undefined
    ? 1
    : sum(runs.map(({ commands }) => commands)) / sum(runs.map(({ operations }) => operations));

/** @param {MeasuredCell} cell @returns {number | null} operations in flight at most; null in an open loop, and in older files */
export function mostInFlight({ underWay, openLoop, iterations, processes }) {
  if (openLoop !== null || underWay == null) return null;
  // A batch has no more operations than the run.
  const batch = Math.min(underWay.batch, iterations ?? underWay.batch);
  return underWay.atOnce * batch * processes;
}

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

/** @param {Pair} pair @returns {{underWay: number, againstUnderWay: number} | null} null if not notably fewer */
function fewerInFlight({ cell, than }) {
  const [underWay, againstUnderWay] = [mostInFlight(cell), mostInFlight(than)];
  if (underWay === null || againstUnderWay === null || againstUnderWay / underWay < NOTABLE) return null;
  return cell.summary.bottleneck.serverBusy === null ? null : { underWay, againstUnderWay };
}

/** What lets it send one command at a time: an option of its client, or its pipelining. @param {Pair} pair */
function oneAtATime({ cell, than }) {
  const fewer = fewerInFlight({ cell, than });
  const takesTurns = cell.pipelining !== than.pipelining && mostInFlight(cell) === cell.connections;
  const limit = cell.underWay?.limit ?? (takesTurns ? `--pipelining ${cell.pipelining}` : null);
  return fewer === null || limit === null ? null : { ...fewer, limit };
}

/** If neither side is busier, throughput depends on what is in flight. */
const MOSTLY_IDLE = 0.5;

/** @param {MeasuredCell} cell */
const isMostlyIdle = ({ summary: { bottleneck } }) =>
  bottleneck.limit === 'round-trips' &&
  Math.max(bottleneck.clientBusy, bottleneck.serverBusy ?? 1) < MOSTLY_IDLE;

/**
 * Whether it spends more of its time in round trips. A cell that is as busy as the other waits no longer, however many may be in
 * flight. @param {JudgedPair} pair
 */
const waitsMore = ({ cell, carried: { busy } }) =>
  cell.summary.bottleneck.limit === 'round-trips' &&
  cell.summary.bottleneck.serverBusy !== null &&
  busy !== undefined &&
  busy.ratio < 1;

/** How much longer an operation takes than the busier side works for it, over the same of the other. @param {Pair} pair */
const timesIdle = ({ cell, than }) => idle(cell) / idle(than);

/** At least 1. @param {MeasuredCell} cell */
const idle = ({ summary: { bottleneck } }) =>
  1 / Math.max(bottleneck.clientBusy + (bottleneck.appBusy ?? 0), bottleneck.serverBusy ?? 0, 0.01);

/** @param {MeasuredCell} cell @returns {{clientBusyShare: number, serverBusyShare: number}} */
const idleShares = ({ summary: { bottleneck } }) => ({
  clientBusyShare: bottleneck.clientBusy,
  serverBusyShare: Number(bottleneck.serverBusy),
});
