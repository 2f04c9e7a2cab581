import { percent } from '../../../report/figures.js';
import { about } from '../judge/no-verdict.js';

/** @import { FindingFile } from './definitions.js' */

/** Fewer hits mean that something was written. */
const NOTHING_WRITTEN = 0.99;

/**
 * What was not tried and would change the winner: a distance, or writes where a client cache served so much.
 * @satisfies {FindingFile<'untried'>}
 */
export default {
  id: 'untried',
  find: (judged) => [...writesUntried(judged), ...distanceUntried(judged)],
  place: ({ what }) => (what === 'writes' ? 'condition' : 'next'),

  say(found, { servers }) {
    if (found.what === 'writes')
      return `Nothing wrote to these keys, so the cache answered ${percent(found.hitRate)}; after a write elsewhere the next read goes to the server.`;
    if (!servers.every(({ kind }) => kind === 'managed')) return [];
    return 'This holds for a local server. Over a network the order can change: add --rtt 0,1ms --tasks 1,8,64';
  },
};

/** None if no cache served the winner, or its keys were written. @type {FindingFile<'untried'>['find']} */
function writesUntried({ advice: { winners } }) {
  const cached = winners.filter(({ summary }) => (summary.cacheHitRate ?? 0) >= NOTHING_WRITTEN);
  if (cached.length === 0) return [];
  const hitRate = Math.min(...cached.map(({ summary }) => Number(summary.cacheHitRate)));
  return [{ ...about(cached), what: 'writes', hitRate }];
}

/** If a distance changes what limits the winners. @type {FindingFile<'untried'>['find']} */
function distanceUntried({ groups, advice: { winners } }) {
  const measured = groups.flatMap(({ compared }) => compared);
  if (measured.some(({ distance, transport }) => distance !== undefined || transport === 'unix')) return [];
  // Distance costs nothing to what a cache serves.
  if (winners.some(({ summary }) => (summary.cacheHitRate ?? 0) > 0)) return [];
  const limits = [...new Set(winners.map(({ summary }) => summary.bottleneck.limit))].filter(
    (limit) => limit === 'client' || limit === 'round-trips',
  );
  return limits.length === 0 ? [] : [{ ...about(winners), what: 'distance', limits }];
}
