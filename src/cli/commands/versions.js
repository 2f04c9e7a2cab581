import { join } from 'node:path';
import { EXIT } from '../../core/errors.js';
import { printableDeep } from '../../core/report/escaped.js';
import { wrap } from '../../core/report/wrap.js';
import { bisect as findRelease } from '../../history/bisect.js';
import { bisectReport, evidence } from '../../history/bisect-report.js';
import { releases as measureReleases, releasesReport, releaseText } from '../../history/releases.js';
import { trend as readTrend } from '../../history/trend.js';
import { trendReport } from '../../history/trend-report.js';
import { inGroup } from '../../options/option-table.js';
import { withEnvironment } from '../../options/read.js';
import { flag, positiveInteger } from '../../options/values.js';
import { FLAGS } from '../first-help.js';
import { interruptible } from '../interrupt.js';
import { addOptions, formatOption, metricOption, Option, outputOption, quietOption } from '../options.js';
import { checkWritable, printData, viewOf } from '../output.js';
import { createProgress } from '../progress.js';
import { printed } from '../render.js';

/** @import { Command } from 'commander' */
/** @import { OptionSpec } from '../../options/types.js' */
/** @import { SeriesSet } from '../../history/types.js' */
/** @import { CliContext, CommandPart, RunContext } from '../types.js' */

const EXAMPLES = `
Each result has the release and raw, which shows how fast the machine was. What is there is not measured again,
and what was interrupted is begun again by the next call.

Examples:
  $ redis-pipe-bench releases results                       the 12 newest minors of redis and ioredis
  $ redis-pipe-bench releases results --clients redis@5 --tasks 64
  $ redis-pipe-bench releases results --dry-run             what is there and what is missing
`;

/** The options of a benchmark that have no meaning over several releases. */
const NOT_OF_RELEASES = 'agents queueToken machines budgetMs assert assertStrict'.split(' ');
const NOT_OF_BISECTIONS = ['clients', 'assert', 'assertStrict'];

/**
 * Adds the options of a benchmark: only some have help here.
 * @param {Command} command @param {CliContext} context @param {string[]} without @param {Record<string, OptionSpec>} [explained]
 */
function addMeasuring(command, { options, pluginFolders }, without, explained = {}) {
  const taken = Object.entries(options).filter(([name]) => !without.includes(name) && !(name in explained));
  addOptions(command, explained, pluginFolders);
  const known = new Set(command.options);
  addOptions(command, Object.fromEntries(taken), pluginFolders);
  for (const option of command.options) if (!known.has(option)) option.hideHelp();
  command
    .addOption(formatOption(['table', 'json', 'markdown', 'html'], 'how it is printed'))
    .addOption(quietOption())
    .addHelpText(
      'after',
      "\nThe other options of a benchmark say what is measured: 'redis-pipe-bench --help all' has them.",
    );
}

/**
 * @template T @param {Record<string, any>} given @param {RunContext} context
 * @param {(options: any, hooks: {onEvent: any, signal: AbortSignal}, end: () => void) => Promise<T>} work
 * @returns {Promise<{result: T | null, interrupted: boolean}>} null where it was interrupted
 */
function withProgress({ quiet = false, ...given }, { stderr, env, process, pluginFolders }, work) {
  const { options, urlOrigin } = withEnvironment(given, env);
  const progress = createProgress({ stderr, env, quiet });
  return interruptible(
    process,
    (signal) =>
      work(
        options,
        { .../** @type {any} */ ({ urlOrigin, pluginFolders }), onEvent: progress.onEvent, signal },
        progress.end,
      ).catch((error) => {
        if (signal.aborted) return null;
        throw error;
      }),
    progress,
  );
}

/** @type {CommandPart} */
export const releases = {
  define(command, context) {
    const { clients, tasks, workload, url } = context.options;
    const help = 'clients, with a range or a variant: redis@5, redis:tuned (default: redis,ioredis)';
    const own = inGroup(undefined, {
      newest: [
        positiveInteger,
        'how many minors of each client, from the newest back',
        { flag: '--newest <n>', default: 12 },
      ],
      dryRun: [flag, 'measure nothing; print what is there and what is missing'],
    });
    command.argument('<folder>', 'where the results are kept, a file for each release');
    const explained = { ...own, clients: { ...clients, help }, tasks, workload, url };
    addMeasuring(command, context, NOT_OF_RELEASES, explained);
    command.addHelpText('after', EXAMPLES);
  },

  async run({ format, ...given }, context, folder) {
    const { stdout, stderr, env } = context;
    const { result, interrupted } = await withProgress(given, context, (options, hooks, end) =>
      measureReleases(
        { ...options, folder },
        {
          ...hooks,
          onRelease(release) {
            end();
            if (!given.quiet) stderr.write(`${releaseText(printableDeep(release))}\n`);
          },
        },
      ),
    );
    if (result !== null)
      await printData(printableDeep(result), { format }, stdout, (all) =>
        printed(releasesReport(all), format, viewOf({}, { stdout, env })),
      );
    return interrupted ? EXIT.interrupted : EXIT.done;
  },
};

/** @type {CommandPart} */
export const bisect = {
  define(command, context) {
    command
      .requiredOption('--client <name>', 'the client, with an optional variant: redis, redis:tuned')
      .requiredOption('--from <release>', 'the older end: 4.7.1')
      .requiredOption('--to <release>', 'the newer end: 6.3.1, latest')
      .addOption(metricOption('what is looked at', 'cpuUsPerOp'))
      .option('--dry-run', 'print the list of releases and measure nothing');
    addMeasuring(command, context, NOT_OF_BISECTIONS);
  },

  async run({ format, ...given }, context) {
    const { stdout, stderr, env } = context;
    const { result } = await withProgress(given, context, (options, hooks, end) =>
      findRelease(options, {
        ...hooks,
        onStep(soFar) {
          end();
          if (given.quiet || format === 'json') return;
          stderr.write(`${wrap(evidence(soFar), stdout.columns ?? 100).join('\n')}\n`);
        },
      }),
    );
    if (result === null) return EXIT.interrupted;
    await printData(printableDeep(result), { format }, stdout, (found) =>
      printed(bisectReport(found), format, viewOf({}, { stdout, env })),
    );
  },
};

/** @type {CommandPart} */
export const trend = {
  define: (command) =>
    void command
      .argument('<folder>', 'with saved results (--save)')
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
    if (output !== undefined) checkWritable(output);
    const found = await readTrend(folder, { order, metrics });
    if (output !== undefined)
      checkWritable(output, { reads: filesIn(found).map((file) => join(folder, file)) });
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
