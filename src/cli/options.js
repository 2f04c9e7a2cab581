import { Option } from 'commander';
import { pluginIds, readOption } from '../index.js';

/**
 * @import { OptionSpec } from '../options/types.js'
 * @import { PluginKind } from '../plugins/types.js'
 * @import { Command } from 'commander'
 */

export const outputOption = () =>
  new Option('--output <file>', 'write the results to this file instead of stdout');

export const quietOption = () => new Option('-q, --quiet', 'no progress on stderr');

/**
 * @param {string[]} formats the first is the default
 * @param {string} help
 */
export const formatOption = (formats, help) =>
  new Option('--format <name>', help).choices(formats).default(formats[0]);

/**
 * @param {string} help
 * @param {string} fallback
 */
export const metricOption = (help, fallback) =>
  new Option('--metric <name>', `${help}: a metric that 'redis-pipe-bench list' names`).default(fallback);

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

/** @param {PluginKind} kind */
export const namesOf = (kind) => pluginIds(kind).join(', ');

/**
 * @param {string} name
 * @param {OptionSpec} spec
 */
function commanderOption(name, spec) {
  const { flag, help, plugins, repeatable, default: fallback } = spec;
  const choices = plugins ? ` (${namesOf(plugins)})` : '';
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
