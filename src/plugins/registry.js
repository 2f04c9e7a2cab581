import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf, messageWithPosition, nameOwnFile, UsageError } from '../errors.js';
import { LARGEST_CODE_BYTES, readBoundedSync } from '../process/read-file.js';
import pipelining from './pipelining.js';
import suites from './suites.js';
import ways from './ways.js';

/** @import { OptionGroup } from '../options/types.js' */
/** @import { CycleContext, PluginFolders, PluginKind, Plugins, WorkloadPlugin, Untyped } from './types.js' */

/**
 * @typedef {object} Kind
 * @property {string} noun in errors
 * @property {OptionGroup} group of their own options in the help
 * @property {{id: string}[]} [list] all of them, where users cannot add any
 * @property {string} [folder] otherwise one whose file names are ids, so that `--help` can list them without loading any;
 *   commands that bring some have such a folder too
 * @property {Record<string, string>} [needed] types of members of a user's default export
 * @property {Record<string, string>} [optional] types of others that it may have
 * @property {string[]} [oneNeeded] functions of which it needs one
 */

const TEXT = 'a text';
const OBJECT = 'an object';
const LIST = 'a list';
const FUNCTION = 'a function';
const NOTHING = 'nothing';

/** @type {Record<PluginKind, Kind>} */
export const PLUGIN_KINDS = {
  clients: {
    noun: 'client',
    folder: 'plugins/clients/',
    group: 'compare',
    needed: { title: TEXT, variants: OBJECT, capabilities: LIST, connect: FUNCTION },
    optional: {
      constructs: TEXT,
      variantWords: OBJECT,
      switches: OBJECT,
      ownOptions: OBJECT,
      connectPool: FUNCTION,
      silenceLimitMs: FUNCTION,
    },
  },
  scenarios: {
    noun: 'scenario',
    folder: '../scenarios/',
    group: 'compare',
    needed: { title: TEXT, summary: TEXT, connections: FUNCTION, open: FUNCTION },
    optional: {
      ownOptions: OBJECT,
      conflict: FUNCTION,
      words: FUNCTION,
      requires: FUNCTION,
      tasksAtOnce: FUNCTION,
    },
  },
  workloads: {
    noun: 'workload',
    folder: 'plugins/workloads/',
    group: 'send',
    needed: { title: TEXT, summary: TEXT, iterate: FUNCTION },
    optional: {
      ownOptions: OBJECT,
      account: OBJECT,
      parse: FUNCTION,
      processes: FUNCTION,
      titleOf: FUNCTION,
      sizes: FUNCTION,
      load: FUNCTION,
      data: FUNCTION,
      done: FUNCTION,
      store: FUNCTION,
    },
  },
  ways: { noun: 'way', group: 'compare', list: ways },
  pipelining: { noun: 'pipelining mode', group: 'compare', list: pipelining },
  suites: { noun: 'suite', group: 'compare', list: suites },
  formats: {
    noun: 'format',
    folder: 'formats/',
    group: 'print',
    oneNeeded: ['print', 'render'],
  },
};

export const KIND_NAMES = /** @type {PluginKind[]} */ (Object.keys(PLUGIN_KINDS));

/**
 * What a user may write as a single file, by its noun. `detectedBy`: members that only this kind has; `alongside`: what to measure it with.
 * @type {Record<string, {kind: PluginKind, detectedBy: string[], alongside: string}>}
 */
export const OWN_KINDS = {
  client: { kind: 'clients', detectedBy: ['connect', 'like'], alongside: 'redis,ioredis' },
  scenario: { kind: 'scenarios', detectedBy: ['open', 'connections'], alongside: 'shared-connection,pool' },
  workload: { kind: 'workloads', detectedBy: ['iterate'], alongside: 'get' },
};

/** The client for checks of the other kinds. */
export const CHECKED_WITH = 'ioredis';

/** @param {PluginKind} kind */
export const nounOf = (kind) => PLUGIN_KINDS[kind].noun;

/** @param {string} file */
const idOf = (file) => basename(file, extname(file));

const SRC = fileURLToPath(new URL('..', import.meta.url));
const COMMANDS = join(SRC, 'commands');

/** @param {PluginKind} kind @returns {string[]} the tool's own folders */
export function placesOf(kind) {
  const { folder } = PLUGIN_KINDS[kind];
  if (folder === undefined) return [];
  const ofCommands = readdirSync(COMMANDS).map((command) => join(COMMANDS, command, kind, '/'));
  return [join(SRC, folder), ...ofCommands.filter((place) => existsSync(place))];
}

/** @param {string} place a folder, or a single file */
const filesIn = (place) =>
  isCodeFile(place)
    ? [place]
    : readdirSync(place)
        .filter((name) => name.endsWith('.js'))
        .map((name) => join(place, name));

/**
 * @param {PluginKind} kind
 * @param {Partial<Record<PluginKind, string[]>>} folders besides the tool's own
 * @returns files by id, in order
 */
function filesOf(kind, folders) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const file of [...placesOf(kind), ...(folders[kind] ?? [])].flatMap(filesIn)) {
    const id = idOf(file);
    const other = files.get(id) ?? file;
    if (other !== file) {
      throw new UsageError(`there are two ${kind} of the name '${id}': ${other} and ${file}; rename one`);
    }
    files.set(id, file);
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Sorted, and without loading any. @param {PluginKind} kind @param {PluginFolders} [folders] */
export const pluginIds = (kind, folders = {}) =>
  PLUGIN_KINDS[kind].list?.map(({ id }) => id).sort() ?? [...filesOf(kind, folders).keys()];

/**
 * Loads a plugin, and checks the shape of a user's.
 * @template {PluginKind} Kind @param {Kind} kind @param {string} id @param {PluginFolders} [folders]
 * @returns {Promise<Plugins[Kind]>} @throws {UsageError}
 */
export async function loadPlugin(kind, id, folders = {}) {
  const { list, noun } = PLUGIN_KINDS[kind];
  const listed = list?.find((each) => each.id === id);
  if (listed) return /** @type {any} */ (listed);
  const file = list ? undefined : filesOf(kind, folders).get(id);
  if (file === undefined) throw new TypeError(`there is no ${noun} '${id}'`);
  const isOwn = !placesOf(kind).some((place) => file.startsWith(place));
  const own = isOwn
    ? completed(kind, id, await importOwn(file))
    : { ...(await import(pathToFileURL(file).href)).default, id };
  // A fork of a client uses the original's adapter.
  const plugin = own?.like ? { ...(await loadPlugin(kind, own.like, folders)), ...own } : own;
  const wrong = isOwn ? shapeErrors(kind, plugin) : [];
  if (wrong.length > 0) throw new UsageError(`${file}: ${wrong.join('; ')}`);
  if (kind === 'clients') return { ...plugin, capabilities: new Set(plugin.capabilities) };
  if (kind !== 'workloads') return plugin;
  const made = { ...plugin };
  // Few workloads are code, and loading what that needs takes a tenth of the time of `--help`.
  if (plugin.iterate) {
    made.grows ??= () => true;
    const { createCodeStep } = await import('./shared/own-code.js');
    made.cycle = (/** @type {Untyped} */ parameter, /** @type {CycleContext} */ context) => [
      [createCodeStep(plugin, parameter, context)],
    ];
  }
  if (plugin.done) made.account = (await import('./shared/accounts.js')).freshAccount(plugin);
  return made;
}

/** What these members of a workload send is not checked. */
const ONLY_OURS = ['cycle', 'open', 'prepare', 'request', 'receive'];

/** @param {PluginKind} kind @param {Untyped} plugin @returns {string[]} */
function shapeErrors(kind, plugin) {
  if (typeOf(plugin) !== OBJECT) {
    return [`expected a default export, an object such as 'export default { … }', got ${typeOf(plugin)}`];
  }
  const { needed = {}, optional = {}, oneNeeded } = PLUGIN_KINDS[kind];
  const wrong = Object.entries({ ...needed, ...optional }).flatMap(([name, type]) => {
    const found = typeOf(plugin[name]);
    const isFine = found === type || (found === NOTHING && name in optional);
    return isFine ? [] : [`${name}: expected ${type}, got ${found}`];
  });
  if (oneNeeded !== undefined) {
    const found = oneNeeded.map((name) => typeOf(plugin[name])).find((type) => type !== NOTHING) ?? NOTHING;
    if (found !== FUNCTION) wrong.push(`${oneNeeded.join(' or ')}: expected ${FUNCTION}, got ${found}`);
  }
  if (kind === 'workloads')
    for (const name of ONLY_OURS.filter((each) => plugin[each] !== undefined))
      wrong.push(
        `${name}: only the tool's own workloads have one, whose commands need no check; use iterate and store`,
      );
  for (const name of Object.keys(plugin.variants ?? {}))
    if (!/^[A-Za-z0-9][\w-]*$/.test(name))
      wrong.push(`variants: expected names of letters, digits and hyphens, got '${name}'`);
  return wrong;
}

/** @param {unknown} value */
function typeOf(value) {
  if (value === undefined || value === null) return NOTHING;
  if (Array.isArray(value) || value instanceof Set) return LIST;
  if (typeof value === 'string') return TEXT;
  return typeof value === 'object' ? OBJECT : `a ${typeof value}`;
}

/**
 * @param {Partial<WorkloadPlugin> | undefined} workload @param {Untyped} parameter
 * @returns what accounts for its operations, where something breaks
 */
export const accountFor = (workload, parameter) =>
  workload?.accounts?.(parameter) === false ? undefined : workload?.account;

/** Plugins with their ids. @template {PluginKind} Kind @param {Kind} kind @param {PluginFolders} [folders] @param {string[]} [ids] all by default */
export async function loadPlugins(kind, folders = {}, ids = pluginIds(kind, folders)) {
  const plugins = await Promise.all(ids.map((id) => loadPlugin(kind, id, folders)));
  return new Map(plugins.map((plugin) => [plugin.id, plugin]));
}

/**
 * For `--help`: loading all plugins would take longer than all else, and a file without the word `ownOptions` has none.
 * @param {PluginFolders} [folders]
 */
export async function pluginsWithOptions(folders = {}) {
  const able = KIND_NAMES.filter((kind) => !PLUGIN_KINDS[kind].list).flatMap((kind) =>
    [...filesOf(kind, folders)].flatMap(([id, file]) =>
      `${readCode(file)}`.includes('ownOptions') ? { kind, id } : [],
    ),
  );
  return Promise.all(
    able.map(async ({ kind, id }) => {
      const { ownOptions = {} } = await loadPlugin(kind, id, folders);
      return { kind, id, ownOptions };
    }),
  );
}

/** @param {string} file */
const readCode = (file) => readBoundedSync(file, { largestBytes: LARGEST_CODE_BYTES });

/** A single file, not a folder. @param {string} path */
export const isCodeFile = (path) => /\.[cm]?js$/.test(path);

/**
 * `./our-redis.js`, `./our-redis.js:fast`. Before the first colon there is a whole path, perhaps with a Windows drive: not
 * `redis@path:../fork/index.js`, not `command:GET x.js`.
 */
const NAME = /^((?:[A-Za-z]:[\\/])?[^:]+?\.[cm]?js)([:@].*)?$/s;

/** Assertions can name it. */
const ID = /^[A-Za-z][\w-]*$/;

/** @param {string} file @returns {string} the plugin's id @throws {UsageError} */
export function ownIdOf(file) {
  const id = idOf(file);
  if (ID.test(id)) return id;
  throw new UsageError(
    `${file}: the file's name stands for it in results; expected letters, digits and hyphens before ` +
      `'${extname(file)}', got '${id}': rename the file`,
  );
}

/** @param {string} name @returns {{file: string, id: string, rest: string} | null} null if not a file @throws {UsageError} */
export function ownFileOf(name) {
  const [, file, rest = ''] = NAME.exec(name) ?? [];
  if (file === undefined) return null;
  const id = ownIdOf(file);
  try {
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
  } catch (error) {
    throw new UsageError(`${file}: it cannot be loaded: ${messageOf(error)}`);
  }
  return { file: resolve(file), id, rest };
}

/** Fills in what a user's file may leave out. @param {PluginKind} kind @param {string} id @param {Untyped} own its default export */
function completed(kind, id, own) {
  if (typeOf(own) !== OBJECT) return own;
  const named = { title: id, summary: `of the file ${id}`, ...own, id, isOwn: true };
  if (kind === 'workloads' && own.parse === undefined) return { titleOf: () => named.title, ...named };
  if (kind !== 'clients' || own.like !== undefined) return named;
  const { variants = {} } = own;
  return {
    package: null,
    capabilities: [],
    ...named,
    variants: typeOf(variants) === OBJECT ? { default: {}, ...variants } : variants,
  };
}

/**
 * Loads a file that the user named.
 * @param {string} file an absolute path @returns {Promise<any>} its default export
 * @throws {UsageError} with the file and the line of the error
 */
export async function importOwn(file) {
  nameOwnFile(file);
  try {
    return (await import(pathToFileURL(file).href)).default;
  } catch (error) {
    const why = error instanceof SyntaxError ? await syntaxText(error, file) : messageWithPosition(error);
    throw new UsageError(`${file}: it cannot be loaded: ${why}`);
  }
}

/** Only Node's own output has the line of an error in an ES module. @param {SyntaxError} error @param {string} file */
async function syntaxText({ message, stack }, file) {
  const { spawnSync } = await import('node:child_process');
  const args = ['--check', '--input-type=module', '-'];
  const { stderr } = spawnSync(process.execPath, args, { input: readCode(file), encoding: 'utf8' });
  const [, line] = /^[^\n]+:(\d+)\n/.exec(`${stack}`) ?? /^\[stdin\]:(\d+)$/m.exec(stderr) ?? [];
  return line === undefined ? message : `${message} (${basename(file)}:${line})`;
}
