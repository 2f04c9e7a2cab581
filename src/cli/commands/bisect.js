import { bisect, EXIT } from '../../index.js';
import { conclusion, evidence, releaseList } from '../../report/tables/bisection-table.js';
import { wrap } from '../../report/words/wrap.js';
import { catchInterrupts } from '../interrupt.js';
import { createProgress } from '../progress.js';
import { withEnvironment } from '../server-options.js';

/** @import { World } from '../types.js' */

/**
 * Looks for the release with which a figure changed, and prints the evidence as it comes.
 *
 * @param {Record<string, any>} options
 * @param {World} world
 * @returns {Promise<number>} the exit code
 */
export async function bisectCommand({ format, quiet, ...given }, { stdout, stderr, env, process }) {
  const { options, urlOrigin } = withEnvironment(given, env);
  const progress = createProgress({ stderr, env, quiet: Boolean(quiet) });
  const interrupt = catchInterrupts(process, progress.interrupted);
  const isText = format === 'text';
  const print = (/** @type {string} */ text) =>
    void stdout.write(`${wrap(text, stdout.columns ?? 100).join('\n')}\n`);
  let found;
  try {
    found = await bisect(/** @type {any} */ (options), {
      signal: interrupt.signal,
      onEvent: progress.onEvent,
      urlOrigin,
      onStep(soFar) {
        progress.end();
        if (isText) print(evidence(soFar));
      },
    });
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    interrupt.stop();
    progress.end();
  }
  if (!isText) stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  else if (options.dryRun) stdout.write(releaseList(found));
  else for (const sentence of conclusion(found)) print(sentence);
  return EXIT.done;
}
