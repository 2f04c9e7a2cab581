import pLimit from 'p-limit';
import { turnsOf } from '../plan/capacity.js';
import { batchSizeOf } from '../plan/loads.js';
import { createRounds } from '../plan/rounds.js';
import { drawShares, sliceIterations } from '../plan/run-length.js';
import { openDistance, WITHOUT_DELAY } from './measure-distance.js';
import { follow, highestRate, rounds } from './policies.js';
import { createCellRunner } from './run-cell.js';
import { createFaultRunner } from './run-with-fault.js';
import { removeKeys } from './stored-keys.js';
import { isWarmUp } from './until-warm.js';
import { warmUp } from './warm-up.js';

/** @import { Cell, Start } from '../plan/types.js' */
/** @import { Visit } from '../plan/visits.js' */
/** @import { Distance } from '../relay/types.js' */
/** @import { Run } from '../results/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { Policy, Round, RoundRunner } from './policies.js' */
/** @import { CellRunner } from './run-cell.js' */
/** @import { DistantServer } from './distant-server.js' */
/** @import { GroupContext, GroupOutcome, TurnContext } from './types.js' */

/** Nothing is measured while workers start, so several may start at once. */
const STARTING_AT_ONCE = 4;

/**
 * Runs one group: a worker for each cell, a warm-up, then round by round; all of it again for each start. A cell that fails drops
 * out with its reason and the others go on; a server that is lost ends the group. Where this
 * machine cannot hold all workers at once, they run in turns.
 * @param {Omit<Visit, 'index'>} visit @param {GroupContext} context @returns {Promise<GroupOutcome>}
 */
export async function runGroup({ cells, starts, again }, context) {
  if (cells[0].fault !== undefined) return runFaults(cells, context);
  /** @type {Map<Server, DistantServer | null>} */
  const distant = new Map();
  try {
    for (const server of new Set(cells.map((cell) => context.placeOf(cell).server))) {
      const own = cells.filter((cell) => context.placeOf(cell).server === server);
      distant.set(server, await openDistance(own, again, context));
    }
    /** @type {TurnContext['contextOf']} */
    const contextOf = (cell) => {
      const place = context.placeOf(cell);
      return { ...context, ...place, distant: distant.get(place.server) ?? null };
    };
    return await runTurns(cells, starts, { ...context, contextOf });
  } finally {
    if (context.lives === null) await Promise.all([...distant.values()].map((each) => each?.end()));
  }
}

/** @param {Cell[]} cells @param {GroupContext} context @returns {Promise<GroupOutcome>} */
async function runFaults(cells, context) {
  const runners = cells.map((cell) => createFaultRunner(cell, context));
  const start = { start: 1, first: 1, last: context.settings.runs, isLast: true };
  await follow(rounds(new Map(), runners, start, 1, context), (round) => runRound(round, start, context));
  const keysRemoved = !context.signal.aborted && runners.every((runner) => runner.areKeysRemoved());
  return { lost: null, keysRemoved };
}

/** @param {Cell[]} cells @param {Iterable<Start>} starts @param {TurnContext} context @returns {Promise<GroupOutcome>} */
async function runTurns(cells, starts, context) {
  const turns = turnsOf(cells, context.capacity);
  /** @type {GroupOutcome} */
  const outcome = { lost: null, keysRemoved: true };
  /** @type {number | undefined} */
  let iterations;
  for (const turn of turns) {
    if (outcome.lost !== null || context.signal.aborted) break;
    const { lost, keysRemoved, ...rest } = await runTurn(turn, starts, context, iterations);
    iterations ??= rest.iterations;
    outcome.lost = lost;
    outcome.keysRemoved &&= keysRemoved;
  }
  return outcome;
}

/**
 * @param {Cell[]} cells @param {Iterable<Start>} starts @param {TurnContext} context
 * @param {number} [iterations] that the turn before it was given
 * @returns {Promise<GroupOutcome & {iterations: number | undefined}>}
 */
async function runTurn(cells, starts, context, iterations) {
  const { signal } = context;
  const turn = createTurn(cells, context);
  const interrupt = () => {
    for (const runner of turn.runners) runner.interrupt();
  };
  signal.addEventListener('abort', interrupt);
  /** @type {GroupOutcome} */
  const outcome = { lost: null, keysRemoved: true };
  try {
    for (const start of starts) {
      if (signal.aborted) break;
      await runStart(start, turn, context, iterations);
      if (start.isLast) await profile(turn.runners, context);
      if (context.lives !== null) for (const runner of turn.runners) runner.leave();
      outcome.keysRemoved &&= await removeKeys(turn.runners, context);
      await Promise.all(turn.runners.map((runner) => runner.end()));
    }
  } catch (error) {
    outcome.lost = error;
    outcome.keysRemoved = false;
  } finally {
    signal.removeEventListener('abort', interrupt);
    await Promise.all(turn.runners.map((runner) => runner.end()));
  }
  const most = Math.max(0, ...turn.runners.map((runner) => runner.iterations() ?? 0));
  return { ...outcome, iterations: most || undefined };
}

/** @typedef {ReturnType<typeof createTurn>} Turn */

/** @param {Cell[]} cells @param {TurnContext} context */
function createTurn(cells, context) {
  const runners = cells.map((cell) => createCellRunner(cell, context.contextOf(cell)));
  // The runs of the cells that have not failed.
  const going = new Map(runners.map((runner) => [runner, /** @type {Run[]} */ ([])]));
  return { runners, going, warmed: new Map(), slices: /** @type {number | null} */ (null) };
}

/** @param {Start} start @param {Turn} turn @param {TurnContext} context @param {number} [iterations] of the turn before it */
async function runStart(start, turn, context, iterations) {
  const { runners } = turn;
  for (const runner of runners) if (start.cells?.includes(runner.cell.id) === false) runner.drop();
  try {
    const limit = pLimit(STARTING_AT_ONCE);
    // Being started first must not always be the same cell's luck.
    const [order] = createRounds(runners, 1, context.settings.seed - start.start);
    await closeBy(context, runners, async () => {
      await limit.map(order, (runner) => runner.prepare(start.start));
      await warmUp(turn, context, iterations, start.leftMs);
    });
  } finally {
    if (start.start === 1) for (const runner of runners) runner.recordCell();
  }
  for (const policy of policiesOf(start, turn, context)) {
    await follow(policy, (round) => runRound(round, start, context));
  }
}

/** @param {Start} start @param {Turn} turn @param {TurnContext} context @returns {Policy[]} */
const policiesOf = (start, { runners, going, slices }, context) =>
  context.settings.rateSearch === undefined
    ? [rounds(going, runners, start, Number(slices), context)]
    : runners.map((runner) => highestRate(runner, context));

/**
 * Connects and warms up without the delay where the relay can move: that takes far less time, and the code is the
 * same.
 * @param {TurnContext} context @param {CellRunner[]} runners @param {() => Promise<void>} work
 */
async function closeBy({ lives, contextOf }, runners, work) {
  const [{ cell }] = runners;
  const relays = new Set(runners.flatMap((runner) => contextOf(runner.cell).distant ?? []));
  const moveTo = (/** @type {Distance} */ distance) =>
    Promise.all([...relays].map((relay) => relay.moveTo(distance)));
  if (lives === null || cell.distance === undefined) return await work();
  await moveTo(WITHOUT_DELAY);
  await work();
  await moveTo(cell.distance);
}

/**
 * @param {Round} round @param {Start} start
 * @param {Pick<GroupContext, 'settings' | 'catalogue' | 'signal'>} context
 * @returns {Promise<(Run | undefined)[] | null>} of its runners; null where it was interrupted
 */
async function runRound({ run, runners, orders, isFirst }, { start, leftMs }, context) {
  const shares = drawShares(orders.length, context.settings.seed + start * SEEDS + run);
  let tries = 0;
  do {
    tries++;
    await takeSlices(orders, { run, shares, leftMs: leftMs ?? unbounded }, context);
    // In a bounded time nothing is measured twice.
  } while (isFirst && leftMs === undefined && isWarmUp(runners, context, tries + 1));
  const done = [];
  for (const runner of runners) done.push(await runner.endRun(run));
  return context.signal.aborted ? null : done;
}

/**
 * @param {RoundRunner[][]} orders @param {{run: number, shares: number[], leftMs: () => number}} slicing
 * @param {Pick<GroupContext, 'settings' | 'catalogue' | 'signal'>} context
 */
async function takeSlices(orders, { run, shares, leftMs }, context) {
  for (const [index, order] of orders.entries()) {
    const before = leftMs();
    for (const runner of order) {
      if (context.signal.aborted) return;
      await runner.slice(run, lengthOf(runner, index, shares, context), leftMs() > 0);
    }
    // One slice of each cell can be compared.
    if (before - leftMs() > leftMs()) return;
  }
}

/**
 * @param {RoundRunner} runner @param {number} index of its slice @param {number[]} shares of all slices
 * @param {Pick<GroupContext, 'settings' | 'catalogue'>} context @returns {RunLength}
 */
function lengthOf({ cell, iterations }, index, shares, { settings, catalogue }) {
  const count = iterations();
  if (count === null) return { durationMs: Number(settings.durationMs) * shares[index] };
  const counts = sliceIterations(count, shares, batchSizeOf(cell.chosen.pipelining, catalogue) ?? 1);
  return { iterations: counts[index], ofRun: index === 0 ? count : undefined };
}

const unbounded = () => Number.POSITIVE_INFINITY;

/** The runs of a start have seeds of their own. */
const SEEDS = 1000;

/**
 * Cells once more, under a profiler, as long as their last workers live and are warm.
 * @param {CellRunner[]} runners of one group @param {TurnContext} context
 */
async function profile(runners, { settings, signal, toProfile }) {
  if (settings.profile === undefined || signal.aborted) return;
  const wanted = toProfile(runners[0].cell.group);
  for (const runner of runners) if (wanted.has(runner.cell.id) && !signal.aborted) await runner.profile();
}
