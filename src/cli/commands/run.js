import { benchmark, EXIT, withEnvironment } from '../../index.js';
import { Option } from '../commander.js';
import { HEADINGS } from '../help.js';
import { addOptions, addOutputOptions, benchmarkOptions, namesOf, quietOption } from '../options.js';

/**
 * @import { Report } from '../../results/types.js'
 * @import { CliCommand } from '../types.js'
 */

/** @type {CliCommand} */
export default {
  name: 'run',
  summary: 'measure; what is done if no command is named',

  define(command, context) {
    const { options, pluginFolders } = context;
    command
      .optionsGroup(HEADINGS.what)
      .addOption(
        new Option(
          '--suite <name>',
          `a ready set of options, or a file with your own (${namesOf('suites', pluginFolders)})`,
        ),
      );
    addOutputOptions(addOptions(command, benchmarkOptions(options), pluginFolders), context)
      .addOption(
        new Option('--save <file>', 'keep every run in this file (default: one below the state folder)'),
      )
      .addOption(new Option('--no-save', 'keep nothing'))
      .addOption(quietOption());
  },

  async run({ format, output, plot, details, save, quiet, ...all }, context) {
    const {
      catchInterrupts,
      checkForTable,
      checkWritable,
      createProgress,
      createSaver,
      detailsOf,
      printReport,
      sayOn,
      takeFormatOptions,
      tellAssertions,
    } = await import('../toolbox.js');
    const { stderr, env, pluginFolders } = context;
    const say = sayOn(stderr);
    checkForTable({ format, plot, details });
    const { own, given } = takeFormatOptions(all, format, context.options);
    if (output !== undefined) checkWritable(output);
    const saver = await createSaver(
      { save, smoke: given.smoke },
      { env, warn: (text) => say(`warning: ${text}`) },
    );
    const progress = createProgress({ stderr, env, quiet: Boolean(quiet) });
    const interrupt = catchInterrupts(context.process, progress.interrupted);
    const { options, urlOrigin } = withEnvironment(given, env);
    let report;
    try {
      report = await benchmark(options, {
        signal: interrupt.signal,
        onEvent: progress.onEvent,
        onLine: saver.onLine,
        urlOrigin,
        pluginFolders,
      });
    } finally {
      interrupt.stop();
      progress.end();
    }
    const detailsCommand = saver.kept()
      ? detailsOf('last')
      : save && !saver.failed()
        ? detailsOf(save)
        : null;
    await printReport(report, { format, output, plot, details, detailsCommand, own }, context);
    for (const warning of report.warnings) say(`warning: ${warning}`);
    if (saver.kept() && !quiet) say(`saved as ${saver.file}; 'redis-pipe-bench report last' shows it again`);
    const assertions = tellAssertions(report, say);
    return exitCodeOf(report, interrupt.signal.aborted, say) || (saver.failed() ? EXIT.run : assertions);
  },
};

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
