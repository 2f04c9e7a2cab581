import { Option } from 'commander';
import { OPTIONS, pluginIds, readOption, UsageError } from '../index.js';

/**
 * Gives a command the options of a benchmark and those of its output.
 *
 * @param {import('commander').Command} command
 */
export function addRunOptions(command) {
  command.addOption(new Option('--suite <name>', `a ready set of options (${names('suites')})`));
  return addOptions(command, OPTIONS)
    .addOption(
      new Option('--format <name>', 'how results are printed')
        .choices(pluginIds('reporters'))
        .default('table'),
    )
    .addOption(new Option('--output <file>', 'write the results to this file instead of stdout'))
    .addOption(
      new Option('--plot', 'with --format table: draw the runs and the latencies below it, with characters'),
    )
    .addOption(new Option('-q, --quiet', 'no progress on stderr'));
}

/**
 * @param {import('commander').Command} command
 * @param {Record<string, import('../types.js').OptionSpec>} table
 */
export function addOptions(command, table) {
  for (const [name, option] of Object.entries(table)) command.addOption(commanderOption(name, option));
  return command;
}

/**
 * @param {string} value such as `regression:5%`
 * @returns {number} the percentage
 * @throws {UsageError}
 */
export function regressionLimit(value) {
  const [, percent] = /^regression:(\d*\.?\d+)%$/.exec(value) ?? [];
  if (percent === undefined) {
    throw new UsageError(`--fail-on: expected something like regression:5%, got '${value}'`);
  }
  return Number(percent);
}

/** @param {import('../types.js').PluginKind} kind */
const names = (kind) => pluginIds(kind).join(', ');

/**
 * @param {string} name
 * @param {import('../types.js').OptionSpec} spec
 */
function commanderOption(name, spec) {
  const { flag, help, plugins, default: fallback } = spec;
  const choices = plugins ? ` (${names(plugins)})` : '';
  const silent = fallback === undefined || typeof fallback === 'boolean' || help.includes('default:');
  const option = new Option(flag, `${help}${choices}${silent ? '' : ` (default: ${fallback})`}`);
  // commander would name the value after the flag; the table has a name of its own.
  option.attributeName = () => name;
  // Checked while parsing, so that the first wrong option is reported before anything is loaded.
  return option.isBoolean() ? option : option.argParser((value) => readOption(spec, value));
}
