/** @import { CellRunner } from './run-cell.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Warmed } from './until-warm.js' */

/** A disturbed warm-up gave a slice that takes less than this share of its time. */
const LEAST_PART = 1 / 4;
/** This few iterations may come from a stall, even if all cells have the same number. */
const FEW = 10;
/** Each makes slices at least four times as long. */
const MOST_TRIES = 5;

/**
 * A stalled warm-up makes its cell look slow and gives it few iterations: a single one of 0.4 ms would rank as the
 * fastest. So each slow-looking cell runs a slice, and is sized again if that ends far too soon.
 * @param {Pick<CellRunner, 'cell' | 'iterations' | 'warmUp'>[]} runners
 * @param {Map<string, Pick<Warmed, 'perMs'> | null>} warmed by cell; speeds are corrected here
 * @param {{sliceMs: number, slices: number, size: () => void, signal: RunContext['signal']}} sizing
 */
export async function sizeAgain(runners, warmed, { sliceMs, slices, size, signal }) {
  const countOf = (/** @type {(typeof runners)[number]} */ runner) => (runner.iterations() ?? 0) / slices;
  const most = Math.max(...runners.map(countOf));
  let doubtful = runners.filter((runner) => countOf(runner) < most || countOf(runner) <= FEW);
  for (let tries = 0; tries < MOST_TRIES && doubtful.length > 0; tries++) {
    const short = [];
    for (const runner of doubtful) {
      if (signal.aborted) return;
      const iterations = countOf(runner);
      const run = await runner.warmUp({ iterations });
      if (run === undefined || run.elapsedMs >= sliceMs * LEAST_PART) continue;
      const known = warmed.get(runner.cell.id);
      if (known) known.perMs = iterations / run.elapsedMs;
      short.push(runner);
    }
    if (short.length > 0) size();
    doubtful = short;
  }
}
