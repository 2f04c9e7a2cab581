import { benchmark, EXIT } from '../../index.js';
import { catchInterrupts } from '../interrupt.js';
import { checkWritable, printReport, sayOn } from '../output.js';
import { createProgress } from '../progress.js';
import { createSaver } from '../saved.js';
import { withEnvironment } from '../server-options.js';
import { tellAssertions } from '../verdict.js';
import { checkPlot } from '../view.js';

/**
 * @import { Report } from '../../results/types.js'
 * @import { World } from '../types.js'
 */

/**
 * Runs a benchmark, saves what it measures, and prints its report.
 *
 * @param {Record<string, any>} options the benchmark's, and format, output, plot, save and quiet
 * @param {World} world
 * @returns {Promise<number>} the exit code
 */
export async function runCommand({ format, output, plot, save, quiet, ...given }, world) {
  const { stderr, env, process } = world;
  const say = sayOn(stderr);
  checkPlot({ format, plot });
  if (output !== undefined) checkWritable(output);
  const saver = await createSaver(
    { save, smoke: given.smoke },
    { env, warn: (text) => say(`warning: ${text}`) },
  );
  const { options, urlOrigin } = withEnvironment(given, env);
  const progress = createProgress({ stderr, env, quiet: Boolean(quiet) });
  const interrupt = catchInterrupts(process, progress.interrupted);
  let report;
  try {
    report = await benchmark(options, {
      signal: interrupt.signal,
      onEvent: progress.onEvent,
      onLine: saver.onLine,
      urlOrigin,
    });
  } finally {
    interrupt.stop();
    progress.end();
  }
  await printReport(report, { format, output, plot }, world);
  for (const warning of report.warnings) say(`warning: ${warning}`);
  if (saver.kept() && !quiet) say(`saved as ${saver.file}; 'redis-pipe-bench report last' shows it again`);
  const assertions = tellAssertions(report, say);
  return exitCodeOf(report, interrupt.signal.aborted, say) || (saver.failed() ? EXIT.run : assertions);
}

/**
 * @param {Report} report
 * @param {boolean} interrupted
 * @param {(text: string) => void} say
 */
function exitCodeOf(report, interrupted, say) {
  if (report.failure !== null) {
    say(`redis-pipe-bench: the benchmark ended early: ${report.failure}`);
    return EXIT.server;
  }
  if (interrupted) return EXIT.interrupted;
  const failed = report.cells.filter((cell) => cell.runs.some((run) => run.failed !== null));
  if (failed.length === 0) return EXIT.done;
  say(`redis-pipe-bench: ${failed.length} of ${report.cells.length} cells failed`);
  return EXIT.run;
}
