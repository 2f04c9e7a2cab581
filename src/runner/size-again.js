/** @import { RunContext } from './types.js' */
/** @import { CellRunner } from './run-group.js' */

/** A run that takes less than this part of the run time was sized by a warm-up that something held up. */
const LEAST_PART = 1 / 4;
/** So few iterations may be the measure of a stall, even where they are all cells'. */
const FEW = 10;
/** Each makes the runs at least four times as long. */
const MOST_TRIES = 5;

/**
 * A warm-up that was held up takes its cell for slow and gives it few iterations: with one of 0.4 ms it
 * would rank as the fastest. So each cell that was found slow runs once at the length that it was given,
 * and is sized again by that where it took far less than the run time.
 *
 * @param {Pick<CellRunner, 'cell' | 'iterations' | 'warmUp'>[]} runners
 * @param {Map<string, number | null>} speeds iterations of one task in a millisecond, by cell; mended here
 * @param {{runTimeMs: number, setIterations: () => void, signal: RunContext['signal']}} sizing
 */
export async function sizeAgain(runners, speeds, { runTimeMs, setIterations, signal }) {
  const most = Math.max(...runners.map((runner) => runner.iterations() ?? 0));
  let doubtful = runners.filter((runner) => {
    const count = runner.iterations() ?? 0;
    return count < most || count <= FEW;
  });
  for (let tries = 0; tries < MOST_TRIES && doubtful.length > 0; tries++) {
    const short = [];
    for (const runner of doubtful) {
      if (signal.aborted) return;
      const iterations = Number(runner.iterations());
      const run = await runner.warmUp({ iterations });
      if (run === undefined || run.elapsedMs >= runTimeMs * LEAST_PART) continue;
      speeds.set(runner.cell.id, iterations / run.elapsedMs);
      short.push(runner);
    }
    if (short.length > 0) setIterations();
    doubtful = short;
  }
}
