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
import { agreedOn, highestHeld, nextRate } from './policy/rate-search.js';
import { sizeRuns, sliceAt, sliceIterations, UNSIZED } from './policy/run-length.js';
import { chooseCpuStates, interleavedSets, nextStart, statesOf, timeLeft, tooLong } from './policy/starts.js';
import { FULL_WARM_UP, nextWindowMs, perMsIn, warmUpTime } from './policy/warm-up.js';
import { createCellRunner } from './run-cell.js';

/** @import { Cell } from '../../run/plan/types.js' */
/** @import { Distance } from '../../relay/types.js' */
/** @import { RunLength } from '../../worker/types.js' */
/** @import { DistantServer } from '../../run/distant-server.js' */
/** @import { GroupContext } from '../../run/types.js' */
/** @import { RateRange } from '../../options/types.js' */
/** @import { Run } from '../../store/types.js' */
/** @import { RunSize } from './policy/run-length.js' */
/** @import { GroupState, Standing } from './policy/starts.js' */
/** @import { Tried } from './policy/rate-search.js' */
/** @import { WarmUpTime, Window } from './policy/warm-up.js' */
/** @import { CellRunner } from './run-cell.js' */

/**
 * What carries out a turn: cells whose workers run at the same time.
 * @typedef {object} Turn
 * @property {Map<string, CellRunner>} runners by the id of their cell
 * @property {DistantServer[]} relays
 * @property {GroupContext} context
 * @property {() => number} leftMs
 * @property {number | undefined} known iterations of a slice in the turn before
 */

const WITHOUT_DELAY = { rttMs: 0, jitterPercent: 0 };
/** A window that shows so much less than the warm-up is looked at twice; of the machine as it is, some clients do. */
const SUSPICIOUS_DROP = 2;
/** Nothing is measured while workers start, so several may start at once. */
const STARTING_AT_ONCE = 4;

/**
 * A failed cell drops out; a lost server ends the group. Workers take turns if this machine cannot hold all of them.
 * @param {Cell[]} cells
 * @param {GroupContext} context
 */
export const runGroup = (cells, context) =>
  withRelays(cells, context, async (contextOf, relays) => {
    /** @type {{lost: unknown, keysRemoved: boolean}} */
    const outcome = { lost: null, keysRemoved: true };
    /** @type {number | undefined} */
    let known;
    const { leftMs, settings, catalogue, idlePrevention } = context;
    const turns = turnsOf(cells, context.capacity);
    for (const [index, own] of turns.entries()) {
      if (outcome.lost !== null || context.signal.aborted) break;
      const runners = new Map(own.map((cell) => [cell.id, createCellRunner(cell, contextOf(cell))]));
      const untilLeftMs = leftMs() * (1 - 1 / (turns.length - index));
      const leftInTurn = () => leftMs() - untilLeftMs;
      /** @type {GroupState} */
      const state = {
        planned: startsOf(settings, own),
        isStrict: settings.budgetMs !== undefined,
        cells: own.map(({ id, keySize, valueSize, chosen }) => ({
          id,
          keySize,
          valueSize,
          runs: [],
          perMs: null,
          batchSize: batchSizeOf(chosen.pipelining, catalogue) ?? 1,
          size: UNSIZED,
          isProfiled: false,
        })),
        starts: 0,
        rounds: 0,
        racing: [],
        waiting: [],
        leftMs: leftInTurn(),
        lastMs: 0,
        warmMs: 0,
      };
      const states =
        settings.cpus === undefined ? chooseCpuStates(state, idlePrevention.states) : idlePrevention.states;
      const turnContext = { ...context, idlePrevention: { ...idlePrevention, states } };
      const turn = { runners, relays, context: turnContext, leftMs: leftInTurn, known };
      const { lost, keysRemoved, done } = await runTurn(turn, state);
      const perSlice = done.cells.map(({ size: { iterations, slices } }) => (iterations ?? 0) / slices);
      known ??= Math.max(0, ...perSlice) || undefined;
      outcome.lost = lost;
      outcome.keysRemoved &&= keysRemoved;
    }
    return outcome;
  });

/** Carries out what the policy asks for, until it asks for nothing more. @param {Turn} turn @param {GroupState} initial */
async function runTurn(turn, initial) {
  const { leftMs } = turn;
  const { signal } = turn.context;
  const runners = [...turn.runners.values()];
  const interrupt = () => runners.forEach((runner) => void runner.interrupt());
  signal.addEventListener('abort', interrupt);
  const removed = [];
  let state = initial;
  try {
    for (let action = nextStart(state); action !== null && !signal.aborted; action = nextStart(state)) {
      const beforeMs = leftMs();
      removed.push(await endWorkers(turn));
      if (signal.aborted) break;
      state = { ...state, racing: action.racing, waiting: action.waiting, starts: state.starts + 1 };
      state = await runStart(turn, state, action.runs);
      const [[, farBehind = []]] = interleavedSets(state.cells, [true], state);
      if (profilesEarly(turn.context.settings)) state = await profile(turn, state, farBehind);
      state = { ...withRuns(turn, state), leftMs: leftMs(), lastMs: beforeMs - leftMs() };
    }
    state = await profile(turn, state, state.cells);
    removed.push(await endWorkers(turn));
    return { lost: null, keysRemoved: removed.every(Boolean), done: state };
  } catch (error) {
    for (const runner of runners) runner.recordCell();
    return { lost: error, keysRemoved: false, done: state };
  } finally {
    signal.removeEventListener('abort', interrupt);
    await Promise.all(runners.map((runner) => runner.end()));
  }
}

/** @param {GroupState} state @param {string} id @param {Partial<Standing>} found @returns {GroupState} */
const withFound = (state, id, found) => ({
  ...state,
  cells: state.cells.map((cell) => (cell.id === id ? { ...cell, ...found } : cell)),
});

/** @param {Turn} turn @param {GroupState} state @returns {GroupState} */
const withRuns = ({ runners }, state) => ({
  ...state,
  cells: state.cells.map((cell) => ({ ...cell, runs: [...(runners.get(cell.id)?.runs ?? [])] })),
});

/** @param {GroupState} state @param {string} id */
const standingOf = ({ cells }, id) => /** @type {Standing} */ (cells.find((cell) => cell.id === id));

/** @param {Turn} turn @returns {Promise<boolean>} whether keys were removed */
async function endWorkers({ runners, context }) {
  const started = [...runners.values()].filter((runner) => runner.isStarted());
  if (started.length === 0) return true;
  const areRemoved = await removeKeys(started, context);
  await Promise.all(started.map((runner) => runner.end()));
  return areRemoved;
}

/** @param {Turn} turn @param {GroupState} asked @param {number} runs as the machine is @returns {Promise<GroupState>} */
async function runStart(turn, asked, runs) {
  const { context, leftMs } = turn;
  const { settings, idlePrevention } = context;
  const { states } = idlePrevention;
  const isFirst = asked.starts === 1;
  const startedMs = performance.now();
  const racing = asked.racing.flatMap((id) => turn.runners.get(id) ?? []);
  context.onEvent({ type: 'start', start: asked.starts, cells: racing.map(({ cell }) => cell) });
  // No cell is always first; where time may not do for all, the user's order counts.
  const isShort = isFirst && asked.isStrict;
  const [order] = isShort ? [racing] : createOrders(racing, 1, settings.seed - asked.starts);
  await moveRelays(turn, WITHOUT_DELAY);
  // More is done in the time of a warm-up where nothing waits for a wake-up.
  idlePrevention.keep(states[settings.warmupRuns > 0 ? states.length - 1 : 0]);
  await checkRoomAgain(racing, context);
  await prepareAll(order, asked.starts, context);
  let state = await warmUpAll(turn, { ...asked, leftMs: leftMs() }, order);
  if (context.signal.aborted) return state;
  idlePrevention.keep(states[0]);
  state = await rewarm(turn, state, order);
  const { distance = WITHOUT_DELAY } = racing[0].cell;
  if (isFirst && isSized(context) && distance.rttMs > 0)
    state = await sizeAtDistance(distance, turn, state, order);
  const planned = statesOf(runs, states, state.starts);
  if (isFirst) state = await size(turn, state, planned.length);
  state = { ...state, warmMs: performance.now() - startedMs };
  if (settings.rateSearch === undefined)
    context.onEvent({ type: 'time-left', leftMs: timeLeft({ ...state, leftMs: leftMs() }, planned) });
  await moveRelays(turn, distance);
  if (isFirst) for (const runner of racing) runner.recordCell();
  if (settings.rateSearch === undefined) return measure(turn, state, racing, planned);
  for (const runner of racing) await search(runner, settings.rateSearch, context);
  return state;
}

/** Whether the tool finds how many iterations a run has. @param {GroupContext} context */
const isSized = ({ settings }) => settings.durationMs === undefined && settings.iterations === 'auto';

/** @param {Turn} turn @param {GroupState} asked @param {CellRunner[]} order @returns {Promise<GroupState>} */
async function warmUpAll({ context, leftMs }, asked, order) {
  const { settings, idlePrevention, signal } = context;
  const isFirst = asked.starts === 1;
  const time = warmUpTime(asked, order.length, { settings, states: idlePrevention.states });
  let state = asked;
  let skipped = null;
  for (const runner of order) {
    const { id } = runner.cell;
    if (signal.aborted) break;
    if (isFirst && settings.budgetMs !== undefined)
      skipped ??= tooLong({ ...state, leftMs: leftMs() }, settings.budgetMs);
    if (skipped !== null) runner.leaveOut(skipped);
    if (settings.warmupRuns === 0 && !(isFirst && isSized(context))) continue;
    // Only in a race is a cell that is far behind left with its row.
    const bestPerMs =
      state.planned === 'race' ? Math.max(...state.cells.map(({ perMs }) => Number(perMs))) : 0;
    const perMs = await warmUp(runner, context, time, bestPerMs);
    if (perMs !== null) state = withFound(state, id, { perMs });
    if (isFirst) emitWarmed(runner, state, context);
  }
  return state;
}

/**
 * @param {CellRunner} runner
 * @param {GroupContext} context
 * @param {WarmUpTime} [time]
 * @param {number} [bestPerMs] of the cells that are warm
 * @returns {Promise<number | null>} iterations of one task in a millisecond; null if it failed
 */
async function warmUp(runner, { settings, signal }, time = FULL_WARM_UP, bestPerMs = 0) {
  const startedMs = performance.now();
  const nextMs = () => nextWindowMs(windows, { ...time, settings }, performance.now() - startedMs, bestPerMs);
  /** @type {Window[]} */
  const windows = [];
  for (let durationMs = nextMs(); durationMs !== null; durationMs = signal.aborted ? null : nextMs()) {
    const window = await runner.warmUp({ durationMs });
    if (window === undefined) return null;
    windows.push(window);
  }
  return perMsIn(windows);
}

/**
 * The heaps of cells shrank and their code left the caches while others warmed up; the first time, this sizes their runs.
 * @param {Turn} turn
 * @param {GroupState} asked
 * @param {CellRunner[]} order
 * @returns {Promise<GroupState>}
 */
async function rewarm({ context }, asked, order) {
  const { settings, idlePrevention } = context;
  if (settings.warmupRuns === 0 || settings.smoke) return asked;
  const found = await takeWindows(order, asked, context);
  if (asked.starts > 1) return asked;
  const warmOf = (/** @type {CellRunner} */ { cell }) => standingOf(asked, cell.id).perMs;
  // A stall in one window would make runs too short, and what is near the best look far behind.
  const isDoubtful = (/** @type {CellRunner} */ runner) =>
    Number(found.get(runner)) < Number(warmOf(runner)) / SUSPICIOUS_DROP;
  const again = await takeWindows(order.filter(isDoubtful), asked, context);
  const wasAwake = idlePrevention.states.length > 1;
  let state = asked;
  for (const runner of order) {
    const all = [found.get(runner), again.get(runner), wasAwake ? null : warmOf(runner)];
    const perMs = Math.max(...all.map(Number).filter(Boolean), 0) || warmOf(runner);
    state = withFound(state, runner.cell.id, { perMs });
    if (wasAwake) emitWarmed(runner, state, context);
  }
  return state;
}

/**
 * What they do from where they are measured, which is so much less that it sizes their runs.
 * @param {Distance} distance
 * @param {Turn} turn
 * @param {GroupState} asked
 * @param {CellRunner[]} order
 * @returns {Promise<GroupState>}
 */
async function sizeAtDistance(distance, turn, asked, order) {
  await moveRelays(turn, distance);
  let state = asked;
  for (const [runner, perMs] of await takeWindows(order, asked, turn.context)) {
    state = withFound(state, runner.cell.id, { perMs });
    emitWarmed(runner, state, turn.context);
  }
  await moveRelays(turn, WITHOUT_DELAY);
  return state;
}

/** @param {CellRunner} runner @param {GroupState} state @param {GroupContext} context */
function emitWarmed({ cell }, state, { onEvent }) {
  const { perMs } = standingOf(state, cell.id);
  if (perMs) onEvent({ type: 'warmed', cell, perMs });
}

/** @param {CellRunner[]} runners @param {GroupState} state @param {GroupContext} context @returns {Promise<Map<CellRunner, number>>} iterations of a task in a millisecond */
async function takeWindows(runners, state, { signal }) {
  const found = new Map();
  for (const runner of runners) {
    if (signal.aborted) break;
    const { perMs, batchSize } = standingOf(state, runner.cell.id);
    // One that takes long has settled all.
    if (Number(perMs) * MEASURING.windowMs < batchSize) continue;
    const window = await runner.warmUp({ durationMs: MEASURING.windowMs });
    if (window !== undefined) found.set(runner, perMsIn([window]));
  }
  return found;
}

/** Others may have filled the server since the last start removed its keys. @param {CellRunner[]} racing @param {GroupContext} context */
async function checkRoomAgain(racing, { placeOf, settings, catalogue }) {
  const cells = racing.map(({ cell }) => cell);
  for (const { server, headroom } of new Set(cells.map(placeOf)))
    await headroom.beforeStart(neededOn(server, [cells], settings, catalogue)?.bytes ?? 0);
}

/**
 * None may start after the turn, even if the server is lost.
 * @param {CellRunner[]} racing
 * @param {number} start
 * @param {GroupContext} context
 */
async function prepareAll(racing, start, { onEvent }) {
  /** @type {unknown[]} */
  const losses = [];
  await pLimit(STARTING_AT_ONCE).map(racing, async (runner) => {
    try {
      await runner.prepare(start);
      onEvent({ type: 'started', cell: runner.cell });
    } catch (lost) {
      losses.push(lost);
      for (const other of racing) other.drop();
    }
  });
  if (losses.length > 0) throw losses[0];
}

/**
 * Relays add no delay while cells connect and warm up: that is far faster and runs the same code.
 * @param {Turn} turn
 * @param {Distance} distance
 */
const moveRelays = ({ relays }, distance) => Promise.all(relays.map((relay) => relay.moveTo(distance)));

/**
 * Sizes runs and their slices by the warm-up of the first start.
 * @param {Turn} turn
 * @param {GroupState} asked
 * @param {number} runs of a start in a race
 * @returns {Promise<GroupState>}
 */
async function size({ runners, context, known, leftMs }, asked, runs) {
  const { settings, signal, idlePrevention } = context;
  const all = [...runners.values()];
  const lengths = sizeRuns(
    {
      ...settings,
      runs: asked.planned === 'race' ? runs : statesOf(settings.runs, idlePrevention.states).length,
    },
    {
      cells: asked.cells,
      divisible: all.every(({ cell }) => isDivisible(cell, context)),
      known,
      mostMs: asked.isStrict ? leftMs() : Number.POSITIVE_INFINITY,
    },
  );
  const cells = asked.cells.map((own) => ({ ...own, size: lengths.get(own.id) ?? own.size }));
  for (const { id, size } of cells) runners.get(id)?.learn({ iterations: size.iterations });
  if (settings.warmupRuns > 0)
    for (const { id, size } of cells)
      if (size.slices > 1 && !signal.aborted) await runners.get(id)?.measureFixedCost();
  return { ...asked, cells };
}

/**
 * Not if slices would lose a backlog, remove data, or need a common start each time.
 * @param {Cell} cell
 * @param {GroupContext} context
 */
const isDivisible = ({ openLoop, chosen, ...cell }, { catalogue, settings }) =>
  openLoop === null &&
  workersOf(cell) === 1 &&
  !settings.smoke &&
  !(catalogue.workloads.get(chosen.workload.id)?.startsEmpty ?? false);

/**
 * Finds the highest sustained rate.
 * @param {CellRunner} runner
 * @param {RateRange} range
 * @param {GroupContext} context
 */
async function search(runner, range, context) {
  const { settings, idlePrevention, signal, onEvent } = context;
  let round = 0;
  /** @type {Tried[]} */
  const tried = [];
  for (let rate = nextRate(range, tried); rate !== null; rate = nextRate(range, tried)) {
    const cell = runner.moveTo(rate);
    /** @type {Run[]} */
    const runs = [];
    /** @type {boolean[]} */
    const votes = [];
    while (agreedOn(votes) === null) {
      await runner.slice(++round, { durationMs: Number(settings.durationMs) });
      const done = await runner.endRun(round, idlePrevention.states[0]);
      // It failed for a reason other than its rate.
      if (signal.aborted || done?.openLoop == null || done.failed !== null) return;
      runs.push(done);
      votes.push(done.openLoop.held);
    }
    const held = agreedOn(votes) === true;
    tried.push({ rate, held });
    onEvent({ type: 'step', cell, held, runs });
  }
  const highest = highestHeld(tried);
  // Profile at the rate that was found.
  if (highest > 0) runner.moveTo(highest);
}

/**
 * The runs of one start, in slices that take turns.
 * @param {Turn} turn
 * @param {GroupState} state
 * @param {CellRunner[]} racing
 * @param {boolean[]} states of the runs
 * @returns {Promise<GroupState>}
 */
async function measure(turn, state, racing, states) {
  const { settings, signal, onEvent, idlePrevention } = turn.context;
  const cells = racing.map(({ cell }) => standingOf(state, cell.id));
  const sizes = new Map(cells.map(({ id, size }) => [id, size]));
  const sizeOf = (/** @type {CellRunner} */ { cell }) => sizes.get(cell.id) ?? UNSIZED;
  const most = Math.max(...cells.map(({ size }) => size.slices));
  const orders = createOrders(racing, states.length * most, settings.seed + state.starts);
  for (const runner of racing) runner.expect(states.length * sizeOf(runner).slices);
  const sets = interleavedSets(cells, states, state);
  let { rounds } = state;
  for (const [run, isAwake] of states.entries()) {
    const round = ++rounds;
    idlePrevention.keep(isAwake);
    const own = orders.splice(0, most);
    for (const set of sets[run]) {
      const ids = new Set(set.map(({ id }) => id));
      for (const [index, order] of own.entries())
        for (const runner of order) {
          const size = sizeOf(runner);
          const slice = sliceAt(index, most, size.slices);
          if (slice !== null && ids.has(runner.cell.id) && !signal.aborted)
            await runner.slice(round, lengthOf(runner, size, slice, turn.context));
        }
    }
    for (const runner of racing) await runner.endRun(round, isAwake);
    if (signal.aborted) break;
    onEvent({ type: 'round-end', round });
    // Slow operations take longer than planned: a run of each cell is worth more than three of the first ones.
    if (settings.races && state.isStrict && turn.leftMs() <= 0) break;
  }
  return { ...state, rounds };
}

/** @param {CellRunner} runner @param {RunSize} size @param {number} slice @param {GroupContext} context @returns {RunLength} */
function lengthOf({ cell }, { iterations, slices }, slice, { settings, catalogue }) {
  if (iterations === null) return { durationMs: Number(settings.durationMs) / slices };
  const counts = sliceIterations(iterations, slices, batchSizeOf(cell.chosen.pipelining, catalogue) ?? 1);
  return { iterations: counts[slice], ofRun: slice === 0 ? iterations : undefined };
}

/** Whether there is time while the cells that will be left behind are still warm. @param {GroupContext['settings']} settings */
const profilesEarly = ({ profile: asked, budgetMs = MEASURING.budgetMs }) =>
  asked?.cells === 'explained' && budgetMs >= MEASURING.budgetMs;

/**
 * Cells that the report will explain: in a race those that are warm, as far as there is time.
 * @param {Turn} turn
 * @param {GroupState} asked
 * @param {Standing[]} among
 * @returns {Promise<GroupState>}
 */
async function profile({ runners, context, leftMs }, asked, among) {
  const { settings, signal } = context;
  if (settings.profile === undefined || signal.aborted || among.length === 0) return asked;
  const isBound = settings.races && settings.profile.cells === 'explained';
  const [{ cell: any }] = runners.values();
  const wanted = wantedProfiles(any.group, context);
  let state = asked;
  for (const { id, isProfiled } of among) {
    const runner = runners.get(id);
    if (!runner || !wanted.has(id) || isProfiled || signal.aborted) continue;
    if (isBound && (leftMs() < MEASURING.profileMs || !runner.isStarted())) continue;
    state = withFound(state, id, { isProfiled: true });
    if (!runner.isStarted()) {
      await runner.prepare(state.starts);
      await warmUp(runner, context);
    }
    await runner.profile();
  }
  return state;
}

/** What the user asked for: all, or those that the report will explain. @param {string} group @param {GroupContext} context @returns {Set<string>} ids */
function wantedProfiles(group, { settings: { profile }, soFar }) {
  const { cells, settings } = soFar(group);
  return profile?.cells === 'explained'
    ? explainedCells(analyse(cells, settings, true).findings)
    : new Set(cells.map(({ id }) => id));
}
