import pLimit from 'p-limit';
import { turnsOf } from '../plan/capacity.js';
import { batchSizeOf } from '../plan/loads.js';
import { policyOf } from '../plan/policy.js';
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
/** @import { Server } from '../server/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { Round, RoundRunner } from './policies.js' */
/** @import { Warming } from './warm-up.js' */
/** @import { DistantServer } from './distant-server.js' */
/** @import { GroupContext, RunContext } from './contexts.js' */
/** @import { GroupOutcome } from './types.js' */

/** Nothing is measured while workers start, so several may start at once. */
const STARTING_AT_ONCE = 4;

/**
 * Runs one group: a worker for each cell, a warm-up, then round by round; all of it again for each start. A cell that fails drops
 * out with its reason and the others go on; a server that is lost ends the group. Where this
 * machine cannot hold all workers at once, they run in turns.
 * @param {Omit<Visit, 'index'>} visit @param {GroupContext} context @returns {Promise<GroupOutcome>}
 */
export async function runGroup({ cells, starts, again }, context) {
  if (cells[0].fault !== undefined) return runApart(cells, createFaultRunner, context);
  const relays = await openDistances(cells, again, context);
  /** @type {GroupOutcome} */
  const outcome = { lost: null, keysRemoved: true };
  /** @type {number | undefined} */
  let iterations;
  try {
    if (cells[0].chosen.workload.startsProcesses)
      return await runApart(
        cells,
        (cell) => createColdRunner(cell, runContext(cell, relays, context)),
        context,
      );
    for (const own of turnsOf(cells, context.capacity)) {
      if (outcome.lost !== null || context.signal.aborted) break;
      const turn = createTurn(own, relays, iterations, context);
      const { lost, keysRemoved } = await runTurn(turn, starts, context);
      iterations ??= Math.max(0, ...turn.runners.map((runner) => runner.iterations() ?? 0)) || undefined;
      outcome.lost = lost;
      outcome.keysRemoved &&= keysRemoved;
    }
    return outcome;
  } finally {
    if (context.idleWorkers === null) await Promise.all([...relays.values()].map((relay) => relay.end()));
  }
}

/**
 * Runs cells each of whose runs starts all that it needs.
 * @param {Cell[]} cells
 * @param {(cell: Cell, context: GroupContext) => RoundRunner & {areKeysRemoved: () => boolean}} createRunner
 * @param {GroupContext} context @returns {Promise<GroupOutcome>}
 */
async function runApart(cells, createRunner, context) {
  const runners = cells.map((cell) => createRunner(cell, context));
  const start = { start: 1, first: 1, last: context.settings.runs, isLast: true };
  const policy = rounds(new Map(), runners, start, 1, context);
  const lost = await follow(policy, (round) => runRound(round, start, context))
    .then(() => countAll({ runners }, context))
    .then(
      () => null,
      (error) => error,
    );
  await Promise.all(runners.map((runner) => runner.end()));
  const keysRemoved =
    lost === null && !context.signal.aborted && runners.every((runner) => runner.areKeysRemoved());
  return { lost, keysRemoved };
}

/** @param {Cell} cell @param {Map<Server, DistantServer>} relays @param {GroupContext} context @returns {RunContext} */
function runContext(cell, relays, context) {
  const place = context.placeOf(cell);
  return { ...context, ...place, distant: relays.get(place.server) ?? null };
}

/** @typedef {ReturnType<typeof createTurn>} Turn */

/**
 * The cells of a group that this machine can hold at once.
 * @param {Cell[]} cells @param {Map<Server, DistantServer>} relays
 * @param {number | undefined} known iterations that the turn before it was given @param {GroupContext} context
 */
function createTurn(cells, relays, known, context) {
  const runners = cells.map((cell) => createCellRunner(cell, runContext(cell, relays, context)));
  return {
    runners,
    relays: [...new Set(cells.flatMap((cell) => relays.get(context.placeOf(cell).server) ?? []))],
    /** The runs of the cells that have not failed. */
    going: new Map(runners.map((runner) => [runner, /** @type {Run[]} */ ([])])),
    /** @type {Warming} */
    warming: { runners, known, warmed: new Map(), slices: null },
  };
}

/**
 * @param {Turn} turn @param {Iterable<Start>} starts @param {GroupContext} context @returns {Promise<GroupOutcome>}
 */
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
      // Being started first must not always be the same cell's luck.
      const [order] = createRounds(runners, 1, context.settings.seed - start.start);
      await prepareAll(order, start.start);
      await warmUp(turn.warming, context, start.leftMs);
      await moveRelays(turn, runners[0].cell.distance ?? WITHOUT_DELAY, context);
      if (start.start === 1) for (const runner of runners) runner.recordCell();
      await measure(turn, start, context);
      removed.push(await endStart(turn, context));
    }
    removed.push(await countAll(turn, context));
    return { lost: null, keysRemoved: removed.every(Boolean) };
  } catch (error) {
    for (const runner of runners) runner.recordCell();
    return { lost: error, keysRemoved: false };
  } finally {
    signal.removeEventListener('abort', interrupt);
    await Promise.all(runners.map((runner) => runner.end()));
  }
}

/**
 * Waits for all workers, also where one of them finds the server gone: none may start after the turn has ended.
 * @param {Turn['runners']} runners in the order of their start @param {number} start
 */
async function prepareAll(runners, start) {
  const losses = await pLimit(STARTING_AT_ONCE).map(runners, (runner) =>
    runner.prepare(start).then(
      () => null,
      (lost) => {
        for (const other of runners) other.drop();
        return lost;
      },
    ),
  );
  const lost = losses.find((loss) => loss !== null);
  if (lost !== undefined) throw lost;
}

/**
 * Where the relays can move, connecting and warming up is done without their delay: that takes far less time, and the
 * code is the same.
 * @param {Turn} turn @param {Distance} distance @param {Pick<GroupContext, 'idleWorkers'>} context
 */
async function moveRelays({ relays }, distance, { idleWorkers }) {
  if (idleWorkers !== null) await Promise.all(relays.map((relay) => relay.moveTo(distance)));
}

/**
 * The timed runs of a start, and after the last ones the profiled ones: then the workers are warm.
 * @param {Turn} turn @param {Start} start @param {GroupContext} context
 */
async function measure({ runners, going, warming }, start, context) {
  const { settings, toProfile } = context;
  const policies =
    policyOf(settings) === 'search'
      ? runners.map((runner) => highestRate(runner, context))
      : [rounds(going, runners, start, Number(warming.slices), context)];
  for (const policy of policies) await follow(policy, (round) => runRound(round, start, context));
  if (!start.isLast || settings.profile === undefined || context.signal.aborted) return;
  const wanted = toProfile(runners[0].cell.group);
  for (const runner of runners)
    if (wanted.has(runner.cell.id) && !context.signal.aborted) await runner.profile();
}

/** Fewer starts show nothing of how much they differ. */
const COUNTED_STARTS = 3;

/**
 * One worker after the other: the server counts the commands of one cell at a time.
 * @param {{runners: RoundRunner[]}} turn @param {GroupContext} context
 * @returns {Promise<boolean>} whether all keys were removed
 */
async function countAll({ runners }, { settings: { starts, seed }, counter, signal, noteOnce }) {
  if (counter == null) return true;
  const removed = [];
  const { startsProcesses } = runners[0].cell.chosen.workload;
  const wanted = starts === 'auto' || startsProcesses ? COUNTED_STARTS : starts;
  noteOnce({ kind: 'counting', source: counter.name, starts: wanted });
  for (const [index, order] of createRounds(runners, wanted, seed).entries()) {
    for (const runner of order) {
      if (!signal.aborted) removed.push(await runner.count(index + 1));
    }
  }
  return removed.every(Boolean);
}

/** @param {Turn} turn @param {GroupContext} context @returns {Promise<boolean>} whether all keys were removed */
async function endStart({ runners }, context) {
  if (context.idleWorkers !== null) for (const runner of runners) runner.leave();
  const removed = await removeKeys(runners, context);
  await Promise.all(runners.map((runner) => runner.end()));
  return removed;
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
