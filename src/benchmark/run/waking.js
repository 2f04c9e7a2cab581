import { keepAwake } from '../../core/machine/keep-awake.js';
import { measureWakeUpCost } from '../../core/machine/wake-up-cost.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { NotAwake } from '../../core/machine/types.js' */
/** @import { WakingFact } from '../../core/store/types.js' */
/** @import { Place } from './contexts.js' */

/** @typedef {Awaited<ReturnType<typeof createWaking>>} Waking */

/**
 * Keeps the processors of server and workers awake: always, or in every other run of a start. A start has both states
 * because it costs three times as much to start and warm up a cell as to measure it once more.
 * @param {Place[]} places @param {Pick<Settings, 'cpus'>} settings
 */
export async function createWaking(places, { cpus }) {
  const own = places.map(({ placer }) => placer.pinned());
  const kept = cpus === 'asleep' ? null : await keep(own);
  const loops = kept === null || 'reason' in kept ? null : kept;
  loops?.pause();
  return {
    fact: await factOf(),
    /** Of runs, whether they are kept awake: warm-ups are in the first. */
    states: loops === null ? [false] : cpus === 'awake' ? [true] : [false, true],
    /** @param {boolean} isAwake */
    keep(isAwake) {
      if (isAwake) loops?.resume();
      else loops?.pause();
    },
    end: async () => void (await loops?.stop()),
  };

  /** @returns {Promise<WakingFact | null>} */
  async function factOf() {
    if (kept === null) return null;
    if ('reason' in kept) return { kind: 'not-kept-awake', ...kept };
    const cost = await measureWakeUpCost(
      own.flatMap((each) => ('reason' in each ? [] : each)),
      kept.pids,
    );
    return cost && { kind: 'wake-up', ...cost };
  }
}

/** @param {(number[] | NotAwake)[]} own */
function keep(own) {
  const not = own.find((each) => 'reason' in each);
  return not ?? keepAwake([...new Set(/** @type {number[][]} */ (own).flat())]);
}
