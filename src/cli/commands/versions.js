import { join } from 'node:path';
import { withQueue } from '../../commands/agents/options.js';
import { bisect as findRelease } from '../../commands/history/bisect.js';
import { bisectReport, evidence } from '../../commands/history/bisect-report.js';
import { releases as measureReleases, releasesReport, releaseText } from '../../commands/history/releases.js';
import { trend as readTrend } from '../../commands/history/trend.js';
import { trendReport } from '../../commands/history/trend-report.js';
import { EXIT } from '../../errors.js';
import { inGroup } from '../../options/option-table.js';
import { readOnly, withEnvironment } from '../../options/read.js';
import { flag, positiveInteger } from '../../options/values.js';
import { wrap } from '../../report/wrap.js';
import { interruptible } from '../interrupt.js';
import { addOptions, addPrinting, metricOption, Option, quietOption } from '../options.js';
import { checkWritable, printFound } from '../output.js';
import { createProgress } from '../progress.js';

/** @import { Command } from 'commander' */
/** @import { BenchmarkHooks } from '../../commands/benchmark/types.js' */
/** @import { OptionSpec } from '../../options/types.js' */
/** @import { Report } from '../../report/types.js' */
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
  addPrinting(command)
    .addOption(quietOption())
    .addHelpText(
      'after',
      "\nThe other options of a benchmark say what is measured: 'redis-pipe-bench --help all' has them.",
    );
}

/**
 * Measures with progress, and prints what was found; nothing where it was interrupted before.
 * @template Found @param {Record<string, any>} given @param {RunContext} context
 * @param {(options: any, hooks: BenchmarkHooks, tell: (...lines: string[]) => void) => Promise<Found>} work
 * @param {(found: Found) => Report} reportOf @returns {Promise<number>} the exit code
 */
async function measured({ format, output, quiet = false, ...given }, context, work, reportOf) {
  checkWritable(output);
  const { stderr, env, process, pluginFolders } = context;
  const { options, urlOrigin } = withEnvironment(withQueue(given, env), env);
  const progress = createProgress({ stderr, quiet });
  const tell = (/** @type {string[]} */ ...lines) => {
    progress.end();
    if (!quiet) stderr.lines(lines);
  };
  const { result, interrupted } = await interruptible(
    process,
    (signal) =>
      work(options, { urlOrigin, pluginFolders, onEvent: progress.onEvent, signal }, tell).catch((error) => {
        if (signal.aborted) return null;
        throw error;
      }),
    progress,
  );
  if (result !== null) await printFound(result, { format, output }, context, reportOf);
  return interrupted ? EXIT.interrupted : EXIT.done;
}

const OF_RELEASES = inGroup(undefined, {
  newest: [
    positiveInteger,
    'how many minors of each client, from the newest back',
    { flag: '--newest <n>', default: 12 },
  ],
  dryRun: [flag, 'measure nothing; print what is there and what is missing'],
});

/** @type {CommandPart} */
export const releases = {
  define(command, context) {
    const { clients, tasks, workload, url } = context.options;
    const help = 'clients, with a range or a variant: redis@5, redis:tuned (default: redis,ioredis)';
    command.argument('<folder>', 'where the results are kept, a file for each release');
    const explained = { ...OF_RELEASES, clients: { ...clients, help }, tasks, workload, url };
    addMeasuring(command, context, NOT_OF_RELEASES, explained);
    command.addHelpText('after', EXAMPLES);
  },

  run: (given, context, folder) =>
    measured(
      readOnly(OF_RELEASES, given),
      context,
      (options, hooks, tell) =>
        measureReleases(
          { ...options, folder },
          { ...hooks, onRelease: (release) => tell(releaseText(release)) },
        ),
      releasesReport,
    ),
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

  run: (given, context) =>
    measured(
      given,
      context,
      (options, hooks, tell) =>
        findRelease(options, {
          ...hooks,
          onStep: (soFar) => tell(...wrap(evidence(soFar), context.stdout.columns ?? 100)),
        }),
      bisectReport,
    ),
};

/** @type {CommandPart} */
export const trend = {
  define: (command) =>
    void addPrinting(command, { details: 'each changed cell, result by result' })
      .argument('<folder>', 'with saved results (--save)')
      .addOption(
        new Option(
          '--by <order>',
          'how results follow each other (default: by release or commit where cells name any, else by time)',
        ).choices(['time', 'release', 'commit']),
      )
      .option(
        '--metric <names>',
        "what is followed: metrics that 'redis-pipe-bench list metrics' names, separated by commas (default: the usual ones)",
        (names) => names.split(','),
      ),

  async run({ by: order, metric: metrics, format, output, details }, context, folder) {
    const found = await readTrend(folder, { order, metrics });
    const files = [...found.series.flatMap(({ points }) => points), ...found.leftOut].map(({ file }) => file);
    checkWritable(output, { reads: files.map((file) => join(folder, file)) });
    await printFound(found, { format, output, details }, context, trendReport);
  },
};
