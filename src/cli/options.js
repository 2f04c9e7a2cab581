import { InvalidArgumentError, Option } from 'commander';
import { OPTIONS, pluginIds } from '../index.js';

/**
 * Gives a command the options of a benchmark and those of its output.
 *
 * @param {import('commander').Command} command
 */
export function addRunOptions(command) {
  command.addOption(new Option('--suite <name>', `a ready set of options (${names('suites')})`));
  for (const [name, option] of Object.entries(OPTIONS)) command.addOption(commanderOption(name, option));
  return command
    .addOption(
      new Option('--format <name>', 'how results are printed')
        .choices(pluginIds('reporters'))
        .default('table'),
    )
    .addOption(new Option('--output <file>', 'write the results to this file instead of stdout'))
    .addOption(new Option('-q, --quiet', 'no progress on stderr'));
}

/** @param {import('../types.js').PluginKind} kind */
const names = (kind) => pluginIds(kind).join(', ');

/**
 * The value is checked here as well as later, so that the message comes in commander's own form and
 * before anything is loaded.
 *
 * @param {string} name
 * @param {import('../types.js').OptionSpec} spec
 */
function commanderOption(name, { flag, kind, help, plugins, default: fallback }) {
  const choices = plugins ? ` (${names(plugins)})` : '';
  const shown =
    fallback === undefined || fallback === false || help.includes('default:')
      ? ''
      : ` (default: ${fallback})`;
  const option = new Option(flag, `${help}${choices}${shown}`);
  // commander's attribute name is the flag's; the tool's is the table's.
  option.attributeName = () => name;
  if (!option.isBoolean()) {
    option.argParser((value) => {
      try {
        return kind(value);
      } catch (error) {
        throw new InvalidArgumentError(`${/** @type {Error} */ (error).message}.`);
      }
    });
  }
  return option;
}
