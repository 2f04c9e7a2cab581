import { groupBy } from '../../collections.js';
import { sum } from '../../descriptive-statistics.js';
import { MEASURING } from '../../method.js';
import { createHost } from '../../run/cell-worker.js';
import { createOrders, withRelays } from '../../run/independent-runs.js';
import { turnsOf } from '../../run/plan/capacity.js';
import { batchSizeOf } from '../../run/plan/loads.js';
import { carriedIn, startsOf } from '../../run/plan/plan.js';
import { removeKeys } from '../../server/stored-keys.js';
import { analyse } from './conclude.js';
import { explainedCells } from './findings/slower.js';
import { bestFirst, hasTimeForPass, keptForPassesMs } from './policy/breakdowns.js';
import { UNSIZED } from './policy/run-length.js';
import { cellsIn, chooseCpuStates, interleavedSets, learn, nextStart, withFound } from './policy/starts.js';
import { createCellRunner } from './run-cell.js';
import { isDivisible, visit } from './visit.js';
import { warmUpOf } from './warming.js';

/** @import { Host } from '../../run/cell-worker.js' */
/** @import { Cell } from '../../run/plan/types.js' */
/** @import { DistantServer, GroupContext, RunContext, SetContext } from '../../run/types.js' */
/** @import { Coming, Standing, StartAction, State } from './policy/starts.js' */
/** @import { CellRunner } from './run-cell.js' */
/** @import { Turn } from './visit.js' */

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
      const { settings, idlePrevention } = context;
      const keptMs = keptForPassesMs(settings, cells.length, context.leftMs());
      const leftMs = () => context.leftMs() - keptMs;
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
    cells.every((cell) => {
      const { id, parameter } = cell.chosen.workload;
      // What code of one's own keeps in its process is unknown, and what grows is made anew while others run.
      const isKnown = cell.ownCode === undefined && id !== 'command';
      const grows = context.catalogue.workloads.get(id)?.grows?.(parameter) ?? false;
      const isPlain = cell.topology === 'standalone' && cell.fault === undefined;
      return isKnown && !grows && isPlain && isDivisible(cell, context);
    });
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
  processes: 0,
  cellMs: { cold: MEASURING.startMs + MEASURING.usualWarmUpMs, warm: MEASURING.settledMs },
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
      const { keysRemoved, state: after } = await runStart(turn, state, action);
      removed.push(keysRemoved);
      state = { ...withRuns(turn, after), leftMs: leftMs(), lastMs: beforeMs - leftMs() };
    }
    state = await profile(turn, state, cellsIn(state));
    removed.push(await endWorkers(turn));
    if (turn.context.settings.breakdown !== 'none') removed.push(await breakDown(turn));
    return { lost: null, keysRemoved: removed.every(Boolean), done: state };
  } catch (error) {
    for (const runner of runners) runner.recordCell();
    return { lost: error, keysRemoved: false, done: state };
  } finally {
    signal.removeEventListener('abort', interrupt);
    await Promise.all([...turn.hosts].map((host) => host.end()));
  }
}

/** @param {Turn} turn @param {State} state @returns {State} */
const withRuns = ({ runners }, state) =>
  withFound(state, ({ id }) => ({ runs: [...(runners.get(id)?.runs ?? [])] }));

/**
 * @param {Turn} turn
 * @param {(runner: CellRunner) => Promise<boolean>} remove what it does with the keys of a cell that has a process
 * @returns {Promise<boolean>} whether keys were removed
 */
async function removeAll({ runners, context }, remove) {
  const started = [...runners.values()].filter((runner) => runner.isStarted());
  const all = started.map((runner) => ({ cell: runner.cell, removeKeys: () => remove(runner) }));
  return all.length === 0 || removeKeys(all, context);
}

/** @param {Turn} turn @returns {Promise<boolean>} whether keys were removed */
async function endWorkers(turn) {
  const areRemoved = await removeAll(turn, (runner) => runner.removeKeys());
  await Promise.all([...turn.hosts].map((host) => host.end()));
  return areRemoved;
}

/**
 * Visits each condition that has cells to measure.
 * @param {Turn} turn
 * @param {State} asked
 * @param {Pick<StartAction, 'runs' | 'more'>} action
 */
async function runStart(turn, asked, { runs, more }) {
  const { settings, signal, onEvent } = turn.context;
  const { starts } = asked;
  const racing = asked.conditions.map((each) => each.racing.flatMap((id) => turn.runners.get(id) ?? []));
  onEvent({ type: 'start', start: starts, cells: racing.flat().map(({ cell }) => cell), more });
  // No cell is always first; where time may not do for all, the user's order counts.
  const isShort = starts === 1 && asked.isStrict;
  const visits = visitsOf(racing, isShort ? null : settings.seed + starts);
  let keysRemoved = true;
  let state = { ...asked, processes: sum(visits.map(({ cold }) => cold)) };
  for (const [place, { at }] of visits.entries()) {
    if (signal.aborted) break;
    if (place > 0 && asked.isStrict && turn.leftMs() <= 0) {
      if (starts === 1) leaveOut(racing[at], turn, (visits.length - place) / place);
      continue;
    }
    // Cells have keys in common, so those of all are removed before the first of another condition is stored.
    if (place > 0) keysRemoved = (await removeAll(turn, (runner) => runner.leave())) && keysRemoved;
    const [order] = isShort ? [racing[at]] : createOrders(racing[at], 1, settings.seed - starts);
    state = await visit(turn, state, {
      at,
      visits,
      place,
      racing: racing[at],
      order,
      runs,
    });
    const { cells } = state.conditions[at];
    const [[, farBehind = []]] = interleavedSets(cells, [true], state);
    if (visits.length === 1 && profilesEarly(settings)) state = await profile(turn, state, farBehind);
  }
  return { state, keysRemoved };
}

/**
 * First those that no process serves yet where tasks are the most: processes are warm soonest where they do the most at once, and what
 * that takes is known before the rest.
 * @param {CellRunner[][]} racing in each condition
 * @param {number | null} seed of the order of the others; null for that of the user
 * @returns {Coming[]}
 */
function visitsOf(racing, seed) {
  const open = [...racing.keys()].filter((at) => racing[at].length > 0);
  const tasksAt = (/** @type {number} */ at) => racing[at][0].cell.tasks;
  const started = new Set();
  const startAt = (/** @type {number} */ at) => {
    const own = racing[at].filter(({ host }) => !started.has(host));
    for (const { host } of own) started.add(host);
    return { at, cold: own.length };
  };
  const byTasks = open.toSorted((a, b) => tasksAt(b) - tasksAt(a));
  const homes = byTasks.flatMap((at) =>
    racing[at].some(({ host }) => started.has(host)) ? [] : startAt(at),
  );
  const others = open.filter((place) => !homes.some(({ at }) => at === place));
  const ordered = seed === null || others.length === 0 ? others : createOrders(others, 1, seed)[0];
  return [...homes, ...ordered.map(startAt)];
}

/**
 * The time was over before a start came to this condition.
 * @param {CellRunner[]} runners
 * @param {Turn} turn
 * @param {number} missing part of the time that is missing
 */
function leaveOut(runners, { context, leftMs }, missing) {
  const budgetMs = Number(context.settings.budgetMs);
  const needMs = (budgetMs - leftMs()) * (1 + missing);
  for (const runner of runners) {
    runner.leaveOut({ kind: 'no-time', budgetMs, needMs });
    runner.recordCell();
  }
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
    state = learn(state, id, { isProfiled: true });
    if (!runner.isStarted()) {
      await runner.prepare(state.starts);
      const warmUp = warmUpOf(runner, context);
      while (!(await warmUp.further()));
    }
    await runner.profile();
  }
  return state;
}

/** After all else: it needs processes of its own. @param {Turn} turn @returns {Promise<boolean>} whether its keys were removed */
async function breakDown({ runners, context }) {
  const { settings, idlePrevention, leftMs, soFar } = context;
  const { takeBreakdown, whyImpossible } = await import('../breakdown/take.js');
  idlePrevention.keep(idlePrevention.states[0]);
  const standings = [...runners.values()].flatMap((runner) => {
    const { id, group } = runner.current();
    const { summary = null } = soFar(group).cells.find((cell) => cell.id === id) ?? {};
    return summary === null ? [] : [{ runner, group, opsPerSecond: summary.opsPerSecond, summary }];
  });
  const removed = [];
  for (const { runner, summary } of bestFirst(standings)) {
    const { current, learn, recordCell } = runner;
    const cell = current();
    const noBreakdown = whyImpossible(cell, context);
    const isTaken = noBreakdown === null && hasTimeForPass(settings, runners.size, removed.length, leftMs());
    if (cell.floor || context.signal.aborted || (!isTaken && settings.breakdown === 'best')) continue;
    if (isTaken)
      removed.push(
        await takeBreakdown(cell, context, summary, (known) => {
          learn(known);
          recordCell();
        }),
      );
    else {
      learn({ noBreakdown: noBreakdown ?? { kind: 'no-time-for-pass' } });
      recordCell();
    }
  }
  return removed.every(Boolean);
}

/** What the user asked for: all, or those that the report will explain. @param {string} group @param {GroupContext} context @returns {Set<string>} ids */
function wantedProfiles(group, { settings: { profile }, soFar }) {
  const { cells, settings } = soFar(group);
  return profile?.cells === 'explained'
    ? explainedCells(analyse(cells, settings, true).findings)
    : new Set(cells.map(({ id }) => id));
}
