import ms from 'ms';

/** @import { BenchmarkEvent } from '../commands/types.js' */
/** @import { Plan } from '../plan/types.js' */

/**
 * What the estimate leaves, corrected by what rounds take.
 * @param {Plan} plan @param {{runs: number}} settings @param {() => number} [clock] ms
 */
export function createTimeLeft(
  { groups, runs, isAtMost, estimateMs },
  settings,
  clock = performance.now.bind(performance),
) {
  const startedMs = clock();
  const rounds = (runs / Math.max(1, groups.flat().length)) * groups.length;
  let leftMs = estimateMs;
  let atMs = startedMs;
  let done = 0;
  const left = () => (leftMs === null ? null : Math.max(0, leftMs - (clock() - atMs)));
  /** @param {number | null} found */
  const set = (found) => {
    leftMs = found;
    atMs = clock();
  };
  return {
    /** @param {BenchmarkEvent} event */
    onEvent(event) {
      if (event.type === 'sized') {
        const known = event.sizes.map(({ runMs }) => runMs);
        if (known.includes(null)) return;
        const roundMs = known.reduce((sum, each) => Number(sum) + Number(each), 0);
        // One start of slow cells takes longer than thought.
        const neededMs = Number(roundMs) * (groups.length > 1 || isAtMost ? settings.runs : rounds);
        set(Math.max(left() ?? 0, neededMs));
      }
      if (event.type !== 'round-end') return;
      done++;
      if (isAtMost || done >= rounds) return;
      const share = done / rounds;
      const extrapolated = ((clock() - startedMs) / done) * (rounds - done);
      set(share * extrapolated + (1 - share) * (left() ?? extrapolated));
    },

    /** @returns {number} the part that is done, from 0 to 1 */
    part() {
      const elapsedMs = clock() - startedMs;
      const before = left();
      return before === null ? 0 : elapsedMs / Math.max(1, elapsedMs + before);
    },

    /** @returns {string} such as `12 s left, `; empty if unknown */
    text() {
      const before = left();
      return before === null ? '' : `${inWords(before)} left, `;
    },
  };
}

/** @param {number} milliseconds @returns {string} such as `35 s` or `2 min` */
export const inWords = (milliseconds) =>
  ms(Math.max(1000, Math.round(milliseconds / 1000) * 1000))
    .replace(/(\d)s$/, '$1 s')
    .replace(/(\d)m$/, '$1 min');
