import pLimit from 'p-limit';
import { turnsOf } from '../plan/capacity.js';
import { batchSizeOf } from '../plan/loads.js';
import { policyOf } from '../plan/plan.js';
import { createRounds } from '../plan/rounds.js';
import { drawShares, sliceIterations } from '../plan/run-length.js';
import { openDistances, WITHOUT_DELAY } from './measure-distance.js';
import { follow, highestRate, rounds } from './policies.js';
import { createCellRunner } from './run-cell.js';
import { createColdRunner } from './run-cold.js';
import { createFaultRunner } from './run-with-fault.js';
import { removeKeys } from './stored-keys.js';
import { isWarmUp } from './until-warm.js';
import { warmUp } from './warm-up.js';

/** @import { Cell, Start } from '../plan/types.js' */
/** @import { Visit } from '../plan/visits.js' */
/** @import { Distance } from '../relay/types.js' */
/** @import { Run } from '../results/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { Round, RoundRunner } from './policies.js' */
/** @import { Warming } from './warm-up.js' */
/** @import { DistantServer } from './distant-server.js' */
/** @import { GroupContext, RunContext } from './contexts.js' */
/** @import { GroupOutcome } from './types.js' */

/** Nothing is measured while workers start, so several may start at once. */
const STARTING_AT_ONCE = 4;

/**
 * A failed cell drops out; a lost server ends the group. Workers take turns if this machine cannot hold all of them.
 * @param {Omit<Visit, 'index'>} visit @param {GroupContext} context @returns {Promise<GroupOutcome>}
 */
export async function runGroup({ cells, starts, again }, context) {
  const [{ fault, chosen }] = cells;
  if (fault !== undefined)
    return runApart(
      cells.map((cell) => createFaultRunner(cell, context)),
      context,
    );
  const relays = await openDistances(cells, again, context);
  /** @param {Cell} cell @returns {RunContext} */
  const contextOf = (cell) => {
    const place = context.placeOf(cell);
    return { ...context, ...place, distant: relays.get(place.server) ?? null };
  };
  try {
    if (chosen.workload.startsProcesses)
      return await runApart(
        cells.map((cell) => createColdRunner(cell, contextOf(cell))),
        context,
      );
    /** @type {GroupOutcome} */
    const outcome = { lost: null, keysRemoved: true };
    /** @type {number | undefined} */
    let known;
    for (const own of turnsOf(cells, context.capacity)) {
      if (outcome.lost !== null || context.signal.aborted) break;
      const runners = own.map((cell) => createCellRunner(cell, contextOf(cell)));
      const turn = createTurn(runners, [...relays.values()], known);
      const { lost, keysRemoved } = await runTurn(turn, starts, context);
      known ??= Math.max(0, ...runners.map((runner) => runner.iterations() ?? 0)) || undefined;
      outcome.lost = lost;
      outcome.keysRemoved &&= keysRemoved;
    }
    return outcome;
  } finally {
    if (context.idleWorkers === null) await Promise.all([...relays.values()].map((relay) => relay.end()));
  }
}

/**
 * @param {(RoundRunner & {areKeysRemoved: () => boolean})[]} runners @param {GroupContext} context
 * @returns {Promise<GroupOutcome>}
 */
async function runApart(runners, context) {
  const start = { start: 1, first: 1, last: context.settings.runs, isLast: true };
  const policy = rounds(new Map(), runners, start, 1, context);
  let lost = null;
  try {
    await follow(policy, (round) => runRound(round, start, context));
  } catch (error) {
    lost = error;
  }
  await Promise.all(runners.map((runner) => runner.end()));
  const keysRemoved =
    lost === null && !context.signal.aborted && runners.every((runner) => runner.areKeysRemoved());
  return { lost, keysRemoved };
}

/** @typedef {ReturnType<typeof createTurn>} Turn */

/** @param {Warming['runners']} runners @param {DistantServer[]} relays @param {number} [known] */
function createTurn(runners, relays, known) {
  /** @type {Warming} */
  const warming = { runners, known, warmed: new Map(), slices: null };
  /** Runs of the cells that have not failed. */
  const going = new Map(runners.map((runner) => [runner, /** @type {Run[]} */ ([])]));
  return { ...warming, relays, going };
}

/** @param {Turn} turn @param {Iterable<Start>} starts @param {GroupContext} context @returns {Promise<GroupOutcome>} */
async function runTurn(turn, starts, context) {
  const { runners } = turn;
  const { signal } = context;
  const interrupt = () => runners.forEach((runner) => void runner.interrupt());
  signal.addEventListener('abort', interrupt);
  const removed = [];
  try {
    for (const start of starts) {
      if (signal.aborted) break;
      for (const runner of runners) if (start.cells?.includes(runner.cell.id) === false) runner.drop();
      await moveRelays(turn, WITHOUT_DELAY, context);
      // No cell is always first.
      const [order] = createRounds(runners, 1, context.settings.seed - start.start);
      await prepareAll(order, start.start);
      await warmUp(turn, context, start.leftMs);
      await moveRelays(turn, runners[0].cell.distance ?? WITHOUT_DELAY, context);
      if (start.start === 1) for (const runner of runners) runner.recordCell();
      await measure(turn, start, context);
      if (context.idleWorkers !== null) for (const runner of runners) runner.leave();
      removed.push(await removeKeys(runners, context));
      await Promise.all(runners.map((runner) => runner.end()));
    }
    return { lost: null, keysRemoved: removed.every(Boolean) };
  } catch (error) {
    for (const runner of runners) runner.recordCell();
    return { lost: error, keysRemoved: false };
  } finally {
    signal.removeEventListener('abort', interrupt);
    await Promise.all(runners.map((runner) => runner.end()));
  }
}

/** None may start after the turn, even if the server is lost. @param {Turn['runners']} runners @param {number} start */
async function prepareAll(runners, start) {
  /** @type {unknown[]} */
  const losses = [];
  await pLimit(STARTING_AT_ONCE).map(runners, (runner) =>
    runner.prepare(start).catch((lost) => {
      losses.push(lost);
      for (const other of runners) other.drop();
    }),
  );
  if (losses.length > 0) throw losses[0];
}

/**
 * Relays add no delay while cells connect and warm up: that is far faster and runs the same code.
 * @param {Turn} turn @param {Distance} distance @param {Pick<GroupContext, 'idleWorkers'>} context
 */
async function moveRelays({ relays }, distance, { idleWorkers }) {
  if (idleWorkers !== null) await Promise.all(relays.map((relay) => relay.moveTo(distance)));
}

/** Profiled runs come last. @param {Turn} turn @param {Start} start @param {GroupContext} context */
async function measure({ runners, going, slices }, start, context) {
  const { settings, toProfile, signal } = context;
  const policies =
    policyOf(settings) === 'search'
      ? runners.map((runner) => highestRate(runner, context))
      : [rounds(going, runners, start, Number(slices), context)];
  for (const policy of policies) await follow(policy, (round) => runRound(round, start, context));
  if (!start.isLast || settings.profile === undefined || signal.aborted) return;
  const wanted = toProfile(runners[0].cell.group);
  for (const runner of runners) if (wanted.has(runner.cell.id) && !signal.aborted) await runner.profile();
}

/** @typedef {Pick<GroupContext, 'settings' | 'catalogue' | 'signal'>} RoundContext */

/** @param {Round} round @param {Start} start @param {RoundContext} context @returns null if interrupted */
async function runRound({ run, runners, orders, isFirst }, { start, leftMs }, context) {
  const shares = drawShares(orders.length, context.settings.seed + start * SEEDS + run);
  let tries = 0;
  do {
    tries++;
    await takeSlices(orders, { run, shares, leftMs: leftMs ?? unbounded }, context);
    // With a time limit, nothing is measured twice.
  } while (isFirst && leftMs === undefined && isWarmUp(runners, context, tries + 1));
  const done = [];
  for (const runner of runners) done.push(await runner.endRun(run));
  return context.signal.aborted ? null : done;
}

/**
 * @param {RoundRunner[][]} orders @param {{run: number, shares: number[], leftMs: () => number}} slicing
 * @param {RoundContext} context
 */
async function takeSlices(orders, { run, shares, leftMs }, context) {
  for (const [index, order] of orders.entries()) {
    const before = leftMs();
    for (const runner of order) {
      if (context.signal.aborted) return;
      await runner.slice(run, lengthOf(runner, index, shares, context), leftMs() > 0);
    }
    // One slice per cell suffices to compare.
    if (before - leftMs() > leftMs()) return;
  }
}

/** @param {RoundRunner} runner @param {number} index @param {number[]} shares @param {RoundContext} context */
function lengthOf({ cell, iterations }, index, shares, { settings, catalogue }) {
  const count = iterations();
  if (count === null) return { durationMs: Number(settings.durationMs) * shares[index] };
  const counts = sliceIterations(count, shares, batchSizeOf(cell.chosen.pipelining, catalogue) ?? 1);
  return { iterations: counts[index], ofRun: index === 0 ? count : undefined };
}

const unbounded = () => Number.POSITIVE_INFINITY;

/** Each run of a start has its own seed. */
const SEEDS = 1000;
