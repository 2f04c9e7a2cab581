import { tryOr, UsageError, withErrorPrefix } from '../errors.js';
import { installedPackages } from '../machine/packages.js';
import {
  loadPlugins,
  nounOf,
  OWN_KINDS,
  ownFileOf,
  PLUGIN_KINDS,
  pluginIds,
  pluginsWithOptions,
} from '../plugins/registry.js';
import { OPTIONS } from './option-table.js';
import { assertKnownName } from './plugin-names.js';
import { flagOf, readOption } from './read.js';
import { COMMAND, listOf, names, namesAmong, ofSchema } from './values.js';

/** @import { Catalogue, OwnOption, PluginFolders, PluginKind } from '../plugins/types.js' */
/** @import { OptionSpec, OptionTable, Settings } from './types.js' */
/** @typedef {Awaited<ReturnType<typeof pluginsWithOptions>>[number]} BringsOptions */

/**
 * Loads plugins, and finds out which client packages are installed.
 * @param {PluginFolders} [folders]
 * @param {Settings} [settings] loads what these name only, and all clients; everything without them
 * @returns {Promise<Catalogue>}
 * @throws {UsageError} for a name that no plugin has; those of clients are read with their releases and options
 */
export async function loadCatalogue(folders = {}, settings) {
  /** @template {PluginKind} Kind @param {Kind} kind */
  const load = (kind) => {
    const known = pluginIds(kind, folders);
    const named = settings && namesIn(settings)[kind];
    for (const id of named ?? []) assertKnownName(nounOf(kind), id, known);
    // A cell that replicas cannot serve names the workloads that they can.
    const isAll = named === undefined || (kind === 'workloads' && settings?.readFrom !== undefined);
    return loadPlugins(kind, folders, isAll ? known : [...new Set(named)]);
  };
  const [clients, scenarios, workloads, namedWays, pipelining, suites, formats] = await Promise.all([
    load('clients'),
    load('scenarios'),
    load('workloads'),
    load('ways'),
    load('pipelining'),
    load('suites'),
    load('formats'),
  ]);
  const sendsRequests = [...workloads.values()].some(({ request }) => request !== undefined);
  const ways = sendsRequests ? await loadPlugins('ways', folders) : namedWays;
  const ofClients = [...clients.values()].flatMap((each) => each.package ?? []);
  const packages = installedPackages([...ofClients, 'msgpackr', 'esbuild']);
  return { clients, scenarios, workloads, ways, pipelining, suites, formats, folders, packages };
}

/** @param {string} name such as `explicit:10` */
const beforeColon = (name) => name.split(':')[0];

/** @param {Settings} settings @returns {Partial<Record<PluginKind, string[]>>} */
const namesIn = ({ scenarios, workload, command, pipelining, way }) => ({
  scenarios,
  workloads: command ? [COMMAND] : workload.map(beforeColon),
  pipelining: pipelining.map(beforeColon),
  ways: way ?? [],
  suites: [],
  formats: [],
});

/**
 * Every option: those of all commands, those of one, and those of plugins.
 * @param {PluginFolders} [folders] with plugins besides the tool's own
 * @param {Record<string, OptionSpec>} [own] of a command
 * @returns {Promise<OptionTable>}
 * @throws {UsageError} where a plugin's option has the name or the flag of another
 */
export async function loadOptions(folders = {}, own = {}) {
  /** @type {OptionTable} */
  const options = { ...OPTIONS, ...own };
  for (const [name, option] of Object.entries(OPTIONS)) {
    const { plugins, kind } = option;
    if (plugins && kind === names)
      options[name] = { ...option, kind: namesAmong(pluginIds(plugins, folders)) };
  }
  for (const plugin of await pluginsWithOptions(folders)) {
    for (const [name, own] of Object.entries(plugin.ownOptions)) {
      options[name] =
        own.flag === undefined ? shared(name, options, plugin) : ownSpec(name, own, options, plugin);
    }
  }
  return options;
}

/** @param {string} name @param {OwnOption} own @param {Record<string, OptionSpec>} others @param {BringsOptions} by */
function ownSpec(
  name,
  { flag = '', help = '', value = { type: 'string' }, default: fallback },
  others,
  { kind, id },
) {
  const word = flag.split(' ')[0];
  const taken = Object.entries(others).find(([other, spec]) => other === name || flagOf(spec) === word);
  if (taken) {
    throw new UsageError(
      `the ${nounOf(kind)} '${id}' brings the option '${name}' (${word}), but there is ${taken[0]} (${taken[1].flag})`,
    );
  }
  const isList = kind === 'scenarios';
  return {
    flag,
    kind: isList ? listOf(ofSchema(value)) : ofSchema(value),
    // Cells have only the options of their scenario, which applies its own default.
    default: isList ? undefined : fallback,
    group: PLUGIN_KINDS[kind].group,
    help: `in the ${nounOf(kind)} ${id}: ${help}${defaultText(fallback)}`,
    owners: [{ kind, id }],
  };
}

/** @param {string} name @param {Record<string, OptionSpec>} options @param {BringsOptions} plugin @returns {OptionSpec} */
function shared(name, options, { kind, id, ownOptions }) {
  const spec = options[name];
  if (spec === undefined) {
    throw new UsageError(
      `the ${nounOf(kind)} '${id}' takes the option '${name}', which does not exist; give it a flag of its own`,
    );
  }
  return {
    ...spec,
    help: `${spec.help}; in the ${nounOf(kind)} ${id}${defaultText(ownOptions[name].default)}`,
    owners: [...(spec.owners ?? []), { kind, id }],
    shared: spec.shared ?? spec.owners === undefined,
  };
}

/** @param {unknown} fallback */
const defaultText = (fallback) =>
  fallback === undefined || typeof fallback === 'boolean' ? '' : ` (default: ${fallback})`;

const HAS_FILE = /\.[cm]?js\b/;

/**
 * `./our-redis.js:fast` becomes `our-redis:fast`, and the file one more place where plugins are found.
 * @param {Record<string, unknown>} given text or values
 * @param {OptionTable} table @param {PluginFolders} folders those known so far
 * @returns {{options: Record<string, unknown>, folders: PluginFolders}}
 * @throws {UsageError} that names the option, where there is no such file
 */
export function takeOwnFiles(given, table, folders) {
  const options = { ...given };
  /** @type {Partial<Record<PluginKind, string[]>>} */
  let places = folders;
  for (const [name, spec] of Object.entries(table)) {
    const kind = spec.plugins;
    if (!kind || !(nounOf(kind) in OWN_KINDS) || !HAS_FILE.test(`${given[name]}`)) continue;
    // A wrong value is reported when it is read.
    const names = [tryOr(() => readOption(spec, given[name]), [])].flat().map(String);
    const found = names.map((each) => withErrorPrefix(flagOf(spec), () => ownFileOf(each)));
    const files = found.flatMap((own) => own?.file ?? []);
    if (files.length === 0) continue;
    options[name] = found.map((own, index) => (own === null ? names[index] : `${own.id}${own.rest}`));
    places = { ...places, [kind]: [...new Set([...(places[kind] ?? []), ...files])] };
  }
  return { options, folders: places };
}

/**
 * The folders of files that options name, as in `clients: './our-redis.js'`.
 * @param {Record<string, unknown>} given @param {PluginFolders} [folders] @throws {UsageError} if one is missing
 */
export const findPluginFiles = (given, folders = {}) => takeOwnFiles(given, OPTIONS, folders).folders;
