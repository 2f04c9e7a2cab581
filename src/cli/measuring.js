import { EXIT } from '../core/errors.js';
import { withEnvironment } from '../options/read.js';
import { interruptible } from './interrupt.js';
import { checkForTable, checkWritable, printReport, takeFormatOptions, tellAssertions } from './output.js';
import { createProgress } from './progress.js';
import { createSaver } from './saved.js';

/** @import { CommandData } from '../options/types.js' */
/** @import { Report } from '../core/store/types.js' */
/** @import { RunContext } from './types.js' */

/**
 * @param {Record<string, any>} options from the command line @param {RunContext} context
 * @param {CommandData} [command] where it is not a benchmark @returns {Promise<number>} the exit code
 */
export async function measureAndPrint(options, context, command) {
  const { benchmark } = await import('../benchmark/benchmark.js');
  const { say } = context;
  const { asked, view, saver, quiet } = await read(options, context, command);
  const progress = createProgress({ ...context, quiet });
  const { pluginFolders, startedAtMs } = context;
  const hooks = { onEvent: progress.onEvent, onLine: saver.onLine, pluginFolders, startedAtMs, command };
  const { result: report, interrupted } = await interruptible(
    context.process,
    (signal) => benchmark(asked.options, { ...hooks, signal, urlOrigin: asked.urlOrigin }),
    progress,
  );
  await printReport(report, { ...view, detailsCommand: saver.detailsCommand() }, context);
  for (const warning of report.warnings) say(`warning: ${warning}`);
  if (saver.kept() && !quiet) say(`saved as ${saver.file}; 'redis-pipe-bench report last' shows it again`);
  const assertions = tellAssertions(report, say);
  return exitCodeOf(report, interrupted, say) || (saver.failed() ? EXIT.run : assertions);
}

/**
 * Rejects bad options before measuring.
 * @param {Record<string, any>} given @param {RunContext} context @param {CommandData} [command]
 */
async function read({ format, output, details, save, quiet, ...all }, { env, options, say }, command) {
  checkForTable({ format, details });
  const { own, given } = takeFormatOptions(all, format, options);
  if (output !== undefined) checkWritable(output);
  const saver = await createSaver(
    { save, smoke: given.smoke },
    { env, warn: (text) => say(`warning: ${text}`) },
  );
  const view = { format, output, details, own };
  // Whatever breaks is the tool's own.
  const asked = command?.takes.includes('url') === false ? { options: given } : withEnvironment(given, env);
  return { asked, view, saver, quiet: Boolean(quiet) };
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
