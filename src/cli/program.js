import { OPTIONS as OF_AGENTS } from '../commands/agents/options.js';
import { BenchError, EXIT, messageOf, ownPlaceOf, UsageError } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { findPluginFiles, loadOptions } from '../options/catalogue.js';
import { OPTIONS } from '../options/option-table.js';
import { assertKnownName } from '../options/plugin-names.js';
import { flagOf, notTaken } from '../options/read.js';
import { withoutSecrets } from '../process/secrets.js';
import { COMMANDS, DEFAULT, loadCommand } from './commands.js';
import { ABOUT, FLAGS, HEADINGS } from './first-help.js';
import { createCommand } from './options.js';

/** @import { PluginFolders } from '../plugins/types.js' */
/** @import { CliContext, CommandPart, World } from './types.js' */
/** @import { OptionTable } from '../options/types.js' */
/** @import { OutputConfiguration } from 'commander' */

/** @param {string[]} args without node and script @param {World} world @returns {Promise<number>} the exit code */
export async function runProgram(args, world) {
  /** @type {number} */
  let exitCode = EXIT.done;
  const pluginFolders = withOwnFiles(args, world.pluginFolders);
  const options = await loadOptions(pluginFolders, OF_AGENTS);
  const program = await createProgram(args, { ...world, pluginFolders, options }, (code = EXIT.done) => {
    exitCode = code;
  });
  // The default command may be spelled out.
  await program.parseAsync(args[0] === DEFAULT ? args.slice(1) : args, { from: 'user' });
  return exitCode;
}

/**
 * Adds the user's plugin files before parsing, because they may add options.
 * @param {string[]} args @param {PluginFolders} [folders] @returns {PluginFolders | undefined}
 */
function withOwnFiles(args, folders) {
  if (!args.some((arg) => /\.[cm]?js\b/.test(arg))) return folders;
  const named = Object.entries(OPTIONS).flatMap(([name, spec]) => {
    const value = spec.plugins && valueAfter(args, flagOf(spec));
    return value === undefined ? [] : [[name, value]];
  });
  return findPluginFiles(Object.fromEntries(named), folders);
}

/** @param {string[]} args @param {string} flag @returns {string | undefined} the last one given */
function valueAfter(args, flag) {
  const at = args.findLastIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  if (at === -1) return undefined;
  return args[at] === flag ? args[at + 1] : args[at].slice(flag.length + 1);
}

/** @param {string[]} args @param {CliContext} context @param {(code?: number) => void} setExitCode */
async function createProgram(args, context, setExitCode) {
  /** @type {CommandPart['data']} */
  let data;
  const program = createCommand('redis-pipe-bench')
    .description(ABOUT)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput(outputOf(context, (flag) => notTaken(data ?? { name: args[0] }, flag)));
  const runContext = { ...context, say: (/** @type {string} */ text) => context.stderr.lines([text]) };
  for (const [name, [, summary]] of Object.entries(COMMANDS)) {
    if (name === DEFAULT) continue;
    const command = program.command(name).description(summary);
    // Others would only cost time.
    if (!args.includes(name)) continue;
    const { define, run, data: measured } = await loadCommand(name);
    data ??= measured;
    define?.(command, context);
    command.action(async (...received) => {
      assertNoneBefore(args[0], name);
      setExitCode(await run(received.at(-2), runContext, ...received.slice(0, -2)));
    });
  }
  const { define, run } = await loadCommand(DEFAULT);
  define?.(program, context);
  program
    .optionsGroup(HEADINGS.print)
    .helpOption(FLAGS.help.flag, FLAGS.help.help)
    .version(describeTool().version, FLAGS.version.flag, 'the version of this tool')
    .addHelpText('after', EXAMPLES + END)
    // Otherwise commander would call an unknown command an excess argument.
    .allowExcessArguments()
    .action(async (options) => {
      for (const word of program.args) assertKnownName('command', word, Object.keys(COMMANDS));
      setExitCode(await run(options, runContext));
    });
  return program;
}

/** An option before a command would be read as one of a benchmark, and lost. @param {string} first @param {string} name @throws {UsageError} */
function assertNoneBefore(first, name) {
  const [flag] = first.split('=');
  if (flag.startsWith('-'))
    throw new UsageError(`${flag} stands before '${name}'; write it after the command: ${name} ${flag}`);
}

/**
 * @param {CliContext} context
 * @param {(flag: string) => string} notTakenText
 * @returns {OutputConfiguration}
 */
const outputOf = ({ stdout, stderr, options }, notTakenText) => ({
  writeOut: (text) => stdout.rendered(text),
  writeErr: (text) => stderr.rendered(text),
  outputError(text) {
    const said = withoutSecrets(ofOther(text, options, notTakenText) ?? text.replace(/^error: /, ''));
    stderr.lines([`redis-pipe-bench: ${said.trim().replaceAll('\n', ' ')}`]);
  },
  getOutHelpWidth: () => stdout.columns ?? 100,
  getErrHelpWidth: () => stderr.columns ?? 100,
  getOutHasColors: () => stdout.color,
  getErrHasColors: () => stderr.color,
});

/**
 * @param {string} text of commander
 * @param {OptionTable} options
 * @param {(flag: string) => string} notTakenText
 * @returns {string | undefined} what is said of an option that a benchmark has and this command has not
 */
function ofOther(text, options, notTakenText) {
  const [, flag, value] = /^error: unknown option '(--[\w-]+)(=[^']*)?/.exec(text) ?? [];
  const ofBenchmark = Object.values(options).find((spec) => flagOf(spec) === flag);
  if (ofBenchmark === undefined) return undefined;
  return value !== undefined && ofBenchmark.flag === flag
    ? `${flag} takes no value; leave '${value}' out`
    : notTakenText(flag);
}

/** What the system refuses, and what to do. Never bugs of the tool, wherever they come from. @type {Record<string, string>} */
const OF_THE_MACHINE = {
  EMFILE: 'raise the limit with: ulimit -n 1024',
  ENFILE: 'close other programs, or raise fs.file-max',
  ENOSPC: 'free some space on that disk, or set TMPDIR to another one',
  EDQUOT: "free some of this user's space on that disk, or set TMPDIR to another one",
  EFBIG: 'raise the limit with: ulimit -f unlimited',
  EROFS: 'choose a place that can be written',
  EIO: 'check that disk',
};

/** @param {unknown} error @param {World} world @returns {number} the exit code */
export function explain(error, { stderr, env }) {
  // commander has already printed its message; --help and --version are no errors.
  const { code = '', exitCode } = Object(error);
  if (`${code}`.startsWith('commander.')) return exitCode === 0 ? EXIT.done : EXIT.usage;
  const say = (/** @type {string[]} */ ...lines) => stderr.lines(lines.map(withoutSecrets));
  const advice = OF_THE_MACHINE[code];
  if (advice !== undefined) {
    say(`redis-pipe-bench: ${messageOf(error)}; ${advice}`);
    return EXIT.usage;
  }
  const expected = error instanceof BenchError;
  const place = expected ? null : ownPlaceOf(error);
  if (place !== null && !env.DEBUG) {
    say(`redis-pipe-bench: a file of your own failed: ${messageOf(error)} (${place})`);
    return EXIT.usage;
  }
  say(`redis-pipe-bench: ${expected ? error.message : `a bug in this tool: ${messageOf(error)}`}`);
  if (!expected || env.DEBUG) say(...stackOf(error));
  return expected ? error.exitCode : EXIT.bug;
}

/** Its message may come from outside: it stays one line. @param {unknown} error @returns {string[]} */
function stackOf(error) {
  if (!(error instanceof Error)) return [String(error)];
  const [, ...frames] = `${error.stack}`.replace(error.message, () => '').split('\n');
  return [`${error.name}: ${error.message}`, ...frames];
}

const EXAMPLES = `
Examples:
  $ redis-pipe-bench --clients redis@4,redis@5,redis@6      releases side by side
  $ redis-pipe-bench --format html --output page.html   a page with charts
  $ redis-pipe-bench report last --format markdown      the last result again, without measuring
  $ redis-pipe-bench compare before.ndjson last --fail-on regression:5%
`;

const END = `
Results go to stdout, everything else to stderr. Exit codes: 0 done, 2 wrong options, 3 no server
or server lost, 4 runs failed or replies were wrong, 5 an assertion failed or a regression, 6 not
decided: too noisy, or --budget left out half of the cells; 130 interrupted.`;
