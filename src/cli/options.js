import { Option } from 'commander';
import { OPTIONS, pluginIds, readOption, UsageError } from '../index.js';

/**
 * @import { OptionSpec } from '../options/types.js'
 * @import { PluginKind } from '../plugins/types.js'
 * @import { Command } from 'commander'
 */

export const outputOption = () =>
  new Option('--output <file>', 'write the results to this file instead of stdout');

/**
 * Gives a command the options of a benchmark and those of its output.
 *
 * @param {Command} command
 */
export function addRunOptions(command) {
  command.addOption(
    new Option(
      '--suite <name>',
      `a ready set of options (${names('suites')}), or a file of your own (.js, .json)`,
    ),
  );
  return addOutputOptions(addOptions(command, OPTIONS))
    .addOption(
      new Option(
        '--save <file>',
        'keep every run in this file, as it ends (default: one below the state folder)',
      ),
    )
    .addOption(new Option('--no-save', 'keep nothing'))
    .addOption(new Option('-q, --quiet', 'no progress on stderr'));
}

/**
 * Gives a command the options of how a report is printed, and where.
 *
 * @param {Command} command
 */
export const addOutputOptions = (command) =>
  command
    .addOption(
      new Option('--format <name>', "how results are printed (default: table, or the suite's own)").choices(
        pluginIds('formats'),
      ),
    )
    .addOption(outputOption())
    .addOption(new Option('--plot', 'draw the runs and the latencies below the table, with characters'));

/**
 * @param {Command} command
 * @param {Record<string, OptionSpec>} table
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

/** @param {PluginKind} kind */
const names = (kind) => pluginIds(kind).join(', ');

/**
 * @param {string} name
 * @param {OptionSpec} spec
 */
function commanderOption(name, spec) {
  const { flag, help, plugins, repeatable, default: fallback } = spec;
  const choices = plugins ? ` (${names(plugins)})` : '';
  const silent =
    fallback === undefined || typeof fallback === 'boolean' || repeatable || help.includes('default:');
  const option = new Option(flag, `${help}${choices}${silent ? '' : ` (default: ${fallback})`}`);
  // commander would name the value after the flag; the table has a name of its own.
  option.attributeName = () => name;
  // Checked while parsing, so that the first wrong option is reported before anything is loaded.
  if (option.isBoolean()) return option;
  return option.argParser((value, /** @type {any} */ before) => {
    const read = readOption(spec, value);
    return repeatable ? [...(before ?? []), ...read] : read;
  });
}
