import { writeFile } from 'node:fs/promises';
import { benchmark, EXIT, messageOf, RunError, renderReport } from '../../index.js';
import { catchInterrupts } from '../interrupt.js';
import { checkWritable } from '../output.js';
import { createProgress } from '../progress.js';
import { withEnvironment } from '../server-options.js';
import { checkPlot, viewOf } from '../view.js';

/**
 * Runs a benchmark and prints its report.
 *
 * @param {Record<string, any>} options the benchmark's, and format, output, plot and quiet
 * @param {import('../../types.js').World} world
 * @returns {Promise<number>} the exit code
 */
export async function runCommand({ format, output, plot, quiet, ...given }, world) {
  const { stdout, stderr, env, process } = world;
  checkPlot({ format, plot });
  if (output !== undefined) checkWritable(output);
  const { options, urlOrigin } = withEnvironment(given, env);
  const progress = createProgress({ stderr, env, quiet: Boolean(quiet) });
  const interrupt = catchInterrupts(process, progress.interrupted);
  let report;
  try {
    report = await benchmark(options, {
      signal: interrupt.signal,
      onEvent: progress.onEvent,
      urlOrigin,
    });
  } finally {
    interrupt.stop();
    progress.end();
  }
  const toTerminal = output === undefined;
  const text = await renderReport(report, format, viewOf({ output, plot }, world));
  if (toTerminal) stdout.write(text);
  else await save(output, text, stdout);
  for (const warning of report.warnings) stderr.write(`warning: ${warning}\n`);
  return exitCodeOf(report, interrupt.signal.aborted, stderr);
}

/**
 * @param {string} file
 * @param {string} text
 * @param {import('../../types.js').Output} stdout takes the results when the file does not
 */
async function save(file, text, stdout) {
  try {
    await writeFile(file, text);
  } catch (error) {
    stdout.write(text);
    throw new RunError(
      `the results could not be written to '${file}', so they are on stdout: ${messageOf(error)}`,
    );
  }
}

/**
 * @param {import('../../types.js').Report} report
 * @param {boolean} interrupted
 * @param {import('../../types.js').Output} stderr
 */
function exitCodeOf(report, interrupted, stderr) {
  if (report.failure !== null) {
    stderr.write(`redis-pipe-bench: the benchmark ended early: ${report.failure}\n`);
    return EXIT.server;
  }
  if (interrupted) return EXIT.interrupted;
  const failed = report.cells.filter((cell) => cell.runs.some((run) => run.failed !== null));
  if (failed.length === 0) return EXIT.done;
  stderr.write(`redis-pipe-bench: ${failed.length} of ${report.cells.length} cells failed\n`);
  return EXIT.run;
}
