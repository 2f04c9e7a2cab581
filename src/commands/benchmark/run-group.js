import pLimit from 'p-limit';
import { MEASURING } from '../../method.js';
import { createOrders, withRelays } from '../../run/independent-runs.js';
import { neededOn } from '../../run/memory-check.js';
import { turnsOf } from '../../run/plan/capacity.js';
import { batchSizeOf, workersOf } from '../../run/plan/loads.js';
import { startsOf } from '../../run/plan/plan.js';
import { removeKeys } from '../../server/stored-keys.js';
import { analyse } from './conclude.js';
import { explainedCells } from './findings/slower.js';
import { chooseCpuStates, timeLeft, tooLong, warmUpTime } from './policy/in-time.js';
import { fixedStarts, follow, highestRate, race } from './policy/policies.js';
import { inRun, interleavedSets, statesOf } from './policy/rounds.js';
import { oneWindow, sizeRuns, sliceAt, sliceIterations, warmUp } from './policy/run-length.js';
import { createCellRunner } from './run-cell.js';

/** @import { Cell } from '../../run/plan/types.js' */
/** @import { RunSize } from './policy/run-length.js' */
/** @import { Distance } from '../../relay/types.js' */
/** @import { RunLength } from '../../worker/types.js' */
/** @import { DistantServer } from '../../run/distant-server.js' */
/** @import { GroupContext, RunContext } from '../../run/types.js' */

const WITHOUT_DELAY = { rttMs: 0, jitterPercent: 0 };
/** A window that shows so much less than the warm-up is looked at twice; of the machine as it is, some clients do. */
const SUSPICIOUS_DROP = 2;
/** Nothing is measured while workers start, so several may start at once. */
const STARTING_AT_ONCE = 4;

/**
 * A failed cell drops out; a lost server ends the group. Workers take turns if this machine cannot hold all of them.
 * @param {Cell[]} cells @param {GroupContext} context
 */
export const runGroup = (cells, context) =>
  withRelays(cells, context, async (contextOf, relays) => {
    /** @type {{lost: unknown, keysRemoved: boolean}} */
    const outcome = { lost: null, keysRemoved: true };
    /** @type {number | undefined} */
    let known;
    const { leftMs } = context;
    const turns = turnsOf(cells, context.capacity);
    for (const [index, own] of turns.entries()) {
      if (outcome.lost !== null || context.signal.aborted) break;
      const racers = own.map((cell) => createRacer(cell, contextOf(cell)));
      const untilLeftMs = leftMs() * (1 - 1 / (turns.length - index));
      const planned = startsOf(context.settings, own);
      const leftInTurn = () => leftMs() - untilLeftMs;
      const turn = { racers, relays, leftMs: leftInTurn, known, planned, starts: 0, rounds: 0 };
      const { lost, keysRemoved } = await runTurn(turn, chooseCpuStates(turn, context));
      known ??=
        Math.max(0, ...racers.map(({ iterations, slices }) => (iterations ?? 0) / slices)) || undefined;
      outcome.lost = lost;
      outcome.keysRemoved &&= keysRemoved;
    }
    return outcome;
  });

/**
 * @typedef {{racers: Racer[], relays: DistantServer[], leftMs: () => number, known?: number, starts: number, rounds: number,
 *   planned: ReturnType<typeof startsOf>}} Turn of cells whose workers run at the same time; `known`: iterations of a slice
 *   in the turn before; `starts`, `rounds`: so far
 * @typedef {ReturnType<typeof createRacer>} Racer `perMs`: iterations of a task, in the warm-up
 */

/** @param {Cell} cell @param {RunContext} context */
function createRacer(cell, context) {
  /** @type {{perMs: number | null, isProfiled: boolean} & RunSize} */
  const measured = { perMs: null, isProfiled: false, iterations: null, slices: 1, runMs: null };
  return { ...createCellRunner(cell, context), ...measured };
}

/** @param {Turn} turn @param {GroupContext} context */
async function runTurn(turn, context) {
  const { racers, planned, leftMs } = turn;
  const { settings, signal } = context;
  const interrupt = () => racers.forEach((racer) => void racer.interrupt());
  signal.addEventListener('abort', interrupt);
  const removed = [];
  const isStrict = settings.budgetMs !== undefined;
  const policy =
    planned === 'race'
      ? race(racers, leftMs, isStrict)
      : fixedStarts(racers, planned, isStrict ? leftMs : () => Number.POSITIVE_INFINITY);
  try {
    await follow(policy, async ({ racing, runs }) => {
      removed.push(await endWorkers(racers, context));
      if (signal.aborted) return null;
      await runStart(turn, /** @type {Racer[]} */ (racing), runs, context);
      const [, farBehind] = interleavedSets(racers, turn);
      if (farBehind && profilesEarly(settings)) await profile(turn, farBehind, context);
    });
    await profile(turn, racers, context);
    removed.push(await endWorkers(racers, context));
    return { lost: null, keysRemoved: removed.every(Boolean) };
  } catch (error) {
    for (const racer of racers) racer.recordCell();
    return { lost: error, keysRemoved: false };
  } finally {
    signal.removeEventListener('abort', interrupt);
    await Promise.all(racers.map((racer) => racer.end()));
  }
}

/** @param {Racer[]} racers @param {GroupContext} context @returns {Promise<boolean>} whether keys were removed */
async function endWorkers(racers, context) {
  const started = racers.filter((racer) => racer.isStarted());
  if (started.length === 0) return true;
  const areRemoved = await removeKeys(started, context);
  await Promise.all(started.map((racer) => racer.end()));
  return areRemoved;
}

/** @param {Turn} turn @param {Racer[]} racing @param {number} runs as the machine is @param {GroupContext} context */
async function runStart(turn, racing, runs, context) {
  const { settings, idlePrevention } = context;
  const start = ++turn.starts;
  const isFirst = start === 1;
  const startedMs = performance.now();
  context.onEvent({ type: 'start', start, cells: racing.map(({ cell }) => cell) });
  // No cell is always first; where time may not do for all, the user's order counts.
  const { budgetMs } = settings;
  const isShort = isFirst && budgetMs !== undefined;
  const [order] = isShort ? [racing] : createOrders(racing, 1, settings.seed - start);
  await moveRelays(turn, WITHOUT_DELAY);
  const isSized = settings.durationMs === undefined && settings.iterations === 'auto';
  // More is done in the time of a warm-up where nothing waits for a wake-up.
  idlePrevention.keep(idlePrevention.states[settings.warmupRuns > 0 ? idlePrevention.states.length - 1 : 0]);
  await checkRoomAgain(racing, context);
  await prepareAll(order, start, context);
  const time = warmUpTime(turn, racing.length, context);
  let skipped = null;
  for (const racer of order) {
    if (context.signal.aborted) return;
    if (isShort) skipped ??= tooLong(turn, budgetMs, context);
    if (skipped !== null) racer.leaveOut(skipped);
    if (settings.warmupRuns === 0 && !(isFirst && isSized)) continue;
    racer.perMs = (await warmUp(racer, context, time)) ?? racer.perMs;
    if (isFirst) emitWarmed(racer, context);
  }
  idlePrevention.keep(idlePrevention.states[0]);
  await rewarm(order, isFirst, context);
  const { distance = WITHOUT_DELAY } = racing[0].cell;
  if (isFirst && isSized && distance.rttMs > 0) await sizeAtDistance(distance, turn, order, context);
  if (isFirst) await size(turn, context);
  if (settings.rateSearch === undefined) {
    const leftMs = timeLeft({ ...turn, racers: racing }, runs, performance.now() - startedMs, context);
    context.onEvent({ type: 'time-left', leftMs });
  }
  await moveRelays(turn, distance);
  if (isFirst) for (const racer of racing) racer.recordCell();
  if (settings.rateSearch !== undefined) await search(racing, context);
  else await measure(turn, racing, runs, context);
}

/**
 * The heaps of cells shrank and their code left the caches while others warmed up; the first time, this sizes their runs.
 * @param {Racer[]} order @param {boolean} isFirst @param {GroupContext} context
 */
async function rewarm(order, isFirst, context) {
  const { settings, idlePrevention } = context;
  if (settings.warmupRuns === 0 || settings.smoke) return;
  const found = await takeWindows(order, context);
  if (!isFirst) return;
  // A stall in one window would make runs too short, and what is near the best look far behind.
  const doubtful = order.filter((racer) => Number(found.get(racer)) < Number(racer.perMs) / SUSPICIOUS_DROP);
  const again = await takeWindows(doubtful, context);
  const wasAwake = idlePrevention.states.length > 1;
  for (const racer of order) {
    const all = [found.get(racer), again.get(racer), wasAwake ? null : racer.perMs];
    racer.perMs = Math.max(...all.map(Number).filter(Boolean), 0) || racer.perMs;
    if (wasAwake) emitWarmed(racer, context);
  }
}

/**
 * What they do from where they are measured, which is so much less that it sizes their runs.
 * @param {Distance} distance @param {Turn} turn @param {Racer[]} order @param {GroupContext} context
 */
async function sizeAtDistance(distance, turn, order, context) {
  await moveRelays(turn, distance);
  for (const [racer, perMs] of await takeWindows(order, context)) {
    racer.perMs = perMs;
    emitWarmed(racer, context);
  }
  await moveRelays(turn, WITHOUT_DELAY);
}

/** @param {Racer} racer @param {GroupContext} context */
function emitWarmed({ cell, perMs }, { onEvent }) {
  if (perMs) onEvent({ type: 'warmed', cell, perMs });
}

/** @param {Racer[]} racers @param {GroupContext} context @returns {Promise<Map<Racer, number>>} iterations of a task in a millisecond */
async function takeWindows(racers, { catalogue, signal }) {
  const found = new Map();
  for (const racer of racers) {
    if (signal.aborted) break;
    // One that takes long has settled all.
    const least = batchSizeOf(racer.cell.chosen.pipelining, catalogue) ?? 1;
    if (Number(racer.perMs) * MEASURING.windowMs < least) continue;
    const perMs = await oneWindow(racer);
    if (perMs !== null) found.set(racer, perMs);
  }
  return found;
}

/** Others may have filled the server since the last start removed its keys. @param {Racer[]} racing @param {GroupContext} context */
async function checkRoomAgain(racing, { placeOf, settings, catalogue }) {
  const cells = racing.map(({ cell }) => cell);
  for (const { server, headroom } of new Set(cells.map(placeOf)))
    await headroom.beforeStart(neededOn(server, [cells], settings, catalogue)?.bytes ?? 0);
}

/**
 * None may start after the turn, even if the server is lost.
 * @param {Racer[]} racing @param {number} start @param {GroupContext} context
 */
async function prepareAll(racing, start, { onEvent }) {
  /** @type {unknown[]} */
  const losses = [];
  await pLimit(STARTING_AT_ONCE).map(racing, async (racer) => {
    try {
      await racer.prepare(start);
      onEvent({ type: 'started', cell: racer.cell });
    } catch (lost) {
      losses.push(lost);
      for (const other of racing) other.drop();
    }
  });
  if (losses.length > 0) throw losses[0];
}

/**
 * Relays add no delay while cells connect and warm up: that is far faster and runs the same code.
 * @param {Turn} turn @param {Distance} distance
 */
const moveRelays = ({ relays }, distance) => Promise.all(relays.map((relay) => relay.moveTo(distance)));

/** Sizes runs and their slices by the warm-up of the first start. @param {Turn} turn @param {GroupContext} context */
async function size({ racers, known, leftMs }, context) {
  const { settings, catalogue, signal } = context;
  const lengths = sizeRuns(
    { ...settings, runs: statesOf(settings.runs, context.idlePrevention.states).length },
    {
      cells: racers.map(({ cell, perMs }) => ({
        ...cell,
        perMs,
        batchSize: batchSizeOf(cell.chosen.pipelining, catalogue),
      })),
      divisible: racers.every(({ cell }) => isDivisible(cell, context)),
      known,
      mostMs: settings.budgetMs === undefined ? Number.POSITIVE_INFINITY : leftMs(),
    },
  );
  for (const racer of racers) {
    Object.assign(racer, lengths.get(racer.cell.id));
    racer.learn({ iterations: racer.iterations });
  }
  if (settings.warmupRuns > 0)
    for (const racer of racers) if (racer.slices > 1 && !signal.aborted) await racer.measureFixedCost();
}

/**
 * Not if slices would lose a backlog, remove data, or need a common start each time.
 * @param {Cell} cell @param {GroupContext} context
 */
const isDivisible = ({ openLoop, chosen, ...cell }, { catalogue, settings }) =>
  openLoop === null &&
  workersOf(cell) === 1 &&
  !settings.smoke &&
  !(catalogue.workloads.get(chosen.workload.id)?.startsEmpty ?? false);

/** @param {Racer[]} racing @param {GroupContext} context */
async function search(racing, context) {
  for (const racer of racing)
    await follow(highestRate(racer, context), async ({ run }) => {
      await racer.slice(run, { durationMs: Number(context.settings.durationMs) });
      const done = await racer.endRun(run, context.idlePrevention.states[0]);
      return context.signal.aborted ? null : done;
    });
}

/**
 * The runs of one start, in slices that take turns.
 * @param {Turn} turn @param {Racer[]} racing @param {number} runs @param {GroupContext} context
 */
async function measure(turn, racing, runs, context) {
  const { settings, signal, onEvent, idlePrevention } = context;
  const states = statesOf(runs, idlePrevention.states, turn.starts);
  const most = Math.max(...racing.map(({ slices }) => slices));
  const orders = createOrders(racing, states.length * most, settings.seed + turn.starts);
  for (const racer of racing) racer.expect(states.length * racer.slices);
  for (const [run, isAwake] of states.entries()) {
    const round = ++turn.rounds;
    const measured = inRun(run, states, racing, turn);
    idlePrevention.keep(isAwake);
    const own = orders.splice(0, most);
    for (const pack of interleavedSets(measured, turn))
      for (const [index, order] of own.entries())
        for (const racer of order) {
          const slice = sliceAt(index, most, racer.slices);
          if (slice !== null && pack.includes(racer) && !signal.aborted)
            await racer.slice(round, lengthOf(racer, slice, context));
        }
    for (const racer of measured) await racer.endRun(round, isAwake);
    if (signal.aborted) return;
    onEvent({ type: 'round-end', round });
    // Slow operations take longer than planned: a run of each cell is worth more than three of the first ones.
    if (settings.races && settings.budgetMs !== undefined && turn.leftMs() <= 0) return;
  }
}

/** @param {Racer} racer @param {number} slice @param {GroupContext} context @returns {RunLength} */
function lengthOf({ cell, iterations, slices }, slice, { settings, catalogue }) {
  if (iterations === null) return { durationMs: Number(settings.durationMs) / slices };
  const counts = sliceIterations(iterations, slices, batchSizeOf(cell.chosen.pipelining, catalogue) ?? 1);
  return { iterations: counts[slice], ofRun: slice === 0 ? iterations : undefined };
}

/** Whether there is time while the cells that will be left behind are still warm. @param {GroupContext['settings']} settings */
const profilesEarly = ({ profile: asked, budgetMs = MEASURING.budgetMs }) =>
  asked?.cells === 'explained' && budgetMs >= MEASURING.budgetMs;

/**
 * Cells that the report will explain: in a race those that are warm, as far as there is time.
 * @param {Turn} turn @param {Racer[]} among @param {GroupContext} context
 */
async function profile({ racers, starts, leftMs }, among, context) {
  const { settings, signal } = context;
  if (settings.profile === undefined || signal.aborted) return;
  const isBound = settings.races && settings.profile.cells === 'explained';
  const wanted = wantedProfiles(racers[0].cell.group, context);
  for (const racer of among) {
    if (!wanted.has(racer.cell.id) || racer.isProfiled || signal.aborted) continue;
    if (isBound && (leftMs() < MEASURING.profileMs || !racer.isStarted())) continue;
    racer.isProfiled = true;
    if (!racer.isStarted()) {
      await racer.prepare(starts);
      await warmUp(racer, context);
    }
    await racer.profile();
  }
}

/** What the user asked for: all, or those that the report will explain. @param {string} group @param {GroupContext} context @returns {Set<string>} ids */
function wantedProfiles(group, { settings: { profile }, soFar }) {
  const { cells, settings } = soFar(group);
  return profile?.cells === 'explained'
    ? explainedCells(analyse(cells, settings, true).findings)
    : new Set(cells.map(({ id }) => id));
}
