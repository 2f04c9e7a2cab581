import { join } from 'node:path';
import { EXIT, UsageError } from '../../core/errors.js';
import { printableDeep } from '../../core/report/escaped.js';
import { withEnvironment } from '../../options/read.js';
import { FLAGS } from '../first-help.js';
import { interruptible, orNull } from '../interrupt.js';
import { addMeasuring, formatOption, metricOption, Option, outputOption, quietOption } from '../options.js';
import { checkWritable, printData } from '../output.js';
import { createProgress } from '../progress.js';

/** @import { Bisection, MeasuredRelease } from '../../benchmark/types.js' */
/** @import { SeriesSet } from '../../history/types.js' */
/** @import { CommandPart } from '../types.js' */

/** Only these options get help here; the others work as in a benchmark. */
const EXPLAINED = 'clients tasks workload url'.split(' ');

const EXAMPLES = `
Each result has the release and raw, which shows how fast the machine was. What is there is not measured again,
and what was interrupted is begun again by the next call. The other options of a benchmark say what is measured:
'redis-pipe-bench --help all' has them.

Examples:
  $ redis-pipe-bench releases results                       the 12 newest minors of redis and ioredis
  $ redis-pipe-bench releases results --clients redis@5 --tasks 64
  $ redis-pipe-bench releases results --dry-run             what is there and what is missing
`;

/** @type {CommandPart} */
export const releases = {
  define(command, { options, pluginFolders }) {
    const { agents, queueToken, machines, budgetMs, assert, assertStrict, clients, ...measuring } = options;
    const own = {
      clients: {
        ...clients,
        help: 'clients, with a range or a variant: redis@5, redis:tuned (default: redis,ioredis)',
      },
      ...measuring,
    };
    command
      .argument('<folder>', 'where the results are kept, a file for each release')
      .addOption(
        new Option('--newest <count>', 'how many minors of each client, from the newest back')
          .default(12)
          .argParser(readCount),
      )
      .option('--dry-run', 'measure nothing; print what is there and what is missing');
    addMeasuring(command, own, pluginFolders, EXPLAINED)
      .addOption(formatOption(['text', 'json'], 'how it is printed'))
      .addOption(quietOption())
      .addHelpText('after', EXAMPLES);
  },

  async run({ format, quiet, ...given }, { stdout, stderr, env, process, pluginFolders }, folder) {
    const { releases } = await import('../../history/releases.js');
    const { releasesText, releaseText } = await import('../../history/releases-words.js');
    const { options, urlOrigin } = withEnvironment(given, env);
    const progress = createProgress({ stderr, env, quiet: Boolean(quiet) });
    const { onEvent } = progress;
    const inText = format === 'text';
    const onRelease = (/** @type {MeasuredRelease} */ release) => {
      progress.end();
      if (inText) stdout.write(`${releaseText(printableDeep(release))}\n`);
    };
    const hooks = { onEvent, onRelease, urlOrigin, pluginFolders };
    const { result: found, interrupted } = await interruptible(
      process,
      (signal) => orNull(signal, releases(/** @type {any} */ ({ ...options, folder }), { ...hooks, signal })),
      progress,
    );
    if (found !== null) await printData(found, { format }, stdout, (all) => `${releasesText(all)}\n`);
    return interrupted ? EXIT.interrupted : EXIT.done;
  },
};

/** @param {string} text @throws {UsageError} */
function readCount(text) {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new UsageError(`--newest: expected a whole number of minors from 1 on, got '${text}'`);
}

/** @type {CommandPart} */
export const bisect = {
  define(command, { options, pluginFolders }) {
    const { clients, assert, assertStrict, ...measuring } = options;
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
    const { bisect } = await import('../../history/bisect.js');
    const { bisectionScreen, evidence, releaseList } = await import('../../history/bisection-table.js');
    const { wrap } = await import('../../core/report/wrap.js');
    const { options, urlOrigin } = withEnvironment(given, env);
    const progress = createProgress({ stderr, env, quiet: Boolean(quiet) });
    const { onEvent } = progress;
    const onStep = (/** @type {Bisection} */ soFar) => {
      progress.end();
      if (quiet || format === 'json') return;
      stderr.write(`${wrap(evidence(soFar), stdout.columns ?? 100).join('\n')}\n`);
    };
    const hooks = { onEvent, urlOrigin, pluginFolders, onStep };
    const { result: found } = await interruptible(
      process,
      (signal) => orNull(signal, bisect(/** @type {any} */ (options), { ...hooks, signal })),
      progress,
    );
    if (found === null) return EXIT.interrupted;
    await printData(found, { format }, stdout, (_, width) =>
      options.dryRun ? releaseList(found) : `${bisectionScreen(found, width).join('\n')}\n`,
    );
  },
};

/** @type {CommandPart} */
export const trend = {
  define: (command) =>
    void command
      .argument('<folder>', 'with saved results (--save), or reports in JSON')
      .addOption(
        new Option(
          '--by <order>',
          'how results follow each other (default: by release or commit where cells name any, else by time)',
        ).choices(['time', 'release', 'commit']),
      )
      .option(
        '--metric <names>',
        "what is followed: metrics that 'redis-pipe-bench list' names, separated by commas (default: the usual ones)",
        (names) => names.split(','),
      )
      .addOption(formatOption(['table', 'json', 'markdown', 'html'], 'how it is printed'))
      .addOption(outputOption())
      .option(FLAGS.details.flag, 'each changed cell, result by result'),

  async run({ by: order, metric: metrics, format, output, details }, { stdout }, folder) {
    const { trend } = await import('../../history/trend.js');
    if (output !== undefined) checkWritable(output);
    const found = await trend(folder, { order, metrics });
    if (output !== undefined)
      checkWritable(output, { reads: filesIn(found).map((file) => join(folder, file)) });
    const { printed } = await import('../render.js');
    const { trendReport } = await import('../../history/trend-table.js');
    await printData(printableDeep(found), { format, output }, stdout, (all, width) =>
      printed(trendReport(all), format, { width, details, detailsCommand: null }),
    );
  },
};

/** @param {SeriesSet} found @returns {string[]} */
const filesIn = ({ series, leftOut }) => [
  ...series.flatMap(({ points }) => points.map(({ file }) => file)),
  ...leftOut.map(({ file }) => file),
];
