import { EXIT } from '../../core/errors.js';
import { withEnvironment } from '../../options/read-options.js';
import { addMeasuring, benchmarkOptions, formatOption, metricOption, quietOption } from '../options.js';

/** @import { Bisection } from '../../benchmark/types.js' */
/** @import { CliCommand } from '../types.js' */

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

  async run({ format, quiet, ...given }, { stdout, stderr, env, process, pluginFolders, tools }) {
    const { bisect } = await import('../../history/bisect.js');
    const { bisectionScreen, evidence, releaseList } = await import('../../history/bisection-table.js');
    const { wrap } = await import('../../core/report/wrap.js');
    const { options, urlOrigin } = withEnvironment(given, env);
    const progress = tools.createProgress({ stderr, env, quiet: Boolean(quiet) });
    const { onEvent } = progress;
    const onStep = (/** @type {Bisection} */ soFar) => {
      progress.end();
      if (quiet || format === 'json') return;
      stderr.write(`${wrap(evidence(soFar), stdout.columns ?? 100).join('\n')}\n`);
    };
    const hooks = { onEvent, urlOrigin, pluginFolders, onStep };
    const { result: found } = await tools.interruptible(
      process,
      (signal) => tools.orNull(signal, bisect(/** @type {any} */ (options), { ...hooks, signal })),
      progress,
    );
    if (found === null) return EXIT.interrupted;
    await tools.printData(found, { format }, stdout, (_, width) =>
      options.dryRun ? releaseList(found) : `${bisectionScreen(found, width).join('\n')}\n`,
    );
  },
};
