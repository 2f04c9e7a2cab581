/**
 * Simulated races, judged by this checkout and by another one: how many claim what is not so, how many find what is, and
 * how far the printed ratio lies from the truth.
 * node test/performance/races.js [trials] [folder of the other checkout]
 *
 * Target: at most 5 % of the races of each kind claim what is not so, and differences are found as often as by the other.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { judgeOf, raceOf } from '../helpers/races.js';
import { createRandom } from '../helpers/random.js';

/** @import { Judge } from '../helpers/races.js' */

const [trials = '400', other] = process.argv.slice(2);
const TRIALS = Number(trials);

/** @typedef {{speeds: number[], luck: number | number[], most?: number, awake?: number[], shared?: number}} Kind */

const EQUAL = [1, 1, 1, 1];
/** @type {Kind[]} */
const NULL_KINDS = [
  ...[2, 3, 4, 8, 12].flatMap((cells) =>
    [3, 4, 12].map((most) => ({ speeds: new Array(cells).fill(1), luck: 0.03, most })),
  ),
  ...[0.01, 0.05, 0.08].map((luck) => ({ speeds: EQUAL, luck })),
  { speeds: EQUAL, luck: [0.02, 0.03, 0.05, 0.05] },
  { speeds: EQUAL, luck: [0.02, 0.02, 0.02, 0.08] },
  { speeds: [1, 1, 0.3, 0.3], luck: 0.03 },
  { speeds: [1, 1, 1, 0.9, 0.9, 0.8, 0.7, 0.5, 0.5, 0.3, 0.3, 0.02], luck: 0.03, most: 3 },
  { speeds: [1, 1, 0.98, 0.98, 0.6, 0.6], luck: 0.03, most: 4 },
  ...[
    [1, 1, 1, 1],
    [1.05, 1, 1, 1],
    [1.1, 1, 0.9, 1],
    [1.5, 1, 1, 0.8],
    [1, 0.5, 1, 1],
  ].flatMap((awake) =>
    [3, 4, 12].flatMap((most) =>
      (most === 4 ? [0.8] : [0.5, 1]).map((shared) => ({ speeds: EQUAL, luck: 0.03, most, awake, shared })),
    ),
  ),
  { speeds: [1, 1, 0.3, 0.3], luck: 0.03, most: 4, awake: [1, 1, 0.3, 0.3], shared: 0.8 },
];
/** @type {Kind[]} */
const REAL_KINDS = [0.05, 0.1, 0.2].flatMap((gap) =>
  [4, 12].map((most) => ({
    speeds: [1, 1 - gap, 1 - gap, 0.6, 0.5, 0.4, 0.3, 0.02],
    luck: 0.03,
    most,
  })),
);

const judges = [await judgeOf(new URL('../../src/', import.meta.url).href)];
if (other !== undefined) judges.unshift(await judgeOf(`${pathToFileURL(resolve(other, 'src')).href}/`));

/** @param {Judge} judge @param {Kind} kind @param {number} seed */
function racesOf(judge, { speeds, luck, most, awake, shared }, seed) {
  const random = createRandom(seed);
  return Array.from({ length: TRIALS }, () =>
    raceOf(judge, random, speeds, luck, most, awake ?? null, shared),
  );
}

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)} %`.padStart(7);
/** @param {number[]} values */
const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

console.log(`${NULL_KINDS.length} kinds, ${TRIALS} races each: share with a false claim`);
const worst = judges.map(() => 0);
for (const [index, kind] of NULL_KINDS.entries()) {
  const shares = judges.map((judge, place) => {
    const races = racesOf(judge, kind, index + 1);
    const wrong = races.filter(({ contrasts }) =>
      contrasts.some(({ pair: [a, b], contrast }) => {
        if (!contrast.differs) return false;
        return Math.sign(contrast.ratio - 1) !== Math.sign(kind.speeds[a] - kind.speeds[b]);
      }),
    );
    const share = wrong.length / TRIALS;
    worst[place] = Math.max(worst[place], share);
    return share;
  });
  console.log(`${shares.map(percent).join('  ')}  ${JSON.stringify(kind)}`);
}
console.log(`worst: ${worst.map(percent).join('  ')}\n`);

console.log('true differences: found of the second · of the rest · scatter of the ratio to the rest');
for (const [index, kind] of REAL_KINDS.entries()) {
  const rows = judges.map((judge) => {
    const races = racesOf(judge, kind, 1000 + index);
    const found = (/** @type {number[]} */ losers) =>
      average(
        races.map(({ claims }) =>
          average(losers.map((b) => Number(claims.some(([a, c]) => a === 0 && c === b)))),
        ),
      );
    const errors = races.flatMap(({ contrasts }) =>
      contrasts.flatMap(({ pair: [a, b], contrast }) =>
        a === 0 && b > 2 ? [Math.log(contrast.ratio) + Math.log(kind.speeds[b])] : [],
      ),
    );
    const middle = average(errors);
    const deviation = Math.sqrt(average(errors.map((error) => (error - middle) ** 2)));
    return `${percent(found([1]))} · ${percent(found([3, 4, 5, 6, 7]))} · ${percent(deviation)}`;
  });
  console.log(`${rows.join('  |  ')}  ${JSON.stringify(kind)}`);
}
