import { setTimeout as sleep } from 'node:timers/promises';
import { sum } from 'simple-statistics';
import { difference } from '../server/counters.js';
import { snapshotOf } from '../server/info.js';
import { sharedClock } from '../shared-clock.js';

/** @import { Redirections } from '../results/types.js' */
/** @import { Control, ServerDelta } from '../server/types.js' */

const LOOK_EVERY_MS = 20;

/**
 * Counts how often cluster nodes redirect clients and are asked for their slots.
 * @param {Control[]} controls @returns {() => Promise<Redirections | undefined>} undefined before Redis 6.2
 */
export function watchRedirections(controls) {
  const end = new AbortController();
  const watching = Promise.all(controls.map((control) => watchNode(control, end.signal)));
  return async () => {
    end.abort();
    const seen = (await watching).flat();
    if (seen.length === 0) return undefined;
    const redirecting = seen.filter(({ seen: { moved, asked } }) => Number(moved) + Number(asked) > 0);
    const [ends, starts] = [redirecting.map(({ toMs }) => toMs), redirecting.map(({ fromMs }) => fromMs)];
    return {
      moved: sum(seen.map((each) => Number(each.seen.moved))),
      asked: sum(seen.map((each) => Number(each.seen.asked))),
      slotRefreshes: sum(seen.map((each) => refreshes(each.seen))),
      redirectedMs: redirecting.length === 0 ? null : Math.max(...ends) - Math.min(...starts),
    };
  };
}

/** Excludes CLUSTER NODES, which the tool itself sends. @param {ServerDelta} seen */
const refreshes = ({ calls }) => (calls?.['cluster|slots'] ?? 0) + (calls?.['cluster|shards'] ?? 0);

/** @param {Control} control @param {AbortSignal} signal */
async function watchNode(control, signal) {
  const look = async () => snapshotOf(await control.info().catch(() => null));
  /** @type {{fromMs: number, toMs: number, seen: ServerDelta}[]} */
  const all = [];
  let [last, fromMs] = [await look(), sharedClock()];
  for (let isLast = false; !isLast; ) {
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    isLast = signal.aborted;
    const now = await look();
    const seen = difference(last, now);
    // The node has left.
    if (seen === null || seen.moved === null) break;
    const toMs = sharedClock();
    all.push({ fromMs, toMs, seen });
    [last, fromMs] = [now, toMs];
  }
  return all;
}
