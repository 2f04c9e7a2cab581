import assert from 'node:assert/strict';
import { pairsOf } from '../../src/collections.js';
import { contrastFamily } from '../../src/statistics/contrasts.js';
import { RACED } from '../../src/statistics/race.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { createRandom } from '../helpers/random.js';

/** @import { Sample } from '../../src/store/types.js' */

const TRIALS = Number(process.env.TRIALS ?? (NIGHTLY ? 400 : 12));
/** At most 5 %, and by day, in few trials, what chance adds to that. */
const MOST_WRONG = 0.05 * TRIALS + (TRIALS < 400 ? 2 * Math.sqrt(0.05 * 0.95 * TRIALS) : 0);

/**
 * Starts that visit conditions: their processes have luck of their own in each, and some in common.
 * @param {ReturnType<typeof createRandom>} random
 * @param {{speeds: number[], lucks: number[], starts: number, shared: number, noises?: number[], times?: number[]}} given `lucks`: of each
 *   condition; `noises`: what slices show of them; `times`: how much each cell varies, as its slices do
 * @returns {Sample[][]} of the cells of each condition
 */
function visit({ normal }, { speeds, lucks, starts, shared, noises, times = speeds.map(() => 1) }) {
  const common = speeds.map(() => Array.from({ length: starts }, normal));
  return lucks.map((luck, condition) => {
    const machine = Array.from({ length: starts }, () => 0.1 * normal());
    return speeds.map((speed, cell) =>
      machine.map((disturbance, start) => {
        const own = Math.sqrt(shared) * common[cell][start] + Math.sqrt(1 - shared) * normal();
        const value = 1e5 * speed * Math.exp(disturbance + times[cell] * luck * own);
        const round = start * lucks.length + condition + 1;
        return {
          value,
          round,
          start: start + 1,
          ...(noises && {
            noise: { variance: 8 * (times[cell] * noises[condition]) ** 2, degrees: 7, slices: 8 },
          }),
        };
      }),
    );
  });
}

/** @param {Sample[][]} conditions @param {string} [figure] @param {(sample: Sample) => number} [kindOf] @returns {[condition: number, a: number, b: number][]} pairs that are claimed to differ */
function claimsIn(conditions, figure, kindOf = () => 0) {
  const blocks = conditions.map((samples) => ({ pairs: pairsOf(samples), figure, kindOf }));
  return contrastFamily(blocks, RACED).flatMap(({ between }, condition) =>
    pairsOf([...conditions[condition].keys()]).flatMap(([a, b]) => {
      const [one, other] = [a, b].map((cell) => conditions[condition][cell]);
      return between(one, other)?.differs
        ? [/** @type {[number, number, number]} */ ([condition, a, b])]
        : [];
    }),
  );
}

describe('conditions that each start visits', function () {
  this.timeout(600_000);
  const ALIKE = [0.03, 0.03, 0.03, 0.03, 0.03, 0.03];
  const APART = [0.02, 0.02, 0.03, 0.03, 0.05, 0.1];

  const UNLIKE = [0.1, 0.05, 0.05, 0.03, 0.02, 0.02];

  for (const [lucks, shared, starts, noises] of /** @type {[number[], number, number, number[]?][]} */ ([
    [APART, 0.5, 2, APART],
    [APART, 0, 3, APART.map((luck) => 2 * luck)],
    [ALIKE, 0.5, 3, APART],
    [APART, 0.5, 3, UNLIKE],
    [ALIKE, 0, 3],
    [ALIKE, 1, 3],
    [ALIKE, 0.5, 2],
    [APART, 0.5, 3],
    [APART, 0, 4],
    [APART.slice(4), 0.5, 3],
  ]))
    it(`of which equal cells vary by ${lucks.join(', ')}, their slices by ${noises ?? 'nobody knows what'}, with ${shared * 100} % of the luck in common: ${starts} starts claim at most in 5 % what is not so`, () => {
      const random = createRandom(lucks.length + starts);
      const wrong = Array.from({ length: TRIALS }, () =>
        claimsIn(visit(random, { speeds: [1, 1, 1, 1], lucks, starts, shared, noises }), 'speed'),
      ).filter(({ length }) => length > 0).length;
      assert.ok(wrong <= MOST_WRONG, `${(100 * wrong) / TRIALS} %`);
    });

  it('show each other how much starts vary, so that smaller differences are found', () => {
    const found = ['speed', undefined].map((figure) => {
      const random = createRandom(7);
      const trials = Array.from(
        { length: TRIALS },
        () =>
          claimsIn(
            visit(random, { speeds: [1, 0.93, 0.92, 0.91], lucks: ALIKE, starts: 3, shared: 0.5 }),
            figure,
          ).filter(([, a, b]) => a === 0 || b === 0).length,
      );
      return trials.reduce((all, count) => all + count, 0) / TRIALS / (3 * ALIKE.length);
    });
    assert.ok(found[0] > 1.3 * found[1], `${found}`);
  });

  it('show it as well where slices tell why they vary differently', () => {
    const lucks = [0.01, 0.01, 0.01, 0.1, 0.1, 0.1];
    const found = [lucks, undefined].map((noises) => {
      const random = createRandom(7);
      const given = { speeds: [1, 0.95, 0.94, 0.93], lucks, starts: 2, shared: 0.5, noises };
      const trials = Array.from({ length: TRIALS }, () => claimsIn(visit(random, given), 'speed').length);
      return trials.reduce((all, count) => all + count, 0) / TRIALS;
    });
    assert.ok(found[0] > 1.2 * found[1], `${found}`);
  });

  describe('whose cells vary as their slices do, garbage collections more than others', () => {
    const lucks = [0.03, 0.03, 0.05, 0.05];
    const given = { lucks, starts: 2, shared: 0, times: [1, 1, 1, 3, 3, 3] };

    it('claim at most in 5 % what is not so', () => {
      const random = createRandom(5);
      const speeds = given.times.map(() => 1);
      const wrong = Array.from({ length: TRIALS }, () =>
        claimsIn(visit(random, { ...given, speeds, noises: lucks }), 'speed'),
      ).filter(({ length }) => length > 0).length;
      assert.ok(wrong <= MOST_WRONG, `${(100 * wrong) / TRIALS} %`);
    });

    it('tell apart those that vary less', () => {
      const found = [lucks, undefined].map((noises) => {
        const random = createRandom(7);
        const trials = Array.from({ length: TRIALS }, () => {
          const conditions = visit(random, { ...given, speeds: [1, 0.75, 0.74, 0.6, 0.6, 0.6], noises });
          return claimsIn(conditions, 'speed').filter(([, a, b]) => a === 0 && b < 3).length;
        });
        return trials.reduce((all, count) => all + count, 0) / TRIALS;
      });
      assert.ok(found[0] > 1.5 * found[1], `${found}`);
    });
  });

  it('claim what one start shows to be five times behind, however differently they vary and whatever kind it is', () => {
    const random = createRandom(11);
    const found = Array.from({ length: TRIALS }, () => {
      const conditions = visit(random, { speeds: [1, 1, 1, 1, 0.2], lucks: APART, starts: 3, shared: 0.5 });
      const startedOnce = conditions.map((samples) =>
        samples.map((sample, cell) => (cell === 4 ? sample.slice(0, 1) : sample)),
      );
      const isOther = (/** @type {Sample} */ sample) => Number(sample.length === 1);
      return claimsIn(startedOnce, 'speed', isOther).filter(([, a, b]) => a === 0 && b === 4).length;
    });
    const share = found.reduce((all, count) => all + count, 0) / TRIALS / APART.length;
    assert.ok(share > 0.9, `${share}`);
  });
});
