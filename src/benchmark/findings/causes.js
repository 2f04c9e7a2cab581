import { sum } from 'simple-statistics';
import { sameBut } from '../../axes/all-axes.js';
import { duration, micro, percent, said, tenths, times, whole } from '../../core/report/figures.js';
import { codeDifference } from '../../why/code-costs.js';
import { mainPartText } from '../../why/code-words.js';
import {
  commandsPerOpOf,
  costsOf,
  fewerInFlight,
  idleShares,
  isMostlyIdle,
  lockstepOf,
  MOSTLY_IDLE,
  NOTABLE,
  roundTripUsOf,
  timesIdle,
  waitsMore,
} from '../judge/costs.js';

/** @import { MeasuredCell } from '../judge/compare-group.js' */
/** @import { Cause } from '../judge/types.js' */
/** @import { JudgedPair, Pair } from '../judge/costs.js' */

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
      const [hitRate, againstHitRate] = [cell.summary.cacheHitRate ?? 0, than.summary.cacheHitRate ?? 0];
      return againstHitRate - hitRate < 0.1 ? null : { hitRate, againstHitRate };
    },
    times: () => Number.POSITIVE_INFINITY,
    alone: () => true,
    say: ({ hitRate, againstHitRate }) =>
      `its cache answers ${percent(hitRate)} of commands instead of ${percent(againstHitRate)}`,
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
  // And the cell waits for round trips. CPU time does not matter if both mostly wait.
  cause({
    id: 'fewer-under-way',
    find(pair) {
      const fewer = fewerInFlight(pair);
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
      const [perOp, againstPerOp] = costsOf('roundTrips', pair);
      return { perOp, againstPerOp, roundTripUs };
    },
    times: (_, { carried }) => Number(carried.roundTrips?.ratio),
    alone: () => true,
    say: ({ perOp, againstPerOp, roundTripUs }) =>
      `${tenths(perOp)} round trips of ${duration(roundTripUs)} per operation instead of ${tenths(againstPerOp)}`,
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
    say: ({ of, us, againstUs }) => `${micro(us)} of ${USERS[of]} instead of ${micro(againstUs)}`,
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

/** What `--details` adds: whose code it is. @param {Cause} cause */
export const codeOf = (cause) => ('code' in cause && cause.code ? said([mainPartText(cause.code)]) : []);
