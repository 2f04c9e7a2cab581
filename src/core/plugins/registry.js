import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf, messageWithPosition, nameOwnFile, UsageError } from '../errors.js';
import { KIND_NAMES, nounOf, PLUGIN_KINDS, shapeErrors } from './plugin-kinds.js';

/** @import { BringsOptions, CycleContext, PluginFolders, PluginKind, Plugins, WorkloadPlugin } from './types.js' */

/** @param {string} file */
const idOf = (file) => basename(file, extname(file));

/** @param {PluginKind} kind the tool's own: a folder, or a single file with all of them */
const placeOf = (kind) => fileURLToPath(new URL(PLUGIN_KINDS[kind].place, import.meta.url));

/** @param {string} place a folder, or a single file */
const filesIn = (place) =>
  isCodeFile(place)
    ? [place]
    : readdirSync(place)
        .filter((name) => name.endsWith('.js'))
        .map((name) => join(place, name));

/** @param {PluginKind} kind @param {PluginFolders} folders besides the tool's own @returns files by id, in order */
function filesOf(kind, folders) {
  const { ids } = PLUGIN_KINDS[kind];
  const place = placeOf(kind);
  if (ids !== undefined) return new Map(ids.split(' ').map((id) => [id, place]));
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const file of [place, ...(folders[kind] ?? [])].flatMap(filesIn)) {
    const id = idOf(file);
    const other = files.get(id) ?? file;
    if (other !== file) {
      throw new UsageError(`there are two ${kind} of the name '${id}': ${other} and ${file}; rename one`);
    }
    files.set(id, file);
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** In alphabetical order, without loading them. @param {PluginKind} kind @param {PluginFolders} [folders] */
export const pluginIds = (kind, folders = {}) => [...filesOf(kind, folders).keys()];

/**
 * Loads a plugin and checks its shape.
 * @template {PluginKind} Kind @param {Kind} kind @param {string} id one of `pluginIds(kind)`
 * @param {PluginFolders} [folders]
 * @returns {Promise<Plugins[Kind]>} @throws {UsageError}
 */
export async function loadPlugin(kind, id, folders = {}) {
  const file = filesOf(kind, folders).get(id);
  if (file === undefined) throw new TypeError(`there is no ${nounOf(kind)} '${id}'`);
  const isOwn = folders[kind]?.includes(file) ?? false;
  if (!file.startsWith(placeOf(kind))) nameOwnFile(file);
  const exported = isOwn ? await importOwn(file) : (await import(pathToFileURL(file).href)).default;
  if (PLUGIN_KINDS[kind].ids) return exported.find((/** @type {{id: string}} */ each) => each.id === id);
  const own = isOwn ? completed(kind, id, exported) : exported;
  // A fork of a client uses the original's adapter.
  const plugin = own?.like ? { ...(await loadPlugin(kind, own.like, folders)), ...own } : own;
  const wrong = shapeErrors(kind, plugin);
  if (plugin?.id !== id) wrong.push(`id must be the file's name, '${id}'`);
  if (wrong.length > 0) throw new UsageError(`${file}: ${wrong.join('; ')}`);
  return kind === 'workloads' ? withCode(plugin) : plugin;
}

/** Few workloads are code, and loading what that needs takes a tenth of the time of `--help`. @param {any} workload */
async function withCode(workload) {
  const made = { ...workload };
  if (workload.iterate && !workload.cycle) {
    const { createCodeStep } = await import('./shared/own-code.js');
    made.cycle = (/** @type {any} */ parameter, /** @type {CycleContext} */ context) => [
      [createCodeStep(workload, parameter, context)],
    ];
  }
  if (workload.done) made.account = (await import('./shared/accounts.js')).freshAccount(workload);
  return made;
}

/**
 * @param {Partial<WorkloadPlugin> | undefined} workload @param {any} parameter
 * @returns what accounts for its operations, where something breaks
 */
export const accountFor = (workload, parameter) =>
  workload?.accounts?.(parameter) === false ? undefined : workload?.account;

/** By id. @template {PluginKind} Kind @param {Kind} kind @param {PluginFolders} [folders] @param {string[]} [ids] all by default */
export async function loadPlugins(kind, folders = {}, ids = pluginIds(kind, folders)) {
  const plugins = await Promise.all(ids.map((id) => loadPlugin(kind, id, folders)));
  return new Map(plugins.map((plugin) => [plugin.id, plugin]));
}

/**
 * For `--help`: loading all plugins would take longer than all else, and a file without the word `ownOptions` has none.
 * @param {PluginFolders} [folders] @returns {Promise<BringsOptions[]>}
 */
export async function pluginsWithOptions(folders = {}) {
  const able = KIND_NAMES.flatMap((kind) =>
    [...filesOf(kind, folders)].flatMap(([id, file]) =>
      readFileSync(file, 'utf8').includes('ownOptions') ? { kind, id } : [],
    ),
  );
  return Promise.all(
    able.map(async ({ kind, id }) => {
      const { ownOptions = {} } = await loadPlugin(kind, id, folders);
      return { kind, id, ownOptions };
    }),
  );
}

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

/** Fills in what a user's file may leave out. @param {PluginKind} kind @param {string} id @param {any} own its default export */
function completed(kind, id, own) {
  if (typeof own !== 'object' || own === null) return own;
  const named = { title: id, summary: `of the file ${id}`, ...own, id };
  if (kind === 'workloads' && own.parse === undefined) return { titleOf: () => named.title, ...named };
  if (kind !== 'clients' || own.like !== undefined) return named;
  const { variants = {}, capabilities = [] } = own;
  return {
    package: null,
    ...named,
    variants: isObject(variants) ? { default: {}, ...variants } : variants,
    capabilities: Array.isArray(capabilities) ? new Set(capabilities) : capabilities,
  };
}

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Loads a file that the user named.
 * @param {string} file an absolute path @returns {Promise<any>} its default export
 * @throws {UsageError} with the file and the line of the error
 */
export async function importOwn(file) {
  try {
    return (await import(pathToFileURL(file).href)).default;
  } catch (error) {
    const why = error instanceof SyntaxError ? await syntaxText(error, file) : messageWithPosition(error);
    throw new UsageError(`${file}: it cannot be loaded: ${why}${adviceFor(why)}`);
  }
}

/** Of an ES module, only Node's own output has the line. @param {SyntaxError} error @param {string} file */
async function syntaxText({ message, stack }, file) {
  const { spawnSync } = await import('node:child_process');
  const args = ['--check', '--input-type=module', '-'];
  const { stderr } = spawnSync(process.execPath, args, { input: readFileSync(file), encoding: 'utf8' });
  const [, line] = /^[^\n]+:(\d+)\n/.exec(`${stack}`) ?? /^\[stdin\]:(\d+)$/m.exec(stderr) ?? [];
  return line === undefined ? message : `${message} (${basename(file)}:${line})`;
}

/** @param {string} why */
const adviceFor = (why) =>
  /Unexpected token 'export'|import statement outside/.test(why)
    ? "; it is an ES module in a folder of CommonJS: name it .mjs, or set 'type': 'module' in package.json"
    : '';
