import { nameChoices } from '../../axes/cell-names.js';
import { count } from '../../axes/number-words.js';
import { duration, percent } from './figures.js';
import { joined } from './joined.js';

/**
 * @import { FaultFinding, FaultRange, FaultRanking } from '../../analysis/types.js'
 * @import { Context } from './findings.js'
 */

/**
 * Waiting and failing are two evils, and which is the lesser is not for this tool to say: both ends are named.
 *
 * @param {Pick<Extract<FaultFinding, {kind: 'faults'}>, 'ranking'>} finding the best first
 * @param {Pick<Context, 'measured'>} context
 * @returns {string}
 */
export function rankingText({ ranking }, { measured }) {
  const names = nameChoices(measured);
  const namesOf = (/** @type {FaultRanking[]} */ ranks) =>
    joined(ranks.map(({ cells: [first] }) => `"${names.get(first)}"`));
  const [best] = ranking;
  const sound = ranking.filter(({ harmed }) => harmed === 0);
  const told = sound.length > 0 ? soundText(sound, ranking.length, namesOf) : harmedText(ranking, namesOf);
  const varies = ranking.some(({ runs }) => runs.high === 1) ? ONE_RUN : '';
  return `In ${rangeOfRuns(ranking)} ${best.faults > 1 ? 'of each fault' : 'each'}, ${told}.${varies}`;
}

const ONE_RUN = ' One run is no test: --runs 3 shows how far this varies.';

/** @param {FaultRanking[]} ranking */
function rangeOfRuns(ranking) {
  const low = Math.min(...ranking.map(({ runs }) => Number(runs.low)));
  const high = Math.max(...ranking.map(({ runs }) => Number(runs.high)));
  return low === high ? (high === 1 ? 'one run' : `${high} runs`) : `${low} to ${high} runs`;
}

/** @typedef {(ranks: FaultRanking[]) => string} Naming */

/** @param {FaultRanking[]} ranking @param {Naming} namesOf */
function harmedText([best, ...others], namesOf) {
  const nearest = [best, ...others.filter(({ harmed }) => harmed === best.harmed)];
  const harm = `harm in ${best.harmed} of ${count(best.faults, 'fault')}`;
  if (nearest.length > others.length) return `none came through unharmed: each had ${harm}`;
  return `none came through unharmed; ${namesOf(nearest)} came nearest, with ${harm}`;
}

const SOUND = ['lost nothing that the server kept', 'did nothing twice', 'answered every caller'];

/**
 * Who lets callers wait least, and who fails least: to fail at once for ever is neither.
 *
 * @param {FaultRanking[]} sound the best first
 * @param {number} all
 * @param {Naming} namesOf
 */
function soundText(sound, all, namesOf) {
  const [best] = sound;
  const steady = sound.filter(({ heldInNone }) => heldInNone <= best.neverHeld);
  const what = joined(steady.length < sound.length ? [...SOUND, heldText(best)] : SOUND);
  const leastOf = (/** @type {'longestWaitMs' | 'failedShare'} */ figure) =>
    steady
      .map((each) => each[figure])
      .reduce((least, each) => (Number(each.high) < Number(least.high) ? each : least));
  const [shortest, fewest] = [leastOf('longestWaitMs'), leastOf('failedShare')];
  const waiting = steady.filter(({ longestWaitMs }) => isAsLow(longestWaitMs, shortest, NOTICED_MS));
  const failing = steady.filter(({ failedShare }) => isAsLow(failedShare, fewest, NOTICED_SHARE));
  const [sameWait, sameFailing] = [waiting, failing].map((each) => each.length === steady.length);
  if (sameWait && sameFailing) {
    const who = steady.length < all ? `only ${namesOf(steady)}` : all === 1 ? namesOf(steady) : 'all';
    const between = steady.length === 1 ? '' : ', and no difference shows in waiting or failing';
    return `${who} ${what}${between}: ${endsOf(steady)}`;
  }
  const who = steady.length < all ? `of those that ${what},` : `all ${what};`;
  const waits = sameWait
    ? 'callers waited about as long with each'
    : `${namesOf(waiting)} let callers wait least: ${endsOf(waiting)}`;
  const same = waiting.length === failing.length && waiting.every((each) => failing.includes(each));
  const fails = sameFailing || same ? '' : `; ${namesOf(failing)} failed least: ${endsOf(failing)}`;
  return `${who} ${waits}${fails}`;
}

/** @param {FaultRanking} best */
const heldText = ({ neverHeld, faults }) =>
  `held the rate again after ${neverHeld === 0 ? 'every fault' : `${faults - neverHeld} of ${count(faults, 'fault')}`}`;

/**
 * Two runs of the same client differ by as much: how long an outage seems depends on where its end falls among the
 * client's attempts. Measured, node-redis was back 1.1 s or 1.98 s after a restart that took 1 s.
 */
const AS_GOOD = 2;
/** Less than these is not worth a choice. */
const [NOTICED_MS, NOTICED_SHARE] = [100, 0.002];

/**
 * @param {FaultRange} range
 * @param {FaultRange} best
 * @param {number} noticed
 * @returns {boolean} whether the runs do not tell it from the best
 */
const isAsLow = ({ low, high }, best, noticed) =>
  Number(low) <= AS_GOOD * Number(best.high) || Number(high) <= noticed;

/** @param {FaultRanking[]} ranks @returns {string} `260 ms to 1 s at most, with 15 % of the operations failed` */
function endsOf(ranks) {
  const most = ranks.map(({ longestWaitMs }) => Number(longestWaitMs.high) * 1000);
  const never = Math.max(...ranks.map(({ neverHeld }) => neverHeld));
  const faults = count(ranks[0].faults, 'fault');
  const lost = never === 0 ? '' : `, and the rate not held again in ${never} of ${faults}`;
  return `${ends(duration(Math.min(...most)), duration(Math.max(...most)))} at most, with ${failedOf(ranks)}${lost}`;
}

/** @param {FaultRanking[]} ranks @returns {string} `15 % of the operations failed` */
function failedOf(ranks) {
  const low = Math.min(...ranks.map(({ failedShare }) => Number(failedShare.low)));
  const high = Math.max(...ranks.map(({ failedShare }) => Number(failedShare.high)));
  if (high === 0) return 'no operation failed';
  const share = low > 0 ? ends(percent(low), percent(high)) : `up to ${percent(high)}`;
  return `${share.replace('up to under', 'under')} of the operations failed`;
}

/** @param {string} low @param {string} high */
const ends = (low, high) => (low === high ? low : `${low} to ${high}`);
