/**
 * Which cells of a group get another start.
 *
 * **After the first start** nothing is known about the luck of starts. A cell whose slices are surely
 * 1.6 times slower than those of the best is left as it is: starts differ by 4 to 14 %, so that none was ever so lucky.
 *
 * **Looking more than once.** A race that stops at the first difference found would find false ones. So its looks are
 * strict: look k may err with 0.01 / 2^k, in all no more than 0.01, and what the report claims in the end may err with
 * 0.033 (RACED). By simulation (test/statistics/race.test.js), 5 % of races of equal cells at most claim
 * anything, however early they stop.
 *
 * **A look** compares every two cells of the race by their starts (start-test.js). A cell is *behind* if the interval
 * against any other lies below 1, *good* if it is at most 10 % slower than any other and the report
 * would not claim that it is slower, and else *open*. Only open cells go on, with the best of the others. Where the order
 * depends on whether processors are kept awake, a cell is behind only if it is so in both states.
 */

import { groupBy, pairsOf } from '../collections.js';
import { mean, sum } from '../descriptive-statistics.js';
import { MEASURING } from '../method.js';
import { logRates, withNoise } from './slice-noise.js';
import { startTest } from './start-test.js';
import { welch } from './student.js';

/** @import { Run } from '../store/types.js' */
/** @import { Sample } from '../store/types.js' */

/** @typedef {{runs: Run[]}} Racer */

/** All looks, the report, and what cells err by that do not vary as their slices do, come to 5 %. */
const LOOKS = 0.01;
const CLAIMS = 0.033;
/** The p of a report's claims is multiplied by this. */
export const RACED = 0.05 / CLAIMS;

/** The bound of a ratio that slices of one start must keep. */
const SURE = 0.99;

/**
 * @template {Racer} Any @param {Any[]} racers @param {'surely' | 'likely' | 'somewhat'} how far behind the best, by their
 * slices or by the mean of these @returns {Any[]} the slowest last
 */
export function behind(racers, how) {
  const rated = racers.map((racer) => ({ racer, rates: inFirstState(racer.runs).flatMap(logRates) }));
  const [best, ...others] = rated
    .filter(({ rates }) => rates.length > 0)
    .map((each) => ({ ...each, average: mean(each.rates) }))
    .sort((a, b) => b.average - a.average);
  return others
    .filter(({ rates, average }) => {
      if (how === 'somewhat') return true;
      if (how === 'surely') return isSurelyBehind(rates, best.rates);
      return average - best.average < -Math.log(MEASURING.likelyBehind);
    })
    .map(({ racer }) => racer);
}

/** Fewer slices show little of how much they vary; what has so few was far behind in its warm-up already. */
const FEW_SLICES = 4;

/** @param {number[]} own logarithms of the rates of slices @param {number[]} best */
function isSurelyBehind(own, best) {
  const isKnown = Math.min(own.length, best.length) >= FEW_SLICES;
  return isKnown
    ? welch(own, best).interval(SURE).high < -Math.log(MEASURING.surelyBehind)
    : mean(own) - mean(best) < -Math.log(MEASURING.farBehind);
}

/** @param {Run[]} runs */
const inFirstState = (runs) => runs.filter(({ awake }) => awake === runs[0].awake);

/**
 * @template {Racer} Any
 * @param {Any[]} racing all with the same number of starts
 * @param {Any[]} all with those that are out, which show how much starts vary
 * @param {number} look from 1
 * @param {Any[][]} [peers] cells of other conditions that the same starts visited: they show it as well
 * @returns {Any[]} those to start again; none once all is known
 */
export function openIn(racing, all, look, peers = []) {
  const samples = new Map(all.map((racer) => [racer, sampleOf(racer)]));
  const of = (/** @type {Any} */ racer) => /** @type {Sample} */ (samples.get(racer));
  const kinds = new Map(all.map((racer) => [of(racer), Number(opensConnections(racer))]));
  const pairs = pairsOf(racing.map(of));
  const witnesses = all.filter((racer) => !racing.includes(racer) && of(racer).length > 0).map(of);
  const shown = peers.map((cells) => {
    const kindOf = new Map(cells.map((racer) => [sampleOf(racer), Number(opensConnections(racer))]));
    return { samples: [...kindOf.keys()], kindOf: (/** @type {Sample} */ each) => kindOf.get(each) ?? 0 };
  });
  const test = startTest(pairs, {
    kindOf: (sample) => kinds.get(sample) ?? 0,
    witnesses,
    peers: shown,
  });
  if (test === null) return racing;
  const error = LOOKS / 2 ** look / pairs.length;
  const leads = pairs.map((pair) =>
    test.shiftsOf(pair).map((shift) => {
      const claimed = shift.p * pairs.length <= CLAIMS ? Math.sign(Number(shift.difference)) : 0;
      return { ...shift.interval(1 - error), claimed };
    }),
  );
  /** @param {Any} racer @returns {Lead[][]} of it over each of the others */
  const leadsOf = (racer) =>
    leads.flatMap((lead, index) => {
      const [a, b] = pairs[index];
      return a === of(racer) ? [lead] : b === of(racer) ? [lead.map(reversed)] : [];
    });
  const open = racing.filter((racer) => {
    const own = leadsOf(racer);
    return !own.some((lead) => lead.every(isBehind)) && !own.every((lead) => lead.every(isSettled));
  });
  if (open.length === 0) return [];
  const best = racing.reduce((a, b) => (meanOf(of(b)) > meanOf(of(a)) ? b : a));
  return racing.filter((racer) => racer === best || open.includes(racer));
}

const NO_MATTER = Math.log(MEASURING.tie);

/** @typedef {{low: number, high: number, claimed: number}} Lead of one cell over another */

/** @param {Lead} lead @returns {Lead} of the other */
const reversed = ({ low, high, claimed }) => ({ low: -high, high: -low, claimed: -claimed });

/** @param {Lead} lead */
const isBehind = ({ high }) => high < 0;

/** @param {Lead} lead */
const isSettled = (lead) => isBehind(lead) || (lead.claimed >= 0 && lead.low > -NO_MATTER);

/** @param {Racer} racer @returns {Sample} */
const sampleOf = ({ runs }) =>
  withNoise(
    runs.flatMap(({ failed, opsPerSecond, round, start, awake }) =>
      failed === null && opsPerSecond !== null ? [{ value: opsPerSecond, round, start, awake }] : [],
    ),
    runs,
  );

/** @param {Sample} sample */
const meanOf = (sample) => mean(sample.map(({ value }) => Math.log(value)));

/**
 * How much runs of one start vary, and starts beyond that: the variances of logarithms, as the machine is. What a round or a start
 * did to all cells alike does not count.
 * @param {Racer[]} racers
 * @returns {{run: number, start: number | null}} null while there is one start
 */
export function scatterOf(racers) {
  const cells = racers.map(({ runs }) =>
    groupBy(
      inFirstState(runs).filter(({ opsPerSecond }) => opsPerSecond !== null),
      ({ start }) => start,
    ).map((own) => own.map(({ opsPerSecond }) => Math.log(Number(opsPerSecond)))),
  );
  const starts = Math.min(...cells.map(({ length }) => length));
  // Starts that all have are the last ones: what fell behind was left out.
  const shared = cells.map((own) => own.slice(-starts));
  const within = Array.from({ length: starts }, (_, place) => residuals(shared.map((own) => own[place])));
  const run = meanSquare(within);
  if (starts < 2) return { run, start: null };
  const means = residuals(shared.map((own) => own.map((logs) => mean(logs))));
  const runs = mean(shared.flat().map(({ length }) => length));
  return { run, start: Math.max(LEAST_SCATTER ** 2, meanSquare([means]) - run / runs) };
}

/** Starts of no cell were ever more alike. */
const LEAST_SCATTER = 0.01;

/** What is left of rows without the means of rows and columns. @param {number[][]} rows @returns {{squares: number, degrees: number}} */
function residuals(rows) {
  const columns = Math.min(...rows.map(({ length }) => length));
  const all = rows.map((row) => row.slice(0, columns));
  const ofColumns = Array.from({ length: columns }, (_, column) => mean(all.map((row) => row[column])));
  const whole = columns === 0 ? 0 : mean(ofColumns);
  const squares = sum(
    all.flatMap((row) => row.map((value, column) => (value - mean(row) - ofColumns[column] + whole) ** 2)),
  );
  return { squares, degrees: Math.max(0, (rows.length - 1) * (columns - 1)) };
}

/** @param {{squares: number, degrees: number}[]} parts @returns {number} 0 where nothing is known */
const meanSquare = (parts) =>
  sum(parts.map(({ squares }) => squares)) / sum(parts.map(({ degrees }) => degrees)) || 0;

/** What keeps its connections does many operations with each in a run, however short. */
const OPENS_FOR = 2;

/** @param {Racer} cell @returns {boolean} whether opening a connection is part of its operations */
export function opensConnections({ runs }) {
  const done = runs.filter(({ failed, operations }) => failed === null && operations > 0);
  return (
    done.length > 0 &&
    done.every(({ connections, operations }) => Number(connections) * OPENS_FOR > operations)
  );
}
