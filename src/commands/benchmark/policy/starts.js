/**
 * Which cells a start has, how many runs, and when there are enough of them. Pure: what has been measured goes in, what to do next
 * comes out.
 */
import { mean, sum } from '../../../descriptive-statistics.js';
import { MEASURING } from '../../../method.js';
import { behind, openIn, scatterOf } from '../../../statistics/race.js';
import { UNSIZED } from './run-length.js';

/** @import { Run } from '../../../store/types.js' */
/** @import { RunSize, Warm } from './run-length.js' */

/**
 * @typedef {Required<Warm> & {runs: Run[], size: RunSize, isProfiled: boolean}} Standing what is known of a cell; `runs`: of all
 *   its starts
 *
 * @typedef {object} Condition a group of cells
 * @property {Standing[]} cells
 * @property {string[]} racing ids of the cells of the last start
 * @property {string[]} waiting of those that were left out for lack of time only
 *
 * @typedef {object} State of the groups that are measured together: each start visits all that are still open
 * @property {'race' | number[]} planned a race, or the runs of each start
 * @property {boolean} isStrict whether the user set the time; otherwise two cells at least have two starts, for one claims nothing
 * @property {Condition[]} conditions
 * @property {number} starts so far, with the current one
 * @property {number} rounds so far
 * @property {number} leftMs
 * @property {number} lastMs that the last start took
 * @property {number} warmMs that it took before the first runs of its conditions
 * @property {number} processes that the last start had
 * @property {{cold: number, warm: number}} cellMs what a cell took before its runs, whose process was started for it, or came from another
 *   condition
 *
 * @typedef {object} StartAction
 * @property {Pick<Condition, 'racing' | 'waiting'>[]} conditions which cells take part in each
 * @property {number} runs of each cell, as the machine is; at most, where visits take as many as there is time for
 * @property {number} [more] starts of as many cells that there is time for after this one
 */

/** @typedef {{at: number, cold: number}} Coming of a start to a condition; `cold`: cells whose processes are started for it */

/** @param {Pick<State, 'conditions'>} state */
export const cellsIn = ({ conditions }) => conditions.flatMap(({ cells }) => cells);

/** @param {State} state @param {string} id of a cell @returns {Standing} */
export const standingOf = (state, id) =>
  /** @type {Standing} */ (cellsIn(state).find((cell) => cell.id === id));

/**
 * What was found out about cells.
 * @param {State} state
 * @param {(cell: Standing) => Partial<Standing>} find
 * @returns {State}
 */
export const withFound = (state, find) => ({
  ...state,
  conditions: state.conditions.map((condition) => ({
    ...condition,
    cells: condition.cells.map((cell) => ({ ...cell, ...find(cell) })),
  })),
});

/** @param {State} state @param {string} id of a cell @param {Partial<Standing>} found @returns {State} */
export const learn = (state, id, found) => withFound(state, (cell) => (cell.id === id ? found : {}));

/** @param {State} state @returns {StartAction | null} null once nothing more is to be measured */
export function nextStart(state) {
  const { conditions, planned, starts } = state;
  if (starts === 0) {
    const all = conditions.map(({ cells }) => ({ racing: idsOf(cells), waiting: [] }));
    return { conditions: all, runs: planned === 'race' ? MEASURING.usualRuns : planned[0] };
  }
  const standing = conditions.map(({ cells, racing }) =>
    cells.filter((cell) => racing.includes(cell.id) && !hasFailed(cell)),
  );
  if (standing.every(({ length }) => length === 0)) return null;
  return planned === 'race' ? nextOfRace(state, standing) : nextOfPlan(state, planned, standing);
}

/** After a start; a cell for which there was no time has no run. @param {Standing} cell */
const hasFailed = ({ runs }) => runs.length === 0 || runs.some(({ failed }) => failed !== null);

/** @param {Standing[]} cells */
const idsOf = (cells) => cells.map(({ id }) => id);

/** @param {Standing[][]} all */
const countIn = (all) => sum(all.map(({ length }) => length));

/**
 * As many starts for each cell, as far as there is time.
 * @param {State} state
 * @param {number[]} planned
 * @param {Standing[][]} standing
 * @returns {StartAction | null}
 */
function nextOfPlan({ starts, isStrict, leftMs, lastMs }, planned, standing) {
  if (starts === planned.length || (isStrict && leftMs < lastMs)) return null;
  const conditions = standing.map((cells) => ({ racing: idsOf(cells), waiting: [] }));
  return { conditions, runs: planned[starts] };
}

/**
 * More starts for the cells near the best, until the order at the top is decided, a tie is known, or the time is over. For lack
 * of time, cells are left out only after the first start and before the last one, because starts that all cells have in common
 * show the most. Cells that were left out get what remains of the time once the others are decided.
 * @param {State} state
 * @param {Standing[][]} standing
 * @returns {StartAction | null}
 */
function nextOfRace(state, standing) {
  const { conditions, starts, isStrict, leftMs, lastMs } = state;
  if (starts === MEASURING.mostStarts) return null;
  const isAlone = conditions.length === 1;
  const firstLook = isAlone ? MEASURING.firstLook : MEASURING.firstLookOfSeveral;
  const leastStarts = isAlone ? MEASURING.leastStarts : MEASURING.leastStartsOfSeveral;
  const nextMs = (lastMs / countIn(standing)) * (starts === 1 ? MEASURING.laterCost : 1);
  const mostInAll = leftMs / (leastStarts - 1) / nextMs;
  const next = standing.map((own, place) => {
    const { cells, waiting } = conditions[place];
    if (own.length === 0) return { racing: [], waiting: [] };
    if (starts === 1) return afterFirst(own, mostInAll / standing.length);
    if (starts < firstLook) return { racing: own, waiting };
    const peers = conditions.filter((_, other) => other !== place).map((other) => other.cells);
    const racing = openIn(own, cells, starts - firstLook + 1, peers);
    return racing.length > 0 ? { racing, waiting } : withWaiting(own, conditions[place]);
  });
  if (next.every(({ racing }) => racing.length === 0)) return null;
  // The last start is for as many as there is time for.
  if (leftMs < 2 * nextMs && (isStrict || starts > 1)) return null;
  const racingNext = next.map(({ racing }) => racing);
  const ownMs = isAlone ? nextMs * countIn(racingNext) : startMsOf(racingNext, state);
  const share = leftMs / ownMs;
  const fitting = next.map(({ racing, waiting }) => ({
    racing: without(racing, behind(racing, 'somewhat'), racing.length * share),
    waiting,
  }));
  const chosen = inTime(fitting, share * countIn(racingNext));
  const runs = isAlone ? runsOf(chosen[0].racing, state) : MEASURING.usualRuns;
  return {
    conditions: chosen.map((each) => ({ ...each, racing: idsOf(each.racing) })),
    runs,
    more: Math.max(
      0,
      Math.floor((share * countIn(racingNext)) / countIn(chosen.map(({ racing }) => racing))) - 1,
    ),
  };
}

/** @param {State['cellMs']} cellMs @param {number} cold cells whose processes are started @param {number} all */
const comingMs = (cellMs, cold, all) => cold * cellMs.cold + (all - cold) * cellMs.warm;

/**
 * About how long a start takes that visits conditions with the fewest runs: most processes are needed in one of them.
 * @param {Standing[][]} racing in each
 * @param {Pick<State, 'conditions' | 'cellMs' | 'processes'>} state
 */
function startMsOf(racing, { conditions, cellMs, processes }) {
  const all = countIn(racing);
  const cold = Math.min(all, processes);
  const ofLater = { ...cellMs, cold: cellMs.cold * MEASURING.laterCost };
  return comingMs(ofLater, cold, all) + leastRuns(conditions) * sum(racing.flat().map(runMsOf));
}

/**
 * Where two cells of each condition are too many, those that had the fewest starts go first.
 * @template {{racing: Standing[]}} Next
 * @param {Next[]} next
 * @param {number} most cells that there is time for
 */
function inTime(next, most) {
  const startsOf = (/** @type {Next} */ { racing }) =>
    new Set(racing[0]?.runs.map(({ start }) => start)).size;
  let left = Math.max(2, most);
  const chosen = new Set(
    next
      .toSorted((a, b) => startsOf(a) - startsOf(b))
      .filter(({ racing }) => {
        const fits = racing.length <= left;
        if (fits) left -= racing.length;
        return fits;
      }),
  );
  return next.map((each) => (chosen.has(each) ? each : { ...each, racing: [] }));
}

/** Some give way where there is no time to start all of them often enough. @param {Standing[]} standing @param {number} most that there is time for */
function afterFirst(standing, most) {
  const near = withTwo(standing, behind(standing, 'surely'));
  const racing = without(near, behind(near, 'likely'), most);
  return { racing, waiting: idsOf(near.filter((cell) => !racing.includes(cell))) };
}

/** Once the others are decided, what waits runs beside the best of them. @param {Standing[]} decided @param {Condition} condition */
function withWaiting(decided, { cells, waiting }) {
  const [best] = decided.filter((cell) => !behind(decided, 'somewhat').includes(cell));
  const waited = cells.filter(({ id }) => waiting.includes(id));
  return { racing: waited.length > 0 ? [best, ...waited] : [], waiting: /** @type {string[]} */ ([]) };
}

/** @param {Standing[]} racing @param {Standing[]} slower the slowest last @param {number} most that there is time for */
function without(racing, slower, most) {
  const tooMany = racing.length - Math.max(2, Math.floor(most));
  return tooMany > 0 ? withTwo(racing, slower.slice(-tooMany)) : racing;
}

/** One cell alone does not show how much starts differ. @param {Standing[]} racing @param {Standing[]} slower the slowest last */
const withTwo = (racing, slower) =>
  racing.filter((cell) => !slower.slice(Math.max(0, 2 - (racing.length - slower.length))).includes(cell));

/**
 * Runs of what is near the best in a visit, once its cells are warm: as many as leave time for the visits of this start that are left,
 * and for the starts that a claim needs, as four starts of three runs show more than three of six.
 * @param {Coming[]} visits of this start
 * @param {number} place of the current one
 * @param {number} most runs
 * @param {Pick<State, 'conditions' | 'starts' | 'cellMs'>} state
 * @param {number} leftMs
 */
export function runsInTime(visits, place, most, { conditions, starts, cellMs }, leftMs) {
  const { leastStarts, leastStartsOfSeveral, laterCost, expectedNear } = MEASURING;
  const isFirst = starts === 1;
  const racing = conditions.map((each) => each.cells.filter(({ id }) => each.racing.includes(id)));
  const own = racing[visits[place].at];
  const near = isFirst ? nearBest(own) : own;
  const runs = leastRuns(conditions);
  const nearIn = racing.map((cells) => {
    // Where no start has been, nobody knows what is near the best.
    if (cells.some(({ size }) => size === UNSIZED))
      return new Array(Math.round(cells.length * expectedNear)).fill(near[0]);
    return isFirst ? nearBest(cells) : cells;
  });
  const msOf = (/** @type {Standing[]} */ cells) => sum(cells.map(runMsOf));
  const left = visits.slice(place);
  const behindMs = runs * msOf(own.filter((cell) => !near.includes(cell)));
  const startMs =
    sum(left.slice(1).map(({ at, cold }) => comingMs(cellMs, cold, racing[at].length))) +
    behindMs * left.length;
  const nearInAll = countIn(nearIn);
  const coldInAll = sum(visits.map(({ cold }) => cold));
  const startsLeft = Math.max(0, (conditions.length > 1 ? leastStartsOfSeveral : leastStarts) - starts);
  const laterMs = startsLeft * laterCost * comingMs(cellMs, Math.min(coldInAll, nearInAll), nearInAll);
  const eachMs = sum(left.map(({ at }) => msOf(nearIn[at]))) + startsLeft * sum(nearIn.map(msOf));
  return Math.max(runs, Math.min(most, Math.floor((leftMs - startMs - laterMs) / eachMs) || runs));
}

/** Of a start in a condition: several conditions show together how much runs vary. @param {Condition[]} conditions */
const leastRuns = ({ length }) => (length > 1 ? MEASURING.runsOfSeveral : MEASURING.runs);

/** @param {Standing} cell @returns {number} about how long a run takes, with the slices that are repeated */
const runMsOf = ({ size }) => REPEATED * (Number(size.runMs) + size.slices * MEASURING.betweenMs);

/** Measured on a machine where one slice in eight was repeated. */
const REPEATED = 1.15;

/**
 * As many runs as bring the most in the time that is left: a start costs much before its first run, and what a start differs
 * from others by, more of its runs do not show. With the variance r of a run and s of a start, the error is least for its cost
 * at sqrt(cost of a start / cost of a run * r / s) runs.
 * @param {Standing[]} racing in the only condition
 * @param {Pick<State, 'starts' | 'conditions' | 'warmMs' | 'leftMs'>} state
 */
function runsOf(racing, { starts, conditions: [last], warmMs, leftMs }) {
  const { usualRuns, mostRuns, leastStarts, laterCost, runs } = MEASURING;
  const startMs = (warmMs / Math.max(1, last.racing.length)) * (starts === 1 ? laterCost : 1);
  const runMs = mean(racing.map(runMsOf));
  const { run, start } = racing.length > 1 ? scatterOf(racing) : { run: 0, start: null };
  const best = start === null ? usualRuns : Math.round(Math.sqrt((startMs / runMs) * (run / start)));
  // Few starts say little, however many runs they have; but time that is too short for another one is best spent in this one.
  const leftEachMs = leftMs / racing.length;
  const fitting = Math.floor(leftEachMs / (startMs + runs * runMs));
  const startsLeft = Math.max(1, Math.min(leastStarts - starts, fitting));
  const inTime = Math.floor((leftEachMs / startsLeft - startMs) / runMs);
  return Math.max(runs, Math.min(mostRuns, best || usualRuns, inTime));
}

/** @typedef {Pick<State, 'planned' | 'starts'> & Partial<Pick<State, 'conditions'>>} Start */

/** @param {Start} start */
const isFirstOfRace = ({ planned, starts }) => planned === 'race' && starts === 1;

/**
 * Those that are no more than so many times slower, as far as warm-ups show.
 * @template {Pick<Standing, 'perMs'>} Cell
 * @param {Cell[]} cells
 * @param {number} [times]
 */
function nearBest(cells, times = MEASURING.farBehind) {
  const least = Math.max(...cells.map(({ perMs }) => Number(perMs))) / times;
  return cells.filter(({ perMs }) => Number(perMs) >= least);
}

/**
 * The runs of a start, in turn. Where both states are measured, those in which processors are kept awake come on top.
 * @param {number} runs as the machine is, unless it is always kept awake @param {boolean[]} states @param {number} [start]
 * @returns {boolean[]} whether processors are kept awake
 */
export function statesOf(runs, [usual, other], start = 1) {
  const all = new Array(runs).fill(usual);
  const kept = other === undefined ? 0 : Math.ceil(runs * MEASURING.keptAwake);
  for (let place = kept; place > 0; place--) all.splice(Math.round((place * runs) / (kept + 1)), 0, other);
  return start % 2 === 0 ? all.reverse() : all;
}

/**
 * The cells of each run of a start, in sets that alternate. In the first start of a race, what is near the best alternates only
 * with what will race on, as in later starts: among all twelve, a cell waits for half a second between its slices, and lost 10 to
 * 15 % to caches that others had filled. What is behind has only the runs that its row needs, and none in the other state of the
 * processors.
 * @template {Pick<Standing, 'perMs'>} Cell
 * @param {Cell[]} cells
 * @param {boolean[]} states of the runs
 * @param {Start} start
 * @returns {Cell[][][]}
 */
export function interleavedSets(cells, states, start) {
  if (!isFirstOfRace(start)) return states.map(() => [cells]);
  const near = nearBest(cells);
  const hopeful = nearBest(cells, MEASURING.hopeless);
  const behind = cells.filter((cell) => !near.includes(cell));
  const runs = leastRuns(start.conditions ?? []);
  const hopelessRuns = runs - (MEASURING.runs - MEASURING.hopelessRuns);
  let usual = 0;
  return states.map((isAwake) => {
    if (isAwake !== states[0]) return [near];
    usual++;
    return [near, behind.filter((cell) => usual <= (hopeful.includes(cell) ? runs : hopelessRuns))];
  });
}

/**
 * Unless the user wants both states of the processors, only where there is time for enough starts that have both.
 * @param {Pick<State, 'conditions' | 'leftMs'>} state
 * @param {boolean[]} states that could be measured
 * @returns {boolean[]}
 */
export function chooseCpuStates({ conditions, leftMs }, states) {
  const { startMs, warmUpMs, usualRuns: runs, runTimeMs, expectedNear, degrees, slower } = MEASURING;
  const eachMs = (/** @type {boolean[]} */ all) =>
    startMs + warmUpMs + statesOf(runs, all).length * runTimeMs * slower;
  const needMs = conditions.map(({ cells }) => {
    const near = Math.max(2, cells.length * expectedNear);
    const laterStarts = Math.ceil(degrees / (near - 1));
    return eachMs(states.slice(0, 1)) * cells.length + eachMs(states) * laterStarts * near;
  });
  return sum(needMs) <= leftMs ? states : states.slice(0, 1);
}

/**
 * Why no further cell can be measured: a run of each that is warm would take longer than there is time, with a warm-up and a run
 * of another, which is a batch each at least.
 * @param {Pick<Condition, 'cells'>} condition
 * @param {number} leftMs
 * @param {number} budgetMs of the user
 */
export function tooLong({ cells }, leftMs, budgetMs) {
  const batchesMs = cells.flatMap(({ batchSize, perMs }) => (perMs ? batchSize / perMs : []));
  if (batchesMs.length === 0) return null;
  const [ofWarm, ofAnother] = [sum(batchesMs), 2 * Math.max(...batchesMs)];
  if (ofWarm + ofAnother <= leftMs) return null;
  const ofOthers = (cells.length - batchesMs.length) * Math.max(ofAnother, MEASURING.leastStartMs);
  const needMs = budgetMs + ofWarm + ofOthers - leftMs;
  return { kind: /** @type {const} */ ('no-time'), budgetMs, needMs };
}

/**
 * Once a start is warm, it is known how long it takes.
 * @param {State} state of one condition
 * @param {boolean[]} states of its runs
 * @returns {number} ms
 */
export function timeLeft({ conditions, planned, leftMs, starts, isStrict, warmMs }, states) {
  const [{ cells, racing }] = conditions;
  const started = cells.filter(({ id }) => racing.includes(id));
  const runsMs = (/** @type {Standing[]} */ some) =>
    sum(interleavedSets(some, states, { planned, starts }).flat(2).map(runMsOf));
  // With the user's budget, a start ends with a run of each cell once the time is over.
  const leastMs = runsMs(started) / (isStrict ? states.length : 1);
  if (planned !== 'race') {
    const later = planned.length - starts;
    const needMs = runsMs(started) * (1 + later) + warmMs * later;
    return isStrict ? Math.min(needMs, Math.max(leftMs, leastMs)) : needMs;
  }
  // A second start of two cells is worth more than the default time.
  const near = nearBest(started);
  const eachMs = warmMs / started.length + runsMs(near) / near.length;
  const secondMs = isStrict || starts > 1 ? 0 : 2 * eachMs;
  return Math.max(leftMs, leastMs + secondMs);
}
