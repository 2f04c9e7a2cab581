import { createRequire } from 'node:module';
import { COMMAND_OF } from '../commands/all.js';
import { UsageError } from '../errors.js';
import { OPTIONS } from '../options/option-table.js';
import { flagOf, optionsOf, readOption } from '../options/read.js';
import { oneOf } from '../options/values.js';
import { pluginIds } from '../plugins/registry.js';
import { printable } from '../report/escaped.js';
import { FLAGS, HEADINGS } from './first-help.js';

/** @import { CommandData } from '../commands/types.js' */
/** @import { OptionSpec } from '../options/types.js' */
/** @import { PluginFolders, PluginKind } from '../plugins/types.js' */
/** @import { Command } from 'commander' */
/** @import { CliContext } from './types.js' */

/** commander is CommonJS; requiring it is 2 ms faster than importing it. @type {typeof import('commander')} */
const commander = createRequire(import.meta.url)('commander');

export const { Argument, createCommand, Option } = commander;

/** @template {object} Taker @param {Taker} taker an option or argument @param {readonly string[]} values that a shell offers for it */
export const withValues = (taker, values) => Object.assign(taker, { values });

/** @param {{argChoices?: string[]}} taker @returns {string[]} */
export const valuesOf = ({ argChoices, ...taker }) =>
  'values' in taker && Array.isArray(taker.values) ? taker.values : (argChoices ?? []);

const outputOption = () => new Option(FLAGS.output.flag, 'write the results to this file instead of stdout');

export const quietOption = () => new Option(FLAGS.quiet.flag, FLAGS.quiet.help);

/** One rule for all that decides of an exit code. */
export const undecidedOption = () =>
  new Option('--allow-undecided', 'exit 0 instead of 6 where the runs decide nothing');

/** @param {string[]} formats the default first */
export const formatOption = (formats) => choiceOfFormat(formats).default(formats[0]);

/** @param {string[]} formats */
const choiceOfFormat = (formats) =>
  withValues(
    new Option(FLAGS.format.flag, `how it is printed: ${formats.join(', ')}`).argParser((name) =>
      readOption({ flag: '--format', kind: oneOf(formats) }, name),
    ),
    formats,
  );

/** Commands that print what they found have them. @param {Command} command @param {{formats?: string[], details?: string}} [more] */
export function addPrinting(command, { formats = ['table', 'json', 'markdown', 'html'], details } = {}) {
  command.addOption(formatOption(formats)).addOption(outputOption());
  return details === undefined ? command : command.option(FLAGS.details.flag, details);
}

/** @param {string} help @param {string} fallback */
export const metricOption = (help, fallback) =>
  new Option('--metric <name>', `${help}: a metric that 'redis-pipe-bench list metrics' names`).default(
    fallback,
  );

/** @param {Command} command @param {CliContext} context */
export const addOutputOptions = (command, { pluginFolders }) =>
  command
    .optionsGroup(HEADINGS.print)
    .addOption(choiceOfFormat(pluginIds('formats', pluginFolders)))
    .addOption(outputOption())
    .option(FLAGS.details.flag, 'all runs, tests, causes and costs, after the first screen');

/**
 * What a command that measures takes, prints and keeps.
 * @param {Command} command @param {Record<string, OptionSpec>} table @param {CliContext} context
 */
export const addMeasurement = (command, table, context) =>
  addOutputOptions(addOptions(command, table, context.pluginFolders), context)
    .option('--save <file>', 'keep every run in this file (default: one below the state folder)')
    .option('--no-save', 'keep nothing')
    .addOption(quietOption());

/**
 * @param {CommandData} data
 * @param {Record<string, OptionSpec>} all its own options included
 */
export function helpOptionsOf(data, all) {
  const { workload, ...taken } = optionsOf(data, all);
  if (workload === undefined) return taken;
  const { workloads } = data;
  return {
    ...taken,
    workload: workloads
      ? {
          ...workload,
          plugins: undefined,
          help: workloads.join(', '),
          kind: Object.assign(workload.kind.bind(null), { ...workload.kind, choices: workloads }),
        }
      : workload,
  };
}

/**
 * What is typed for them is handed on as it is: options/read.js reads it.
 * @param {Command} command
 * @param {Record<string, OptionSpec>} table
 * @param {PluginFolders} [folders]
 */
export function addOptions(command, table, folders) {
  const groups = Object.keys(HEADINGS);
  const inOrder = Object.entries(table).sort(
    ([, one], [, other]) => groups.indexOf(`${one.group}`) - groups.indexOf(`${other.group}`),
  );
  for (const [name, spec] of inOrder) {
    const option = commanderOption(name, spec, command.name(), folders);
    command.addOption(name === 'share' ? option.argParser(afterCommand(command)) : option);
    if (name === 'command') command.addOption(grouped(thenOption(), spec));
    if (spec.negation !== undefined)
      command.addOption(grouped(new Option(flagOf(spec).replace('--', '--no-'), spec.negation), spec));
  }
  return command;
}

/** It adds to the --command before it. */
function thenOption() {
  const option = new Option('--then <text>', 'sent after the --command before it, in one operation');
  option.attributeName = () => 'command';
  return option.argParser((text, /** @type {string[]} */ before = []) => {
    if (before.length === 0) throw new UsageError('--then: expected a --command before it');
    return [...before.slice(0, -1), `${before.at(-1)} ; ${text}`];
  });
}

/** @param {Command} command @returns {(text: string, before?: string[]) => string[]} reads what belongs to the --command before it */
const afterCommand =
  (command) =>
  (text, before = []) => {
    const { length } = command.opts().command ?? [];
    if (length === before.length + 1) return [...before, text];
    throw new UsageError(
      length === 0
        ? '--share: expected a --command before it, whose share it is'
        : `--share: expected one after each --command, got ${before.length + 1} after ${length}`,
    );
  };

/** @param {import('commander').Option} option @param {OptionSpec} spec */
const grouped = (option, { group }) => (group ? option.helpGroup(HEADINGS[group]) : option);

/** @param {string} name @param {OptionSpec} spec @param {string} command @param {PluginFolders} [folders] */
function commanderOption(name, spec, command, folders) {
  const { flag, help, plugins, repeatable, default: fallback } = spec;
  const isOfOther = (/** @type {string} */ id) =>
    plugins === 'workloads' && ![undefined, command].includes(COMMAND_OF[id]);
  const ids = plugins ? pluginIds(plugins, folders).filter((id) => !isOfOther(id)) : [];
  const choices = plugins ? ` (${ids.join(', ')})` : '';
  const silent =
    `${fallback ?? ''}` === '' || typeof fallback === 'boolean' || repeatable || help.includes('default:');
  const text = silent ? '' : ` (default: ${fallback}${spec.kind.takes === 'time' ? 'ms' : ''})`;
  // A plugin of the user's has texts of its own.
  const option = withValues(grouped(new Option(flag, printable(`${help}${choices}${text}`)), spec), [
    ...ids,
    ...(spec.kind.choices ?? []),
  ]);
  // commander would name the value after the flag.
  option.attributeName = () => name;
  return repeatable ? option.argParser(collect) : option;
}

/** @param {string} value @param {string[]} [before] */
export const collect = (value, before = []) => [...before, value];

/** @param {PluginKind} kind @returns {string | undefined} the flag that selects such plugins */
export function chooserFlag(kind) {
  const chooser = Object.values(OPTIONS).find(({ plugins }) => plugins === kind);
  return chooser && flagOf(chooser);
}

/** @param {PluginKind} kind @param {PluginFolders} [folders] */
export const namesOf = (kind, folders) => pluginIds(kind, folders).join(', ');
