import pLimit from 'p-limit';
import { groupBy } from '../../collections.js';
import { MEASURING } from '../../method.js';
import { createHost } from '../../run/cell-worker.js';
import { createOrders, withRelays } from '../../run/independent-runs.js';
import { neededOn } from '../../run/memory-check.js';
import { turnsOf } from '../../run/plan/capacity.js';
import { batchSizeOf, workersOf } from '../../run/plan/loads.js';
import { carriedIn, startsOf } from '../../run/plan/plan.js';
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
/** @import { Host } from '../../run/cell-worker.js' */
/** @import { GroupContext, RunContext, SetContext } from '../../run/types.js' */
/** @import { RateRange } from '../../options/types.js' */
/** @import { Run } from '../../store/types.js' */
/** @import { RunSize } from './policy/run-length.js' */
/** @import { Standing, State } from './policy/starts.js' */
/** @import { Tried } from './policy/rate-search.js' */
/** @import { WarmUpTime, Window } from './policy/warm-up.js' */
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
 * @property {number} visitsLeft with this one
 * @property {CellRunner[]} racing
 * @property {CellRunner[]} order the same, shuffled
 * @property {boolean[]} states of its runs
 */

const WITHOUT_DELAY = { rttMs: 0, jitterPercent: 0 };
/** A window that shows so much less than the warm-up is looked at twice; of the machine as it is, some clients do. */
const SUSPICIOUS_DROP = 2;
/** Nothing is measured while workers start, so several may start at once. */
const STARTING_AT_ONCE = 4;

/**
 * A failed cell drops out; a lost server ends the group. Workers take turns if this machine cannot hold all of them.
 * @param {Cell[]} cells of one group, or of those that are measured together
 * @param {GroupContext} context
 */
export const runGroup = (cells, context) =>
  withAllRelays(
    groupBy(cells, ({ distance }) => JSON.stringify(distance)),
    context,
    async (contextOf, relaysOf) => {
      /** @type {{lost: unknown, keysRemoved: boolean}} */
      const outcome = { lost: null, keysRemoved: true };
      /** @type {number | undefined} */
      let known;
      const { leftMs, settings, idlePrevention } = context;
      const groupsOfAll = groupBy(cells, ({ group }) => group);
      // Those that are measured together fit at once.
      const turns = groupsOfAll.length > 1 ? [cells] : turnsOf(cells, context.capacity);
      for (const [index, own] of turns.entries()) {
        if (outcome.lost !== null || context.signal.aborted) break;
        const hostOf = hostsFor(own);
        const runners = new Map(
          own.map((cell) => [cell.id, createCellRunner(cell, contextOf(cell), hostOf(cell))]),
        );
        const untilLeftMs = leftMs() * (1 - 1 / (turns.length - index));
        const leftInTurn = () => leftMs() - untilLeftMs;
        const groups = groupBy(own, ({ group }) => group);
        const state = stateOf(groups, leftInTurn(), context);
        const states =
          settings.cpus === undefined ? chooseCpuStates(state, idlePrevention.states) : idlePrevention.states;
        const turn = {
          runners,
          hosts: new Set(own.map(hostOf)),
          relays: groups.map(([cell]) => relaysOf(cell)),
          context: { ...context, idlePrevention: { ...idlePrevention, states } },
          leftMs: leftInTurn,
          known,
        };
        const { lost, keysRemoved, done } = await runTurn(turn, state);
        const perSlice = done.conditions.flatMap((each) =>
          each.cells.map(({ size: { iterations, slices } }) => (iterations ?? 0) / slices),
        );
        known ??= Math.max(0, ...perSlice) || undefined;
        outcome.lost = lost;
        outcome.keysRemoved &&= keysRemoved;
      }
      return outcome;
    },
  );

/**
 * With the relays of each distance.
 * @template T
 * @param {Cell[][]} distances cells of each
 * @param {GroupContext} context
 * @param {(contextOf: (cell: Cell) => RunContext, relaysOf: (cell: Cell) => DistantServer[]) => Promise<T>} work
 * @returns {Promise<T>}
 */
const withAllRelays = ([cells, ...others], context, work) =>
  withRelays(cells, context, (contextOf, relays) =>
    others.length === 0
      ? work(contextOf, () => relays)
      : withAllRelays(others, context, (contextOfOther, relaysOfOther) =>
          work(
            (cell) => (cells.includes(cell) ? contextOf(cell) : contextOfOther(cell)),
            (cell) => (cells.includes(cell) ? relays : relaysOfOther(cell)),
          ),
        ),
  );

/**
 * Groups of closed loops of one workload are measured together, where their workers fit at once: a start visits all of them.
 * @param {Cell[][]} groups
 * @param {SetContext} context
 * @returns {Cell[][][]}
 */
export function setsOf(groups, context) {
  const { settings, capacity, startWorkers } = context;
  const isEarly = settings.profile === undefined || settings.profile.cells === 'explained';
  const isPossible = settings.races && !settings.smoke && isEarly && startWorkers === undefined;
  const [, ...others] = groups;
  const canVisit = (/** @type {Cell[]} */ cells) =>
    startsOf(settings, cells) === 'race' &&
    cells.every(
      (cell) =>
        isDivisible(cell, context) &&
        cell.topology === 'standalone' &&
        cell.fault === undefined &&
        // What code of one's own keeps in its process is unknown.
        cell.ownCode === undefined &&
        cell.chosen.workload.id !== 'command',
    );
  if (!isPossible || others.length === 0) return groups.map((cells) => [cells]);
  const visitable = groups.filter(canVisit);
  const sets = groupBy(visitable, ([{ workload }]) => workload).flatMap((set) => {
    const hosted = carriedIn(set.flat()).map(([cell]) => cell);
    return turnsOf(hosted, capacity).length === 1 ? [set] : set.map((cells) => [cells]);
  });
  return [...sets, ...groups.filter((cells) => !visitable.includes(cells)).map((cells) => [cells])];
}

/** @param {Cell[]} cells @returns {(cell: Cell) => Host} */
function hostsFor(cells) {
  const hosts = new Map(
    carriedIn(cells).flatMap((own) => {
      const host = createHost();
      return own.map((cell) => /** @type {const} */ ([cell, host]));
    }),
  );
  return (cell) => /** @type {Host} */ (hosts.get(cell));
}

/** Before the first start. @param {Cell[][]} groups @param {number} leftMs @param {GroupContext} context @returns {State} */
const stateOf = (groups, leftMs, { settings, catalogue }) => ({
  planned: startsOf(settings, groups[0]),
  isStrict: settings.budgetMs !== undefined,
  conditions: groups.map((cells) => ({
    cells: cells.map(({ id, keySize, valueSize, chosen }) => ({
      id,
      keySize,
      valueSize,
      runs: [],
      perMs: null,
      batchSize: batchSizeOf(chosen.pipelining, catalogue) ?? 1,
      size: UNSIZED,
      isProfiled: false,
    })),
    racing: [],
    waiting: [],
  })),
  starts: 0,
  rounds: 0,
  leftMs,
  lastMs: 0,
  warmMs: 0,
});

/** Carries out what the policy asks for, until it asks for nothing more. @param {Turn} turn @param {State} initial */
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
      const { conditions } = action;
      state = {
        ...state,
        conditions: state.conditions.map((each, at) => ({ ...each, ...conditions[at] })),
        starts: state.starts + 1,
        warmMs: 0,
      };
      const { keysRemoved, state: after } = await runStart(turn, state, action.runs);
      removed.push(keysRemoved);
      state = { ...withRuns(turn, after), leftMs: leftMs(), lastMs: beforeMs - leftMs() };
    }
    state = await profile(turn, state, cellsIn(state));
    removed.push(await endWorkers(turn));
    return { lost: null, keysRemoved: removed.every(Boolean), done: state };
  } catch (error) {
    for (const runner of runners) runner.recordCell();
    return { lost: error, keysRemoved: false, done: state };
  } finally {
    signal.removeEventListener('abort', interrupt);
    await Promise.all([...turn.hosts].map((host) => host.end()));
  }
}

/** @param {State} state */
const cellsIn = ({ conditions }) => conditions.flatMap(({ cells }) => cells);

/** @param {State} state @param {(cell: Standing) => Partial<Standing>} find @returns {State} */
const withFound = (state, find) => ({
  ...state,
  conditions: state.conditions.map((condition) => ({
    ...condition,
    cells: condition.cells.map((cell) => ({ ...cell, ...find(cell) })),
  })),
});

/** @param {Turn} turn @param {State} state @returns {State} */
const withRuns = ({ runners }, state) =>
  withFound(state, ({ id }) => ({ runs: [...(runners.get(id)?.runs ?? [])] }));

/** @param {State} state @param {CellRunner} runner */
const standingOf = (state, { cell }) =>
  /** @type {Standing} */ (cellsIn(state).find(({ id }) => id === cell.id));

/** @param {State} state @param {CellRunner} runner @param {Partial<Standing>} found @returns {State} */
const learn = (state, { cell }, found) => withFound(state, ({ id }) => (id === cell.id ? found : {}));

/** @param {Turn} turn */
const startedOf = ({ runners }) => [...runners.values()].filter((runner) => runner.isStarted());

/** @param {Turn} turn @returns {Promise<boolean>} whether keys were removed */
async function endWorkers(turn) {
  const started = startedOf(turn);
  const areRemoved = started.length === 0 || (await removeKeys(started, turn.context));
  await Promise.all([...turn.hosts].map((host) => host.end()));
  return areRemoved;
}

/**
 * Cells have keys in common, so those of all are removed before the first of another condition is stored.
 * @param {Turn} turn
 * @returns {Promise<boolean>} whether keys were removed
 */
async function leaveAll(turn) {
  const started = startedOf(turn).map(({ cell, leave }) => ({ cell, removeKeys: leave }));
  return started.length === 0 || removeKeys(started, turn.context);
}

/**
 * Visits each condition that has cells to measure.
 * @param {Turn} turn
 * @param {State} asked
 * @param {number} runs of each cell, as the machine is
 */
async function runStart(turn, asked, runs) {
  const { settings, signal, onEvent, idlePrevention } = turn.context;
  const { starts } = asked;
  const racing = asked.conditions.map((each) => each.racing.flatMap((id) => turn.runners.get(id) ?? []));
  onEvent({ type: 'start', start: starts, cells: racing.flat().map(({ cell }) => cell) });
  const open = [...racing.keys()].filter((at) => racing[at].length > 0);
  // No cell is always first; where time may not do for all, the user's order counts.
  const isShort = starts === 1 && asked.isStrict;
  const [visits] = isShort ? [open] : createOrders(open, 1, settings.seed + starts);
  let keysRemoved = true;
  let state = asked;
  for (const [place, at] of visits.entries()) {
    if (signal.aborted) break;
    if (place > 0) keysRemoved = (await leaveAll(turn)) && keysRemoved;
    const [order] = isShort ? [racing[at]] : createOrders(racing[at], 1, settings.seed - starts);
    state = await visit(turn, state, {
      at,
      visitsLeft: visits.length - place,
      racing: racing[at],
      order,
      states: statesOf(runs, idlePrevention.states, starts),
    });
  }
  return { state, keysRemoved };
}

/**
 * The process of a start is warmed up once. In other conditions it only settles.
 * @param {Turn} turn
 * @param {State} asked
 * @param {Visit} visited
 * @returns {Promise<State>}
 */
async function visit(turn, asked, visited) {
  const { context, leftMs } = turn;
  const { settings, idlePrevention, onEvent } = context;
  const { at, racing, order, states } = visited;
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
  state = await rewarm(turn, state, order);
  if (isFirst && isSized(context) && isFar && cold.length > 0)
    state = await sizeAtDistance(turn, state, visited, distance);
  if (isFirst) state = await size(turn, state, visited);
  state = { ...state, warmMs: state.warmMs + performance.now() - startedMs };
  if (settings.rateSearch === undefined && isAlone)
    onEvent({ type: 'time-left', leftMs: timeLeft({ ...state, leftMs: leftMs() }, states) });
  await moveRelays(turn, at, distance);
  if (isFirst) for (const runner of racing) runner.recordCell();
  if (settings.rateSearch !== undefined) {
    for (const runner of racing) await search(runner, settings.rateSearch, context);
    return state;
  }
  state = await measure(turn, state, visited);
  const [[, farBehind = []]] = interleavedSets(state.conditions[at].cells, [true], state);
  return profilesEarly(settings) && isAlone ? profile(turn, state, farBehind) : state;
}

/** Whether the tool finds how many iterations a run has. @param {GroupContext} context */
const isSized = ({ settings }) => settings.durationMs === undefined && settings.iterations === 'auto';

/**
 * @param {Turn} turn
 * @param {State} asked
 * @param {CellRunner[]} order
 * @param {number} at which condition
 * @returns {Promise<State>}
 */
async function warmUpAll({ context, leftMs }, asked, order, at) {
  const { settings, idlePrevention, signal } = context;
  const isFirst = asked.starts === 1;
  const time = warmUpTime(asked, order.length, { settings, states: idlePrevention.states });
  let state = asked;
  let skipped = null;
  for (const runner of order) {
    if (signal.aborted) break;
    if (isFirst && settings.budgetMs !== undefined)
      skipped ??= tooLong(state.conditions[at], leftMs(), settings.budgetMs);
    if (skipped !== null) runner.leaveOut(skipped);
    if (settings.warmupRuns === 0 && !(isFirst && isSized(context))) continue;
    // Only in a race is a cell that is far behind left with its row.
    const known = state.planned === 'race' ? state.conditions[at].cells : [];
    const bestPerMs = Math.max(0, ...known.map(({ perMs }) => Number(perMs)));
    const perMs = await warmUp(runner, context, time, bestPerMs);
    runner.warmed();
    if (perMs !== null) state = learn(state, runner, { perMs });
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
 * The heaps of cells shrank and their code left the caches while others warmed up, or they come from another condition; the first
 * time, this sizes their runs.
 * @param {Turn} turn
 * @param {State} asked
 * @param {CellRunner[]} order
 * @returns {Promise<State>}
 */
async function rewarm({ context }, asked, order) {
  const { settings, idlePrevention } = context;
  if (settings.warmupRuns === 0 || settings.smoke) return asked;
  const found = await takeWindows(order, asked, context);
  if (asked.starts > 1) return asked;
  const warmOf = (/** @type {CellRunner} */ runner) => standingOf(asked, runner).perMs;
  // A stall in one window would make runs too short, and what is near the best look far behind.
  const isDoubtful = (/** @type {CellRunner} */ runner) =>
    Number(found.get(runner)) < Number(warmOf(runner)) / SUSPICIOUS_DROP;
  const again = await takeWindows(order.filter(isDoubtful), asked, context);
  const wasAwake = idlePrevention.states.length > 1;
  let state = asked;
  for (const runner of order) {
    const all = [found.get(runner), again.get(runner), wasAwake ? null : warmOf(runner)];
    const perMs = Math.max(...all.map(Number).filter(Boolean), 0) || warmOf(runner);
    state = learn(state, runner, { perMs });
    if (wasAwake || warmOf(runner) === null) emitWarmed(runner, state, context);
  }
  return state;
}

/**
 * What they do from where they are measured, which is so much less that it sizes their runs.
 * @param {Turn} turn
 * @param {State} asked
 * @param {Visit} visited
 * @param {Distance} distance
 * @returns {Promise<State>}
 */
async function sizeAtDistance(turn, asked, { at, order }, distance) {
  await moveRelays(turn, at, distance);
  let state = asked;
  for (const [runner, perMs] of await takeWindows(order, asked, turn.context)) {
    state = learn(state, runner, { perMs });
    emitWarmed(runner, state, turn.context);
  }
  await moveRelays(turn, at, WITHOUT_DELAY);
  return state;
}

/** @param {CellRunner} runner @param {State} state @param {GroupContext} context */
function emitWarmed(runner, state, { onEvent }) {
  const { perMs } = standingOf(state, runner);
  if (perMs) onEvent({ type: 'warmed', cell: runner.cell, perMs });
}

/** @param {CellRunner[]} runners @param {State} state @param {GroupContext} context @returns {Promise<Map<CellRunner, number>>} iterations of a task in a millisecond */
async function takeWindows(runners, state, { signal }) {
  const found = new Map();
  for (const runner of runners) {
    if (signal.aborted) break;
    const { perMs, batchSize } = standingOf(state, runner);
    // One that takes long has settled all.
    if (perMs !== null && perMs * MEASURING.windowMs < batchSize) continue;
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
async function size({ runners, context, known, leftMs }, asked, { at, visitsLeft, racing, states }) {
  const { settings, signal, idlePrevention } = context;
  const isRace = asked.planned === 'race';
  const lengths = sizeRuns(
    { ...settings, runs: isRace ? states.length : statesOf(settings.runs, idlePrevention.states).length },
    {
      cells: asked.conditions[at].cells,
      divisible: racing.every(({ cell }) => isDivisible(cell, context)),
      known,
      mostMs: asked.isStrict ? leftMs() / visitsLeft : Number.POSITIVE_INFINITY,
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
 * Not if slices would lose a backlog, remove data, or need a common start each time.
 * @param {Cell} cell
 * @param {Pick<GroupContext, 'catalogue' | 'settings'>} context
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
 * The runs of one start in a condition, in slices that take turns.
 * @param {Turn} turn
 * @param {State} state
 * @param {Visit} visited
 * @returns {Promise<State>}
 */
async function measure(turn, state, { racing, states }) {
  const { settings, signal, onEvent, idlePrevention } = turn.context;
  const cells = racing.map((runner) => standingOf(state, runner));
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
 * @param {State} asked
 * @param {Standing[]} among
 * @returns {Promise<State>}
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
    state = learn(state, runner, { isProfiled: true });
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
