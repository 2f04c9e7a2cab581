import { Command, Option } from 'commander';
import {
  BenchError,
  CALIBRATE_OPTIONS,
  describeTool,
  EXIT,
  knownName,
  messageOf,
  OPTIONS,
} from '../index.js';
import { addOptions, addOutputOptions, addRunOptions, outputOption, regressionLimit } from './options.js';
import { sayOn, watchOutput } from './output.js';
import { colorsWanted } from './terminal.js';

/** @import { World } from './types.js' */

const EXAMPLES = `
Examples:
  $ redis-pipe-bench                                    redis and ioredis, four ways to connect
  $ redis-pipe-bench --tasks 8 --size 1000              the same, spelled out
  $ redis-pipe-bench --clients redis,redis:tuned --scenarios shared-connection --tasks 1,8,64
  $ redis-pipe-bench --clients redis@4,redis@5,redis@6      releases side by side
  $ redis-pipe-bench --suite pipelining-test --format lines
  $ redis-pipe-bench --smoke --url redis://127.0.0.1:6379
  $ redis-pipe-bench --smoke --format json --output result.json
  $ redis-pipe-bench --format html --output page.html   a page with charts
  $ redis-pipe-bench compare before.ndjson last --fail-on regression:5%
  $ redis-pipe-bench report last --format markdown      the last result again, without measuring
  $ redis-pipe-bench history
  $ redis-pipe-bench calibrate                          the ceiling: what this machine can do
  $ redis-pipe-bench bisect --client redis --from 5 --to 6 --dry-run
  $ redis-pipe-bench doctor                             is this machine fit for measuring?
  $ redis-pipe-bench list

Results go to stdout, everything else to stderr. Exit codes: 0 done, 2 wrong options,
3 no server or server lost, 4 runs failed or replies were wrong, 5 an assertion failed or a
regression, 130 interrupted.`;

const { url, socket, tlsCa, tlsCert, tlsKey, tlsInsecure, serverBin } = OPTIONS;
const SERVER_OPTIONS = { url, socket, tlsCa, tlsCert, tlsKey, tlsInsecure, serverBin };

const COMMANDS = ['run', 'report', 'history', 'compare', 'bisect', 'calibrate', 'doctor', 'list', 'cache'];

/**
 * The command line, from arguments to exit code.
 *
 * @param {string[]} args without node and script
 * @param {World} world
 * @returns {Promise<number>} the exit code
 */
export async function main(args, world) {
  const output = watchOutput(world);
  /** @type {number} */
  let exitCode = EXIT.done;
  try {
    const program = createProgram(world, (code) => {
      exitCode = code;
    });
    // `run` is the default command; it may be spelled out.
    await program.parseAsync(args[0] === 'run' ? args.slice(1) : args, { from: 'user' });
    await output.flushed();
    return exitCode;
  } catch (error) {
    return explain(error, world);
  }
}

/**
 * @param {World} world
 * @param {(code: number) => void} setExitCode
 */
function createProgram({ stdout, stderr, env, process }, setExitCode) {
  const program = new Command('redis-pipe-bench');
  program
    .description(
      'How should a Node.js service talk to Redis? Measures clients and ways to connect side by side.\n' +
        'Without --url it starts a Redis server of its own and stops it at the end.',
    )
    .version(describeTool().version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) =>
        write(
          `${text
            .replace(/^error: /, 'redis-pipe-bench: ')
            .trim()
            .replaceAll('\n', ' ')}\n`,
        ),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => colorsWanted(stdout, env),
      getErrHasColors: () => colorsWanted(stderr, env),
    })
    .addHelpText('after', EXAMPLES);

  addRunOptions(program.allowExcessArguments()).action(async (options) => {
    for (const word of program.args) await knownName('command', word, COMMANDS);
    const { runCommand } = await import('./commands/run.js');
    setExitCode(await runCommand(options, { stdout, stderr, env, process }));
  });

  const { clients, assert, assertStrict, ...cellOptions } = OPTIONS;
  const bisect = program
    .command('bisect')
    .description('the release of a client with which a figure changed: halves the list until it is found')
    .copyInheritedSettings(program)
    .allowExcessArguments(false)
    .requiredOption('--client <name>', 'the client, with a variant where wanted: redis, redis:tuned')
    .requiredOption('--from <release>', 'the older end: 4.7.1')
    .requiredOption('--to <release>', 'the newer end: 6.3.1, latest')
    .addOption(
      new Option('--metric <name>', 'what is looked at')
        .choices(['opsPerSecond', 'averageMs', 'p99', 'cpuUsPerOp'])
        .default('cpuUsPerOp'),
    )
    .option('--dry-run', 'print the list of releases and measure nothing');
  addOptions(bisect, cellOptions)
    .addOption(new Option('--format <name>', 'how it is printed').choices(['text', 'json']).default('text'))
    .addOption(new Option('-q, --quiet', 'no progress on stderr'))
    .action(async (options) => {
      const { bisectCommand } = await import('./commands/bisect.js');
      setExitCode(await bisectCommand(options, { stdout, stderr, env, process }));
    });

  const report = program
    .command('report')
    .description('render a saved result again: a file, a name that history lists, or last')
    .argument('[result]', 'a saved result, or a report in JSON', 'last')
    .copyInheritedSettings(program)
    .allowExcessArguments(false);
  addOutputOptions(addOptions(report, { assert: OPTIONS.assert, assertStrict: OPTIONS.assertStrict })).action(
    async (name, options) => {
      const { reportCommand } = await import('./commands/report.js');
      setExitCode(await reportCommand(name, options, { stdout, stderr, env, process }));
    },
  );

  program
    .command('history')
    .description('the results that were saved, the newest first')
    .copyInheritedSettings(program)
    .allowExcessArguments(false)
    .addOption(
      new Option('--format <name>', 'how they are listed').choices(['table', 'json']).default('table'),
    )
    .action(async (options) => {
      const { historyCommand } = await import('./commands/history.js');
      await historyCommand(options, { stdout, stderr, env, process });
    });

  const calibrate = program
    .command('calibrate')
    .description('how fast this machine can go: a bare loop without a client, for connections × depth')
    .copyInheritedSettings(program)
    .allowExcessArguments(false);
  addOptions(calibrate, CALIBRATE_OPTIONS)
    .addOption(
      new Option('--format <name>', 'how results are printed').choices(['table', 'json']).default('table'),
    )
    .addOption(new Option('-q, --quiet', 'no progress on stderr'))
    .action(async (options) => {
      const { calibrateCommand } = await import('./commands/calibrate.js');
      setExitCode(await calibrateCommand(options, { stdout, stderr, env, process }));
    });

  program
    .command('compare')
    .description('two results, cell by cell: what differs, by how much, and how sure that is')
    .copyInheritedSettings(program)
    .allowExcessArguments(false)
    .argument('<base>', "a result, a name that 'history' lists, or 'last': what was before")
    .argument('<new>', 'the same: what is now')
    .addOption(
      new Option('--metric <name>', 'what is compared')
        .choices(['opsPerSecond', 'averageMs', 'p99', 'cpuUsPerOp'])
        .default('opsPerSecond'),
    )
    .addOption(
      new Option('--format <name>', 'how it is printed')
        .choices(['table', 'json', 'markdown', 'csv'])
        .default('table'),
    )
    .addOption(outputOption())
    .addOption(
      new Option(
        '--fail-on <regression:percent>',
        'exit 5 when a cell is worse by that much, and the statistics carry it: regression:5%',
      ).argParser(regressionLimit),
    )
    .action(async (base, next, options) => {
      const { compareCommand } = await import('./commands/compare.js');
      setExitCode(await compareCommand(base, next, options, { stdout, stderr, env, process }));
    });

  const doctor = program
    .command('doctor')
    .description('what on this machine makes figures good or bad, and what to do about it')
    .copyInheritedSettings(program)
    .allowExcessArguments(false);
  addOptions(doctor, SERVER_OPTIONS).action(async (options) => {
    const { doctorCommand } = await import('./commands/doctor.js');
    await doctorCommand(options, { stdout, stderr, env, process });
  });

  program
    .command('list')
    .description('clients with version and variants, scenarios, workloads, pipelining modes, suites, formats')
    .copyInheritedSettings(program)
    .allowExcessArguments(false)
    .action(async () => {
      const { listCommand } = await import('./commands/list.js');
      stdout.write(await listCommand());
    });

  const cache = program
    .command('cache')
    .description('releases of clients that were installed to be measured: list them, or clear them away')
    .copyInheritedSettings(program);
  cache
    .command('list')
    .description('which there are, and how much room they take')
    .copyInheritedSettings(program)
    .allowExcessArguments(false)
    .action(async () => {
      const { listCacheCommand } = await import('./commands/cache.js');
      stdout.write(await listCacheCommand());
    });
  cache
    .command('clear')
    .description('remove all of them')
    .copyInheritedSettings(program)
    .allowExcessArguments(false)
    .action(async () => {
      const { clearCacheCommand } = await import('./commands/cache.js');
      stdout.write(await clearCacheCommand());
    });
  return program;
}

/**
 * Tells the user what went wrong.
 *
 * @param {any} error
 * @param {World} world
 * @returns {number} the exit code
 */
function explain(error, { stderr, env }) {
  // commander has written its own message; asking for help or the version is no error.
  if (error?.code?.startsWith('commander.')) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const expected = error instanceof BenchError;
  const say = sayOn(stderr);
  say(`redis-pipe-bench: ${expected ? error.message : `a bug in this tool: ${messageOf(error)}`}`);
  if (!expected || env.DEBUG) say(`${error?.stack ?? error}`);
  return expected ? error.exitCode : EXIT.bug;
}
