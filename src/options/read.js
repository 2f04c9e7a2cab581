import { isDeepStrictEqual } from 'node:util';
import { present } from '../collections.js';
import { COMMAND_OF } from '../commands/all.js';
import { UsageError, withErrorPrefix } from '../errors.js';
import { nounOf } from '../plugins/registry.js';
import { idOfName } from './values.js';

/** @import { PluginKind } from '../plugins/types.js' */
/** @import { CommandData } from '../commands/types.js' */
/** @import { OptionsFor, OptionTable, Settings, OptionSpec } from './types.js' */

/**
 * `runTime` is `runTimeMs`, too.
 * @param {object} table
 * @param {Record<string, unknown>} chosen
 */
export const byTableNames = (table, chosen) =>
  Object.fromEntries(
    Object.entries(chosen).map(([name, value]) => [
      value !== undefined && Object.hasOwn(table, `${name}Ms`) ? `${name}Ms` : name,
      value,
    ]),
  );

/**
 * @template Values
 * @param {OptionsFor<Values>} table
 * @param {Record<string, unknown>} given text or values
 * @returns {Values} the value of every option, by default its default
 * @throws {UsageError} for an unknown option or a wrong value
 */
export function readOptions(table, given) {
  const chosen = byTableNames(table, given);
  for (const name of Object.keys(chosen)) {
    if (Object.hasOwn(table, name)) continue;
    const known = Object.keys(table).join(', ');
    throw new UsageError(`option '${name}' is unknown; expected one of ${known}`);
  }
  /** @type {[string, OptionSpec][]} */
  const options = Object.entries(table);
  const values = options.map(([name, option]) => [
    name,
    chosen[name] === undefined ? option.default : readOption(option, chosen[name]),
  ]);
  return Object.fromEntries(values);
}

/** @param {Pick<OptionSpec, 'flag'>} option @returns {string} such as `--tasks` */
export const flagOf = ({ flag }) => flag.split(' ')[0];

/**
 * @template Value
 * @param {Pick<OptionSpec<Value>, 'flag' | 'kind'>} option
 * @param {unknown} value
 */
export const readOption = (option, value) => withErrorPrefix(flagOf(option), () => option.kind(value));

/**
 * @template {Record<string, unknown>} Given
 * @param {Record<string, OptionSpec>} table
 * @param {Given} given text or values
 * @returns {Given} with the values of those options, which have no default here
 * @throws {UsageError}
 */
export const readOnly = (table, given) => ({
  ...given,
  ...Object.fromEntries(
    Object.entries(table).flatMap(([name, option]) =>
      given[name] === undefined ? [] : [[name, readOption(option, given[name])]],
    ),
  ),
});

/**
 * REDIS_URL applies where no option names a server.
 * @param {Record<string, any>} given options of the command line
 * @param {NodeJS.ProcessEnv} env
 * @returns {{options: Record<string, any>, urlOrigin?: string}}
 */
export function withEnvironment(given, env) {
  const named =
    given.url ?? given.socket ?? given.sentinel ?? given.serverBin ?? given.server ?? given.serverConfig;
  if (named !== undefined || !env.REDIS_URL) return { options: given };
  return { options: { ...given, url: env.REDIS_URL }, urlOrigin: 'REDIS_URL' };
}

/** Another command than a benchmark makes as many as there is time for. */
const MOST_RUNS = 20;

/**
 * The settings of another command than a benchmark: its defaults, overridden by the user's options.
 * @param {CommandData} command @param {Record<string, unknown>} given text or values
 * @param {OptionTable} all its own options included @returns {Settings} @throws {UsageError} naming the option
 */
export function resolveFor(command, given, all) {
  const taken = optionsOf(command, all);
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && name in all && !(name in taken))
      throw new UsageError(notTaken(command, flagOf(all[name])));
  const settings = readTogether(command.defaults, given, all, command);
  settings.runs ??= MOST_RUNS;
  const own = settings.smoke ? command.smoke(settings) : {};
  return Object.freeze({ ...settings, races: false, cpus: 'asleep', ...own });
}

/**
 * @param {Record<string, unknown>} defaults
 * @param {Record<string, unknown>} given what the user chose
 * @param {OptionTable} table
 * @param {CommandData} [command]
 * @returns {Settings}
 * @throws {UsageError}
 */
export function readTogether(defaults, given, table, command) {
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined);
  // A default yields to what the user gave instead: iterations or a duration.
  const others = Object.keys(table).filter((name) => isGiven(given, name));
  const yields = (/** @type {string} */ name) =>
    others.some((other) => name in (table[other].excludes ?? {}) || other in (table[name].excludes ?? {}));
  const kept = Object.entries(defaults).filter(([name]) => !(name in table && yields(name)));
  const settings = { ...readOptions(table, Object.fromEntries([...kept, ...chosen])), races: false };
  checkWorkloads(settings.workload, command);
  // Commands in flight at once never share a key.
  settings.keyDistribution ??= settings.keys === undefined || settings.prepareEach ? 'sequential' : 'uniform';
  checkTogether(settings, given, table);
  return settings;
}

/**
 * @param {Pick<CommandData, 'name' | 'startsItsServers'> | {name: string, startsItsServers?: false}} command
 * @param {string} flag
 */
export const notTaken = ({ name, startsItsServers }, flag) =>
  startsItsServers && ['--url', '--socket', '--sentinel'].includes(flag)
    ? `${name} starts servers of its own, because yours must not break; leave ${flag} out`
    : `${name} does not take ${flag}; 'redis-pipe-bench ${name} --help' lists what it takes`;

/**
 * @param {CommandData} command
 * @param {Record<string, OptionSpec>} all its own options included
 * @returns {Record<string, OptionSpec>} those that it has, with its defaults, those of plugins included
 */
export const optionsOf = ({ takes, defaults, workloads = [], help = {} }, all) =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, spec]) => {
      const owners = spec.shared ? [] : (spec.owners ?? []);
      const isOfPlugin = owners.some(
        ({ kind, id }) =>
          takes.includes(`${chooserOf(kind, all)}`) && (kind !== 'workloads' || workloads.includes(id)),
      );
      if (!takes.includes(name) && !isOfPlugin) return [];
      const own = {
        ...(name in defaults && { default: defaults[name] }),
        ...(help[name] && { help: help[name] }),
      };
      return [[name, { ...spec, ...own }]];
    }),
  );

/**
 * @param {string[]} names
 * @param {CommandData} [command]
 * @throws {UsageError} for workloads of another command
 */
function checkWorkloads(names, command) {
  for (const name of names) {
    const owner = COMMAND_OF[idOfName(name)];
    if (owner === undefined && command?.workloads) {
      const known = command.workloads.join(', ');
      throw new UsageError(`--workload: expected one of ${known} for ${command.name}, got '${name}'`);
    }
    if (owner === undefined || owner === command?.name) continue;
    const isOneOfSeveral = Object.values(COMMAND_OF).filter((each) => each === owner).length > 1;
    const typed = `redis-pipe-bench ${owner}${isOneOfSeveral ? ` --workload ${name}` : ''}`;
    throw new UsageError(
      command?.otherWorkload?.(name, typed) ?? `--workload ${name} is for another command: type ${typed}`,
    );
  }
}

/** @param {Record<string, unknown>} given @param {string} name @returns {boolean} whether the user chose it */
const isGiven = (given, name) => given[name] !== undefined && given[name] !== false;

/**
 * Refuses what cannot be combined and what would be ignored.
 * @param {Record<string, unknown> & Settings} settings @param {Record<string, unknown>} given what the user chose
 * @param {OptionTable} table @throws {UsageError}
 */
function checkTogether(settings, given, table) {
  const isInForce = (/** @type {string} */ name) => !isDeepStrictEqual(settings[name], table[name].default);
  /** @param {string} flag perhaps with a value: `--topology cluster` */
  const isMet = (flag) => {
    const [word, value] = flag.split(' ');
    const name = present(Object.keys(table).find((each) => flagOf(table[each]) === word));
    return value ? [settings[name]].flat().some((each) => idOfName(`${each}`) === value) : isInForce(name);
  };
  /** @param {string} [chooser] an option that names plugins */
  const chosenBy = (chooser = '') => [settings[chooser]].flat().map((name) => idOfName(`${name}`));
  /** @param {NonNullable<OptionSpec['owners']>} owners the plugins that bring an option */
  const isMeasured = (owners) => owners.some(({ kind, id }) => chosenBy(chooserOf(kind, table)).includes(id));

  /** @type {((option: OptionSpec, name: string) => string | null | undefined | false)[]} */
  const complaints = [
    (option, name) => {
      const excluded = isInForce(name) ? Object.entries(option.excludes ?? {}) : [];
      const [other, why] = excluded.find(([each]) => each !== name && isGiven(given, each)) ?? [];
      return other && `${flagOf(option)} and ${flagOf(table[other])} ${why}; give one of them`;
    },
    (option) => option.conflict?.(settings, given),
    ({ owners = [], shared, ...option }, name) => {
      const chooser = owners.length > 0 && !shared && chooserOf(owners[0].kind, table);
      if (given[name] === undefined || !chooser || isMeasured(owners)) return null;
      return (
        `${flagOf(option)} is for ${ownersText(owners)}, which is not among ` +
        `${chosenBy(chooser).join(', ')}; add it to ${flagOf(table[chooser])}`
      );
    },
    ({ needs, owners = [], ...option }, name) => {
      if (!needs || !isGiven(given, name) || needs.some(isMet) || isMeasured(owners)) return null;
      const others = [...needs, ...(owners.length > 0 ? [ownersText(owners)] : [])];
      return `${flagOf(option)} needs ${others.join(' or ')}; add it, or leave ${flagOf(option)} out`;
    },
  ];
  for (const complaint of complaints)
    for (const [name, option] of Object.entries(table)) {
      const why = complaint(option, name);
      if (why) throw new UsageError(why);
    }
}

/** @param {NonNullable<OptionSpec['owners']>} owners @returns {string} `the scenario pool` */
const ownersText = (owners) => `the ${nounOf(owners[0].kind)} ${owners.map(({ id }) => id).join(' or ')}`;

/** @param {PluginKind} kind @param {Record<string, OptionSpec>} options the option that chooses such plugins, where there is one */
const chooserOf = (kind, options) => Object.keys(options).find((name) => options[name].plugins === kind);
