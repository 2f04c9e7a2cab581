import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { withQueue } from '../commands/agents/options.js';
import { EXIT, UsageError } from '../errors.js';
import { count } from '../numbers.js';
import { withEnvironment } from '../options/read.js';
import { lockFile } from '../process/lock-file.js';
import { factText } from '../report/fact-words.js';
import { createStore, resultName, userStateFolder } from '../store/result-store.js';
import { interruptible } from './interrupt.js';
import { checkForTable, checkWritable, detailsOf, printAssertions, printReport } from './output.js';
import { createProgress } from './progress.js';

/** @import { CommandData, Measuring } from '../commands/types.js' */
/** @import { Report } from '../store/types.js' */
/** @import { RunContext } from './types.js' */

/**
 * Bad options are rejected before anything is measured.
 * @param {Record<string, any>} options from the command line @param {RunContext} context
 * @param {Measuring | CommandData} command @returns {Promise<number>} the exit code
 */
export async function measureAndPrint(options, context, command) {
  const { format, output, details, save, quiet = false, allowUndecided, ...given } = options;
  const { say, env, pluginFolders, startedAtMs } = context;
  // Figures of a smoke run say nothing.
  const wanted = details && !given.smoke ? { ...command.withDetails, ...given } : given;
  checkForTable({ format, details });
  if (allowUndecided && given.assert === undefined && given.budgetMs === undefined)
    throw new UsageError(
      '--allow-undecided needs --assert or --budget; add one, or leave --allow-undecided out',
    );
  checkWritable(output);
  const file = fileToKeep({ save, output, smoke: given.smoke }, context);
  let isKept = file !== null;
  const onFailure = (/** @type {string} */ message) => {
    isKept = false;
    say(`warning: the results are not saved: ${message}`);
  };
  const store = file === null ? null : await createStore(file, { replace: Boolean(save), onFailure });
  const { options: asked, urlOrigin } = command.startsItsServers
    ? { options: wanted }
    : withEnvironment(withQueue(wanted, env), env);
  const { measure } = await import('../run/measure.js');
  const progress = createProgress({ ...context, quiet });
  const { onEvent } = progress;
  const hooks = { onEvent, onLine: store?.append, pluginFolders, startedAtMs, urlOrigin };
  const unlock = save ? lockFile(save, '--save') : () => {};
  const { result: report, interrupted } = await interruptible(
    context.process,
    (signal) => measure(command, asked, { ...hooks, signal }),
    progress,
  ).finally(unlock);
  // A result without a run is none: 'last' stays what it was.
  if (isKept && file !== null && !save && !hasRuns(report)) {
    rmSync(file, { force: true });
    isKept = false;
  }
  const detailsCommand = isKept ? detailsOf(save || 'last') : null;
  await printReport(report, { format, output, details, detailsCommand }, context);
  // With --details the report has them.
  if (!details || output) for (const warning of report.warnings) say(`warning: ${warning}`);
  if (isKept && !save && !quiet) say(`saved as ${file}; 'redis-pipe-bench report last' shows it again`);
  const late = printLate(report, say, allowUndecided);
  const assertions = printAssertions(report, say, allowUndecided);
  return exitCodeOf(report, interrupted, say) || (save && !isKept ? EXIT.run : assertions || late);
}

/**
 * A smoke run is saved only to a named file, because its figures mean nothing.
 * @param {{save?: string | false, output?: string, smoke?: boolean}} options @param {RunContext} context
 * @throws {UsageError} if the user's file cannot be written
 */
function fileToKeep({ save, output, smoke }, { env, say }) {
  if (typeof save === 'string')
    checkWritable(save, { flag: '--save', grows: true, printed: output ?? '/dev/stdout' });
  if (save || save === false || smoke) return save || null;
  const folder = userStateFolder(env);
  if (folder !== null) return join(folder, resultName(new Date(), process.pid));
  say('warning: the results are not saved, because this user has no home folder; --save FILE says where');
  return null;
}

/** @param {Report} report */
const hasRuns = ({ cells }) => cells.some(({ runs }) => runs.length > 0);

/**
 * What there was no time for. A limit that leaves out as many cells as it lets be measured has not answered what was asked:
 * of two clients, one is nothing to choose from.
 * @param {Report} report @param {(text: string) => void} say @param {boolean} [allowUndecided] @returns {number} the exit code
 */
function printLate({ cells }, say, allowUndecided = false) {
  const late = cells.flatMap(({ skipped }) => (skipped?.kind === 'no-time' ? skipped : []));
  if (late.length === 0) return EXIT.done;
  say(`warning: ${late.length} of ${count(cells.length, 'cell')} not measured: ${factText(late[0])}`);
  const measured = cells.filter(({ runs }) => runs.length > 0).length;
  if (allowUndecided || measured === 0 || measured > late.length) return EXIT.done;
  say(
    'redis-pipe-bench: not decided: --budget left out half of the cells or more (--allow-undecided: exit 0)',
  );
  return EXIT.undecided;
}

/** @param {Report} report @param {boolean} interrupted @param {(text: string) => void} say */
function exitCodeOf(report, interrupted, say) {
  if (report.failure !== null) {
    say(`redis-pipe-bench: the benchmark ended early: ${report.failure}`);
    return EXIT.server;
  }
  if (interrupted) return EXIT.interrupted;
  if (!hasRuns(report)) {
    say('redis-pipe-bench: nothing was measured');
    return EXIT.run;
  }
  const failed = report.cells.filter((cell) => cell.runs.some((run) => run.failed !== null));
  if (failed.length === 0) return EXIT.done;
  say(`redis-pipe-bench: ${failed.length} of ${count(report.cells.length, 'cell')} failed`);
  return EXIT.run;
}
