import { bisect, EXIT, withEnvironment } from '../../index.js';
import { addMeasuring, benchmarkOptions, formatOption, metricOption, quietOption } from '../options.js';

/** @import { Bisection } from '../../commands/types.js' */
/** @import { CliCommand, World } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'bisect',
  summary: 'find the release of a client that changed a figure',

  define(command, { options, pluginFolders }) {
    const { clients, assert, assertStrict, ...measuring } = benchmarkOptions(options);
    command
      .requiredOption('--client <name>', 'the client, with an optional variant: redis, redis:tuned')
      .requiredOption('--from <release>', 'the older end: 4.7.1')
      .requiredOption('--to <release>', 'the newer end: 6.3.1, latest')
      .addOption(metricOption('what is looked at', 'cpuUsPerOp'))
      .option('--dry-run', 'print the list of releases and measure nothing');
    addMeasuring(command, measuring, pluginFolders)
      .addOption(formatOption(['text', 'json'], 'how it is printed'))
      .addOption(quietOption())
      .addHelpText(
        'after',
        "\nThe other options of a benchmark say what is measured: 'redis-pipe-bench --help all' has them.",
      );
  },

  async run({ format, quiet, ...given }, { stdout, stderr, env, process, pluginFolders }) {
    const { createProgress, interruptible } = await import('../toolbox.js');
    const { options, urlOrigin } = withEnvironment(given, env);
    const progress = createProgress({ stderr, env, quiet: Boolean(quiet) });
    const { onEvent } = progress;
    const printer = await createPrinter(format, stdout, quiet ? null : stderr);
    const onStep = (/** @type {Bisection} */ soFar) => {
      progress.end();
      printer.step(soFar);
    };
    const { result: found } = await interruptible(
      process,
      (signal) =>
        bisect(/** @type {any} */ (options), { signal, onEvent, urlOrigin, pluginFolders, onStep }).catch(
          (error) => {
            if (signal.aborted) return null;
            throw error;
          },
        ),
      progress,
    );
    if (found === null) return EXIT.interrupted;
    printer.end(found, Boolean(options.dryRun));
    return EXIT.done;
  },
};

/**
 * @param {'text' | 'json'} format @param {World['stdout']} stdout
 * @param {World['stderr'] | null} stderr where each answer is printed as it comes
 * @returns {Promise<{step(soFar: Bisection): void, end(found: Bisection, dryRun: boolean): void}>}
 */
async function createPrinter(format, stdout, stderr) {
  if (format === 'json') {
    return { step() {}, end: (found) => void stdout.write(`${JSON.stringify(found, null, 2)}\n`) };
  }
  const { bisectionScreen, evidence, releaseList } = await import('../../report/tables/bisection-table.js');
  const { wrap } = await import('../../report/words/wrap.js');
  const width = stdout.columns ?? 100;
  return {
    step: (soFar) => void stderr?.write(`${wrap(evidence(soFar), width).join('\n')}\n`),
    end: (found, dryRun) =>
      void stdout.write(dryRun ? releaseList(found) : `${bisectionScreen(found, width).join('\n')}\n`),
  };
}
