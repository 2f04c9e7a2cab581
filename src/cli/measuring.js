import { EXIT, withEnvironment } from '../index.js';
import { interruptible } from './interrupt.js';
import { checkForTable, checkWritable, printReport, takeFormatOptions, tellAssertions } from './output.js';
import { createProgress } from './progress.js';
import { createSaver, detailsOf } from './saved.js';
import { sayOn } from './terminal.js';

/** @import * as api from '../api.js' */
/** @import { Report } from '../results/types.js' */
/** @import { CliContext } from './types.js' */

/**
 * What every command that measures cells does: options to report, saved and printed.
 * @param {typeof api.benchmark | typeof api.map} measure
 * @param {Record<string, any>} options as the command line gave them
 * @param {CliContext} context @returns {Promise<number>} the exit code
 */
export async function measureAndPrint(
  measure,
  { format, output, plot, details, save, quiet, ...all },
  context,
) {
  const { stderr, env, pluginFolders, startedAtMs } = context;
  const say = sayOn(stderr);
  checkForTable({ format, plot, details });
  const { own, given } = takeFormatOptions(all, format, context.options);
  if (output !== undefined) checkWritable(output);
  const saver = await createSaver(
    { save, smoke: given.smoke },
    { env, warn: (text) => say(`warning: ${text}`) },
  );
  const progress = createProgress({ stderr, env, quiet: Boolean(quiet) });
  const { options, urlOrigin } = withEnvironment(given, env);
  const { onEvent } = progress;
  const { onLine } = saver;
  const { result: report, interrupted } = await interruptible(
    context.process,
    (signal) => measure(options, { signal, onEvent, onLine, urlOrigin, pluginFolders, startedAtMs }),
    progress,
  );
  const detailsCommand = saver.kept() ? detailsOf('last') : save && !saver.failed() ? detailsOf(save) : null;
  await printReport(report, { format, output, plot, details, detailsCommand, own }, context);
  for (const warning of report.warnings) say(`warning: ${warning}`);
  if (saver.kept() && !quiet) say(`saved as ${saver.file}; 'redis-pipe-bench report last' shows it again`);
  const assertions = tellAssertions(report, say);
  return exitCodeOf(report, interrupted, say) || (saver.failed() ? EXIT.run : assertions);
}

/** @param {Report} report @param {boolean} interrupted @param {(text: string) => void} say */
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
