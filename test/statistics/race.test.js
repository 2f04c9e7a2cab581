import assert from 'node:assert/strict';
import { nextStart } from '../../src/commands/benchmark/policy/starts.js';
import { MEASURING } from '../../src/method.js';
import { contrastAll } from '../../src/statistics/contrasts.js';
import { openIn, opensConnections, RACED } from '../../src/statistics/race.js';
import { samplesBy } from '../../src/store/metrics.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { judgeOf, raceOf, startsIn } from '../helpers/races.js';
import { createRandom } from '../helpers/random.js';
import { goodRun } from '../helpers/report-fixture.js';

/** @import { Run } from '../../src/store/types.js' */

const TRIALS = Number(process.env.TRIALS ?? (NIGHTLY ? 400 : 40));
/** Races with a wrong claim: at most 5 %, and by day, in few trials, what chance adds to that. */
const MOST_WRONG = 0.05 * TRIALS + (TRIALS < 400 ? 2 * Math.sqrt(0.05 * 0.95 * TRIALS) : 0);
const judge = await judgeOf(new URL('../../src/', import.meta.url).href);

/** @param {number} perSecond @returns {any[]} */
const slicesOf = (perSecond) => [
  { elapsedMs: MEASURING.sliceMs, operations: perSecond * 0.025 },
  { elapsedMs: MEASURING.sliceMs, operations: perSecond * 0.025 },
];

/** @typedef {Parameters<typeof raceOf>} Args */
/** @param {number} seed @param {Args[2]} speeds @param {Args[3]} luck @param {Args[4]} [most] @param {Args[5]} [awake] @param {Args[6]} [shared] */
const trials = (seed, speeds, luck, most, awake, shared) => {
  const random = createRandom(seed);
  return Array.from({ length: TRIALS }, () => raceOf(judge, random, speeds, luck, most, awake, shared));
};

describe('statistics/race', function () {
  this.timeout(600_000);

  /** @type {[number[], number | number[]][]} */
  const BY_DAY = [
    [[1, 1, 1, 1], 0.03],
    [[1, 1, 1], 0.08],
  ];
  /** @type {[number[], number | number[]][]} */
  const BY_NIGHT = [
    [[1, 1], 0.03],
    [
      [1, 1, 1, 1],
      [0.02, 0.03, 0.05, 0.05],
    ],
    [[1, 1, 0.3, 0.3], 0.03],
  ];
  for (const [speeds, luck] of NIGHTLY ? [...BY_DAY, ...BY_NIGHT] : BY_DAY) {
    it(`cells of ${speeds.join(', ')}, starts that differ by ${luck}: at most 5 % of the races claim what is not so`, () => {
      const wrong = trials(speeds.length, speeds, luck).filter(({ claims }) =>
        claims.some(([a, b]) => speeds[a] === speeds[b]),
      );
      assert.ok(wrong.length <= MOST_WRONG, `${(wrong.length / TRIALS) * 100} %`);
    });
  }

  describe('where processors are kept awake in every other run', () => {
    // By day each difference with one of the two.
    for (const [index, awake] of [
      [1, 1, 1, 1],
      [1.05, 1, 1, 1],
      [1.1, 1, 0.9, 1],
      [1.5, 1, 1, 0.8],
    ].entries())
      for (const [most, shared] of [
        [3, 0.5],
        [12, 1],
      ].filter((_, place) => NIGHTLY || place === index % 2))
        it(`${most} starts claim at most in 5 % what only ${awake.join(', ')} kept awake show, with ${100 * shared} % of the luck in common`, () => {
          const wrong = trials(11, [1, 1, 1, 1], 0.03, most, awake, shared).filter(
            ({ claims }) => claims.length > 0,
          );
          assert.ok(wrong.length <= MOST_WRONG, `${(wrong.length / TRIALS) * 100} %`);
        });

    it('four starts find 12 % that both states show, as four of one state do', () => {
      const speeds = [1.12, 1, 1, 1];
      const [both, one] = [speeds, null].map(
        (awake) =>
          trials(13, speeds, 0.02, 4, awake).filter(({ claims }) => claims.some(([a]) => a === 0)).length,
      );
      assert.ok(both / TRIALS > 0.5, `${both / TRIALS}`);
      assert.ok(both > 0.8 * one, `${both} and ${one} of ${TRIALS}`);
    });

    it('an order that turns round is what the machine as it is shows', () => {
      const all = trials(15, [1, 0.75, 0.7], 0.03, 4, [1, 1.3, 0.7]);
      const right = all.filter(({ claims }) => claims.some(([a, b]) => a === 0 && b === 1));
      assert.ok(right.length / TRIALS > 0.7, `${right.length / TRIALS}`);
      assert.ok(!all.some(({ claims }) => claims.some(([a, b]) => a === 1 && b === 0)));
    });
  });

  it('a tie ends before the time is over, as a clear order does', () => {
    for (const speeds of [
      [1, 1, 1, 1],
      [1, 0.7, 0.6, 0.55],
    ]) {
      const all = trials(7, speeds, 0.02);
      const early = all.filter(({ starts }) => Math.max(...starts) <= 8);
      assert.ok(early.length / TRIALS > 0.5, `${early.length / TRIALS}`);
    }
  });

  it('what is far behind is left after one start, and claimed nevertheless', () => {
    const all = trials(3, [1, 0.9, 0.8, 0.3], 0.03, 4);
    assert.ok(all.every(({ starts }) => starts[3] === 1 && starts[0] >= 3));
    const claimed = all.filter(({ claims }) => claims.some(([a, b]) => a === 0 && b === 3));
    assert.ok(claimed.length / TRIALS > 0.95, `${claimed.length / TRIALS}`);
  });

  for (const { connections, operations, opens } of [
    { connections: 64, operations: 64, opens: true },
    { connections: 500, operations: 500, opens: true },
    { connections: 3, operations: 112, opens: false },
    { connections: 64, operations: 1600, opens: false },
    { connections: 1, operations: 25, opens: false },
  ])
    it(`${connections} connections of ${operations} operations are ${opens ? 'opened' : 'kept'}`, () => {
      const run = goodRun(1, { tasks: 1, iterations: operations, averageMs: 10 });
      assert.equal(opensConnections({ runs: [{ ...run, operations, connections }] }), opens);
    });

  it('two cells are started again however far apart they are, for one alone would prove nothing', () => {
    const all = trials(5, [1, 0.1], 0.03, 4);
    assert.ok(all.every(({ starts }) => Math.min(...starts) >= MEASURING.firstLook));
    assert.ok(all.every(({ claims }) => claims.length === 1));
  });

  it('finds a difference of 10 % in four starts of four cells that differ by 2.5 %', () => {
    const all = trials(9, [1.1, 1, 1, 1], 0.02, 4);
    const found = all.filter(({ claims }) => claims.some(([a]) => a === 0));
    assert.ok(found.length / TRIALS > 0.5, `${found.length / TRIALS}`);
  });

  for (const { left, second } of [
    { left: 3000, second: [0.9, 1, 0.95, 0.8] },
    { left: 2200, second: [1, 0.95] },
    { left: -1000, second: [1, 0.95] },
  ])
    it(`has a second start of the ${second.length} best if ${left} ms of the default time are left after the first`, () => {
      const racers = [0.9, 1, 0.95, 0.8, 0.3].map((speed) => ({
        speed,
        cell: /** @type {any} */ ({}),
        runs: /** @type {Run[]} */ ([]),
      }));
      let leftMs = 5000 + left;
      /** @type {number[][]} */
      const found = [];
      for (const racing of startsIn(nextStart, racers, () => leftMs, { isStrict: false })) {
        leftMs -= 1000 * racing.length;
        const run = goodRun(found.length, { tasks: 1, iterations: 1000, averageMs: 10 });
        const start = found.push(racing.map((racer) => racer.speed));
        for (const { speed, runs } of racing)
          runs.push({ ...run, start, opsPerSecond: speed, slices: slicesOf(1000 * speed) });
      }
      assert.deepEqual(found.slice(1), [second]);
    });

  it('what gave way for lack of time is started again once the others are decided', () => {
    const racers = [1, 0.8, 0.645, 0.645].map((speed) => ({
      speed,
      cell: /** @type {any} */ ({}),
      runs: /** @type {Run[]} */ ([]),
    }));
    const found = [];
    let leftMs = 20_000;
    for (const racing of startsIn(nextStart, racers, () => leftMs)) {
      // Later starts are far cheaper than the first one made them look.
      leftMs -= found.length === 0 ? 12_000 : 1000;
      for (const { speed, runs } of racing) {
        const run = goodRun(found.length, { tasks: 1, iterations: 1000, averageMs: 10 });
        const opsPerSecond = speed * (1 + ((found.length * racers.length) % 5) / 1000);
        runs.push({ ...run, start: found.length + 1, opsPerSecond, slices: slicesOf(1000 * speed) });
      }
      found.push(racing.map((racer) => racers.indexOf(racer)));
    }
    assert.deepEqual(found.slice(0, 4), [
      [0, 1, 2, 3],
      [0, 1],
      [0, 1],
      [0, 2, 3],
    ]);
  });

  it('looks err 1 % in all, each half as often as the one before, and claims 3.3 %', () => {
    /** @param {number[]} speeds of its starts */
    const racerOf = (speeds) => ({
      runs: speeds.map((opsPerSecond, index) => ({
        ...goodRun(index, { tasks: 1, iterations: 1000, averageMs: 10 }),
        start: index + 1,
        opsPerSecond,
      })),
    });
    const racers = [racerOf([100, 104, 97, 103]), racerOf([81, 82, 83, 82])];
    const samples = racers.map(({ runs }) => samplesBy(runs, (run) => run.opsPerSecond));
    const p = Number(contrastAll(samples).between(0, 1)?.p);
    assert.ok(p < 0.01 / 2 ** 2 && p > 0.01 / 2 ** 3, `${p}`);
    assert.deepEqual(
      [1, 2, 3, 4].map((look) => openIn(racers, racers, look).length),
      [0, 0, 2, 2],
    );
    assert.equal(0.05 / RACED, 0.033);
  });

  it('goes on without a cell that fails', () => {
    const racers = [1, 0.98, 0].map((speed) => ({
      speed,
      cell: /** @type {any} */ ({}),
      runs: /** @type {Run[]} */ ([]),
    }));
    let [start, leftMs] = [0, 6000];
    for (const racing of startsIn(nextStart, racers, () => leftMs)) {
      start++;
      leftMs -= 1000;
      for (const { speed, runs } of racing) {
        const run = goodRun(start, { tasks: 1, iterations: 1000, averageMs: 10 });
        runs.push({
          ...run,
          start,
          ...(speed === 0 ? { failed: 'WRONGTYPE' } : { opsPerSecond: speed + start / 100 }),
        });
      }
    }
    assert.deepEqual(
      racers.map(({ runs }) => runs.length > 1),
      [true, true, false],
    );
  });

  it('the last start is for as many cells as there is time for, and claims no more than others', () => {
    const all = trials(17, [1, 1, 1, 1], 0.05, 3.5);
    assert.ok(all.every(({ starts }) => starts.toSorted().join() === '3,3,4,4'));
    const wrong = all.filter(({ claims }) => claims.length > 0);
    assert.ok(wrong.length <= MOST_WRONG, `${(wrong.length / TRIALS) * 100} %`);
  });

  it('ends when another start would take longer than there is time', () => {
    const random = createRandom(1);
    assert.deepEqual(raceOf(judge, random, [1, 1], 0.05, 1).starts, [1, 1]);
    assert.deepEqual(raceOf(judge, random, [1, 1], 0.05, 3).starts, [3, 3]);
  });
});
