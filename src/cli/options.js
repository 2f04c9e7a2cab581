import { createRequire } from 'node:module';
import { UsageError } from '../core/errors.js';
import { pluginIds } from '../core/plugins/registry.js';
import { OPTIONS } from '../options/option-table.js';
import { flagOf, readOption, takenBy } from '../options/read.js';
import { FLAGS, HEADINGS } from './flags.js';

/** @import { CommandData, OptionSpec, OptionTable } from '../options/types.js' */
/** @import { PluginFolders, PluginKind } from '../core/plugins/types.js' */
/** @import { Command } from 'commander' */
/** @import { CliContext } from './types.js' */

/** commander is CommonJS; requiring it is 2 ms faster than importing it. @type {typeof import('commander')} */
const commander = createRequire(import.meta.url)('commander');

export const { createCommand, Option } = commander;

export const outputOption = () =>
  new Option(FLAGS.output.flag, 'write the results to this file instead of stdout');

export const quietOption = () => new Option(FLAGS.quiet.flag, `${FLAGS.quiet.help}`);

/** @param {Command} command */
export const addSaving = (command) =>
  command
    .option('--save <file>', 'keep every run in this file (default: one below the state folder)')
    .option('--no-save', 'keep nothing')
    .addOption(quietOption());

/** @param {string[]} formats the default first @param {string} help */
export const formatOption = (formats, help) =>
  new Option('--format <name>', help).choices(formats).default(formats[0]);

/** @param {string} help @param {string} fallback */
export const metricOption = (help, fallback) =>
  new Option('--metric <name>', `${help}: a metric that 'redis-pipe-bench list' names`).default(fallback);

/** @param {Command} command @param {CliContext} context */
export const addOutputOptions = (command, { options, pluginFolders }) =>
  addOptions(
    command
      .optionsGroup(HEADINGS.print)
      .addOption(reportFormatOption(pluginIds('formats', pluginFolders)))
      .addOption(outputOption())
      .option(FLAGS.details.flag, 'all runs, tests, causes and costs, after the first screen'),
    formatOptions(options),
    pluginFolders,
  );

/** @param {string[]} formats */
const reportFormatOption = (formats) =>
  new Option(
    FLAGS.format.flag,
    `how results are printed: ${formats.join(', ')} (default: table, or the suite's own)`,
  ).argParser((name) => {
    if (formats.includes(name)) return name;
    throw new UsageError(`--format: expected one of ${formats.join(', ')}, got '${name}'`);
  });

/** @param {OptionSpec} spec */
const isOfFormat = ({ owners = [] }) => owners.some(({ kind }) => kind === 'formats');

/** The options of formats. @param {OptionTable} options @returns {Record<string, OptionSpec>} */
export const formatOptions = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, spec]) => isOfFormat(spec)));

/** The options of measurements. @param {OptionTable} options @returns {Record<string, OptionSpec>} */
export const benchmarkOptions = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, spec]) => !isOfFormat(spec)));

/** @param {Command} command @param {Record<string, OptionSpec>} table @param {PluginFolders} [folders] */
export function addOptions(command, table, folders) {
  const groups = Object.keys(HEADINGS);
  const inOrder = Object.entries(table).sort(
    ([, one], [, other]) => groups.indexOf(`${one.group}`) - groups.indexOf(`${other.group}`),
  );
  for (const [name, option] of inOrder) {
    command.addOption(commanderOption(name, option, folders));
    if (option.negation !== undefined) command.addOption(negationOf(name, option, option.negation));
  }
  return command;
}

/**
 * What a command that measures takes, prints and keeps.
 * @param {Command} command @param {CommandData} data @param {Record<string, OptionSpec>} own @param {CliContext} context
 */
export function addMeasurement(command, data, own, context) {
  const { options, pluginFolders } = context;
  const taken = takenBy(data, { ...options, ...own });
  if (data.workloads)
    taken.workload = { ...taken.workload, plugins: undefined, help: data.workloads.join(', ') };
  addSaving(addOutputOptions(addOptions(command, taken, pluginFolders), context));
}

/** @param {PluginKind} kind @returns {string | undefined} the flag that selects such plugins */
export function chooserFlag(kind) {
  const chooser = Object.values(OPTIONS).find(({ plugins }) => plugins === kind);
  return chooser && flagOf(chooser);
}

/** @param {PluginKind} kind @param {PluginFolders} [folders] */
export const namesOf = (kind, folders) => pluginIds(kind, folders).join(', ');

/**
 * @param {Command} command @param {Record<string, OptionSpec>} table @param {PluginFolders} [folders]
 * @param {string[]} [explained] those in its help; 'redis-pipe-bench --help all' shows all
 */
export function addMeasuring(command, table, folders, explained = []) {
  addOptions(command, table, folders);
  for (const option of command.options) {
    const name = option.attributeName();
    if (name in table && !explained.includes(name)) option.hideHelp();
  }
  return command;
}

/** @param {string} name @param {OptionSpec} spec @param {string} help */
function negationOf(name, spec, help) {
  const option = new Option(flagOf(spec).replace('--', '--no-'), help);
  if (spec.group) option.helpGroup(HEADINGS[spec.group]);
  option.attributeName = () => name;
  return option;
}

/** @param {string} name @param {OptionSpec} spec @param {PluginFolders} [folders] */
function commanderOption(name, spec, folders) {
  const { flag, group, help, plugins, repeatable, default: fallback } = spec;
  const choices = plugins ? ` (${namesOf(plugins, folders)})` : '';
  const silent =
    fallback === undefined || typeof fallback === 'boolean' || repeatable || help.includes('default:');
  const option = new Option(flag, `${help}${choices}${silent ? '' : ` (default: ${fallback})`}`);
  if (group) option.helpGroup(HEADINGS[group]);
  // commander would name the value after the flag.
  option.attributeName = () => name;
  // Check while parsing, so that a wrong option is reported before anything else loads.
  if (option.isBoolean() || option.negate) return option;
  return option.argParser((value, /** @type {any} */ before) => {
    const read = readOption(spec, value);
    return repeatable ? [...(before ?? []), ...read] : read;
  });
}
