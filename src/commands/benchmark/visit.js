/** What a start does in a condition: its cells are prepared, warmed up, sized the first time, and measured. */
import pLimit from 'p-limit';
import { MEASURING } from '../../method.js';
import { createOrders } from '../../run/independent-runs.js';
import { neededOn } from '../../run/memory-check.js';
import { batchSizeOf, waitOf, workersOf } from '../../run/plan/loads.js';
import { agreedOn, highestHeld, nextRate } from './policy/rate-search.js';
import { sizeRuns, sliceAt, sliceIterations, UNSIZED } from './policy/run-length.js';
import {
  interleavedSets,
  learn,
  runsInTime,
  standingOf,
  statesOf,
  timeLeft,
  withFound,
} from './policy/starts.js';
import { emitWarmed, isSized, rewarm, settle, takeWindows, warmUpAll } from './warming.js';

/** @import { RateRange } from '../../options/types.js' */
/** @import { Distance } from '../../relay/types.js' */
/** @import { Host } from '../../run/cell-worker.js' */
/** @import { Cell } from '../../run/plan/types.js' */
/** @import { DistantServer, GroupContext } from '../../run/types.js' */
/** @import { Run } from '../../store/types.js' */
/** @import { RunLength } from '../../worker/types.js' */
/** @import { Tried } from './policy/rate-search.js' */
/** @import { RunSize } from './policy/run-length.js' */
/** @import { Coming, State } from './policy/starts.js' */
/** @import { CellRunner } from './run-cell.js' */

/**
 * What carries out a turn: cells whose workers run at the same time. Those of one client and scenario in several conditions
 * share a process, which visits these one after the other.
 * @typedef {object} Turn
 * @property {Map<string, CellRunner>} runners by the id of their cell
 * @property {Set<Host>} hosts
 * @property {DistantServer[][]} relays of each condition
 * @property {GroupContext} context
 * @property {() => number} leftMs
 * @property {number | undefined} known iterations of a slice in the turn before
 *
 * @typedef {object} Visit of a start to a condition
 * @property {number} at which condition
 * @property {Coming[]} visits of this start
 * @property {number} place of this one
 * @property {CellRunner[]} racing
 * @property {CellRunner[]} order the same, shuffled
 * @property {number} runs of each cell, as the machine is; fewer the first time, if the time is short
 */

const WITHOUT_DELAY = { rttMs: 0, jitterPercent: 0 };
/** Nothing is measured while workers start, so several may start at once. */
const STARTING_AT_ONCE = 4;

/**
 * The process of a start is warmed up once. In other conditions it only settles.
 * @param {Turn} turn
 * @param {State} asked
 * @param {Visit} visited
 * @returns {Promise<State>}
 */
export async function visit(turn, asked, visited) {
  const { context, leftMs } = turn;
  const { settings, idlePrevention, onEvent } = context;
  const { at, racing, order } = visited;
  const isFirst = asked.starts === 1;
  const isAlone = asked.conditions.length === 1;
  const startedMs = performance.now();
  const { distance = WITHOUT_DELAY } = racing[0].cell;
  if (!isAlone) context.tellGroup(racing[0].cell);
  await moveRelays(turn, at, WITHOUT_DELAY);
  // More is done in the time of a warm-up where nothing waits for a wake-up.
  idlePrevention.keep(idlePrevention.states[settings.warmupRuns > 0 ? idlePrevention.states.length - 1 : 0]);
  await checkRoomAgain(racing, context);
  await prepareAll(order, asked.starts, context);
  const cold = order.filter((runner) => !runner.isWarm());
  let state = await warmUpAll(turn, { ...asked, leftMs: leftMs() }, cold, at);
  if (context.signal.aborted) return state;
  idlePrevention.keep(idlePrevention.states[0]);
  const isFar = distance.rttMs > 0;
  if (isFar && cold.length === 0) await moveRelays(turn, at, distance);
  // They were warmed up in turn, just now and as they are measured.
  const isSettled = cold.length === order.length && idlePrevention.states.length === 1;
  const settles = isFar || cold.length < order.length;
  if (!isSettled && (isFirst || !settles)) state = await rewarm(turn, state, order);
  await moveRelays(turn, at, distance);
  if (isFirst && isSized(context) && isFar && cold.length > 0)
    state = await sizeAtDistance(turn, state, order);
  if (settles) state = await settle(turn, state, order);
  if (isFirst) state = await size(turn, state, visited);
  const tookMs = performance.now() - startedMs;
  const cellMs = { ...state.cellMs };
  if (cold.length === order.length) cellMs.cold = tookMs / order.length;
  if (cold.length === 0) cellMs.warm = tookMs / order.length;
  state = { ...state, warmMs: state.warmMs + tookMs, cellMs };
  const isPlanned = state.planned === 'race' && (isFirst || !isAlone);
  const runs = isPlanned
    ? runsInTime(visited.visits, visited.place, visited.runs, state, leftMs())
    : visited.runs;
  const states = statesOf(runs, idlePrevention.states, state.starts);
  if (settings.rateSearch === undefined && isAlone)
    onEvent({ type: 'time-left', leftMs: timeLeft({ ...state, leftMs: leftMs() }, states) });
  if (isFirst) for (const runner of racing) runner.recordCell();
  if (settings.rateSearch !== undefined) {
    for (const runner of racing) await search(runner, settings.rateSearch, context);
    return state;
  }
  return measure(turn, state, racing, states);
}

/**
 * What they do from where they are measured, which is so much less that it sizes their runs.
 * @param {Turn} turn
 * @param {State} asked
 * @param {CellRunner[]} order
 * @returns {Promise<State>}
 */
async function sizeAtDistance({ context }, asked, order) {
  let state = asked;
  for (const [runner, perMs] of await takeWindows(order, asked, context)) {
    state = learn(state, runner.cell.id, { perMs });
    emitWarmed(runner, state, context);
  }
  return state;
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
 * @param {number} at which condition
 * @param {Distance} distance
 */
const moveRelays = ({ relays }, at, distance) =>
  Promise.all(relays[at].map((relay) => relay.moveTo(distance)));

/**
 * Sizes runs and their slices by the warm-up of the first start.
 * @param {Turn} turn
 * @param {State} asked
 * @param {Visit} visited
 * @returns {Promise<State>}
 */
async function size({ runners, context, known, leftMs }, asked, { at, visits, place, racing }) {
  const { settings, signal, idlePrevention } = context;
  const runs = asked.planned === 'race' ? MEASURING.runs : settings.runs;
  const lengths = sizeRuns(
    { ...settings, runs: statesOf(runs, idlePrevention.states).length },
    {
      cells: asked.conditions[at].cells,
      divisible: racing.every(({ cell }) => isDivisible(cell, context)),
      sameWork: racing.some(({ cell }) => fillsAsItGoes(cell, context)),
      known,
      mostMs: asked.isStrict ? leftMs() / (visits.length - place) : Number.POSITIVE_INFINITY,
    },
  );
  const state = withFound(asked, ({ id, size: before }) => ({ size: lengths.get(id) ?? before }));
  for (const { id, size } of state.conditions[at].cells) {
    runners.get(id)?.learn({ iterations: size.iterations });
    if (settings.warmupRuns > 0 && size.slices > 1 && !signal.aborted)
      await runners.get(id)?.measureFixedCost();
  }
  return state;
}

/**
 * Not if slices would lose a backlog, remove data, wait for a command that waits by itself, or need a common start each time.
 * @param {Cell} cell
 * @param {Pick<GroupContext, 'catalogue' | 'settings'>} context
 */
export const isDivisible = ({ openLoop, chosen, ...cell }, { catalogue, settings }) =>
  openLoop === null &&
  workersOf(cell) === 1 &&
  !settings.smoke &&
  waitOf(chosen.workload, catalogue) === 0 &&
  !catalogue.workloads.get(chosen.workload.id)?.startsEmpty?.(chosen.workload.parameter);

/** @param {Pick<Cell, 'chosen'>} cell @param {Pick<GroupContext, 'catalogue'>} context */
const fillsAsItGoes = ({ chosen: { workload } }, { catalogue }) =>
  catalogue.workloads.get(workload.id)?.fillsAsItGoes?.(workload.parameter) === true;

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
 * The runs of one start in a condition, in slices that take turns.
 * @param {Turn} turn
 * @param {State} state
 * @param {CellRunner[]} racing
 * @param {boolean[]} states of the runs
 * @returns {Promise<State>}
 */
async function measure(turn, state, racing, states) {
  const { settings, signal, onEvent, idlePrevention } = turn.context;
  const cells = racing.map((runner) => standingOf(state, runner.cell.id));
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
          if (slice === null || !ids.has(runner.cell.id) || signal.aborted) continue;
          const hasEvicted = await runner.slice(round, lengthOf(runner, size, slice, turn.context));
          // That ends the benchmark; others would only miss what is no longer there.
          if (hasEvicted) await runner.endRun(round, isAwake);
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
