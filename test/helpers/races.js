import { goodRun } from './report-fixture.js';

/** @import { State, nextStart, Standing } from '../../src/commands/benchmark/policy/starts.js' */
/** @import { Run } from '../../src/store/types.js' */
/** @import { createRandom } from './random.js' */

/** Of one state in a start: three runs of four. */
const SLICES = 12;

/**
 * What judges races: the modules of this checkout, or those of another one that it is compared with.
 * @typedef {object} Judge
 * @property {typeof nextStart} nextStart
 * @property {typeof import('../../src/collections.js').pairsOf} pairsOf
 * @property {typeof import('../../src/method.js').MEASURING} MEASURING
 * @property {typeof import('../../src/statistics/contrasts.js').contrastFamily} contrastFamily
 * @property {typeof import('../../src/statistics/race.js').RACED} RACED
 * @property {typeof import('../../src/store/metrics.js').samplesBy} samplesBy
 */

/** @param {string} src the folder or URL of its `src/`, with a slash at the end @returns {Promise<Judge>} */
export async function judgeOf(src) {
  const [{ nextStart }, { pairsOf }, { MEASURING }, { contrastFamily }, { RACED }, { samplesBy }] =
    await Promise.all(
      [
        'commands/benchmark/policy/starts.js',
        'collections.js',
        'method.js',
        'statistics/contrasts.js',
        'statistics/race.js',
        'store/metrics.js',
      ].map((file) => import(`${src}${file}`)),
    );
  return { nextStart, pairsOf, MEASURING, contrastFamily, RACED, samplesBy };
}

/**
 * The starts that the policy asks for. Whoever takes one adds the runs to its cells, and takes from the time that is left.
 * @template {{runs: Run[]}} Cell
 * @param {typeof nextStart} next
 * @param {Cell[]} cells
 * @param {() => number} leftMs
 * @param {Partial<Pick<State, 'planned' | 'isStrict'>>} [given]
 * @returns {Generator<Cell[], void, void>}
 */
export function* startsIn(next, cells, leftMs, given = {}) {
  const unknown = { keySize: 0, valueSize: 0, perMs: null, batchSize: 1, isProfiled: false };
  /** @returns {Standing[]} */
  const standing = () =>
    cells.map(({ runs }, place) => ({
      ...unknown,
      id: `${place}`,
      runs,
      size: { iterations: null, slices: 1, runMs: null },
    }));
  /** @type {State} */
  let state = {
    planned: 'race',
    isStrict: true,
    conditions: [{ cells: standing(), racing: [], waiting: [] }],
    starts: 0,
    rounds: 0,
    leftMs: leftMs(),
    lastMs: 0,
    warmMs: 0,
    processes: 12,
    cellMs: { cold: 1000, warm: 250 },
    ...given,
  };
  for (let action = next(state); action !== null; action = next(state)) {
    const beforeMs = leftMs();
    const [asked] = action.conditions;
    yield asked.racing.map((id) => cells[Number(id)]);
    const lastMs = beforeMs - leftMs();
    const starts = state.starts + 1;
    state = {
      ...state,
      conditions: [{ ...asked, cells: standing() }],
      starts,
      leftMs: leftMs(),
      lastMs,
    };
  }
}

/**
 * A race, and what its report claims.
 * @param {Judge} judge
 * @param {ReturnType<typeof createRandom>} random @param {number[]} speeds of its cells
 * @param {number | number[]} luck how much starts differ; of each cell, where they are not alike
 * @param {number} [most] starts that there is time for
 * @param {number[] | null} [awake] speeds in every other run, in which processors are kept awake
 * @param {number} [shared] how much of a start's luck both states have in common
 */
export function raceOf(judge, { normal }, speeds, luck, most = 12, awake = null, shared = 1) {
  const { nextStart, pairsOf, MEASURING, contrastFamily, RACED, samplesBy } = judge;
  const slicesAround = (/** @type {number} */ perSecond) =>
    /** @type {any[]} */ (
      Array.from({ length: SLICES }, () => ({
        elapsedMs: MEASURING.sliceMs,
        operations: perSecond * 0.025 * Math.exp(0.2 * normal()),
      }))
    );
  const racers = speeds.map((speed, place) => ({
    speed,
    awakeSpeed: awake?.[place] ?? speed,
    luck: typeof luck === 'number' ? luck : luck[place],
    cell: /** @type {any} */ ({ id: String(place) }),
    runs: /** @type {Run[]} */ ([]),
  }));
  let start = 0;
  // A start takes a second for each cell.
  let leftMs = 1000 * most * speeds.length;
  for (const racing of startsIn(nextStart, racers, () => leftMs)) {
    start++;
    leftMs -= 1000 * racing.length;
    const machine = Math.exp(0.1 * normal());
    for (const { speed, awakeSpeed, luck: own, runs } of racing) {
      const common = normal();
      for (const isAwake of awake === null ? [false] : [false, true]) {
        const luckOfState = Math.sqrt(shared) * common + Math.sqrt(1 - shared) * normal();
        const perSecond = 1e5 * (isAwake ? awakeSpeed : speed) * machine * Math.exp(own * luckOfState);
        const round = 2 * start + Number(isAwake);
        const run = goodRun(round, { tasks: 1, iterations: 1000, averageMs: 10 });
        runs.push({
          ...run,
          start,
          ...(isAwake && { awake: true }),
          opsPerSecond: perSecond,
          slices: slicesAround(perSecond),
        });
      }
    }
  }
  const samples = racers.map(({ runs }) => samplesBy(runs, (run) => run.opsPerSecond));
  const [{ between }] = contrastFamily([{ pairs: pairsOf(samples) }], RACED);
  const contrasts = pairsOf(samples).flatMap(([a, b]) => {
    const contrast = between(a, b);
    return contrast === null ? [] : [{ pair: [samples.indexOf(a), samples.indexOf(b)], contrast }];
  });
  return {
    starts: samples.map((sample) => new Set(sample.map((each) => each.start)).size),
    contrasts,
    /** Pairs of which a difference is claimed. */
    claims: contrasts.filter(({ contrast }) => contrast.differs).map(({ pair }) => pair),
  };
}
