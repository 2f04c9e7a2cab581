import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nameOwnFile, UsageError } from '../errors.js';
import { completed, importOwn, isCodeFile } from './own-file.js';
import { KIND_NAMES, nounOf, PLUGIN_KINDS, shapeErrors } from './plugin-kinds.js';

/** @import { BringsOptions, PluginFolders, PluginKind, Plugins, WorkloadPlugin } from './types.js' */

/** @param {PluginKind} kind the tool's own */
const folderOf = (kind) => fileURLToPath(new URL(PLUGIN_KINDS[kind].folder, import.meta.url));

/** @param {PluginKind} kind @param {PluginFolders} folders besides the tool's own @returns files by id, in order */
function filesOf(kind, folders) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const place of [folderOf(kind), ...(folders[kind] ?? [])]) {
    for (const file of filesIn(place)) {
      const id = basename(file, extname(file));
      const other = files.get(id);
      if (other !== undefined && other !== file) {
        throw new UsageError(`there are two ${kind} of the name '${id}': ${other} and ${file}; rename one`);
      }
      files.set(id, file);
    }
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** @param {string} place a folder, or a single file */
const filesIn = (place) =>
  isCodeFile(place)
    ? [place]
    : readdirSync(place)
        .filter((name) => name.endsWith('.js'))
        .map((name) => join(place, name));

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
  if (!file.startsWith(folderOf(kind))) nameOwnFile(file);
  const exported = isOwn ? await importOwn(file) : (await import(pathToFileURL(file).href)).default;
  const own = isOwn ? completed(kind, id, exported) : exported;
  // A fork of a client uses the original's adapter.
  const plugin = own?.like ? { ...(await loadPlugin(kind, own.like, folders)), ...own } : own;
  const wrong = shapeErrors(kind, plugin);
  if (plugin?.id !== id) wrong.push(`id must be the file's name, '${id}'`);
  if (wrong.length > 0) throw new UsageError(`${file}: ${wrong.join('; ')}`);
  const cycle = plugin.iterate && !plugin.cycle && (await cycleOf(plugin));
  const account = plugin.done && (await accountOf(plugin));
  return cycle || account ? { ...plugin, ...(cycle && { cycle }), ...(account && { account }) } : plugin;
}

/** @param {WorkloadPlugin} workload @returns {Promise<WorkloadPlugin['account']>} */
async function accountOf(workload) {
  const { freshAccount } = await import('./shared/accounts.js');
  return freshAccount(workload);
}

/**
 * @param {Partial<WorkloadPlugin> | undefined} workload @param {any} parameter
 * @returns what accounts for its operations, where something breaks
 */
export const accountFor = (workload, parameter) =>
  workload?.accounts?.(parameter) === false ? undefined : workload?.account;

/** @param {WorkloadPlugin} workload that is code @returns {Promise<WorkloadPlugin['cycle']>} */
async function cycleOf(workload) {
  // Few workloads are code, and loading this takes a tenth of the time of `--help`.
  const { createCodeStep } = await import('./shared/own-code.js');
  return (parameter, context) => [[createCodeStep(workload, parameter, context)]];
}

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
  const files = KIND_NAMES.flatMap((kind) =>
    [...filesOf(kind, folders)].map(([id, file]) => ({ kind, id, file })),
  );
  const able = files.filter(({ file }) => readFileSync(file, 'utf8').includes('ownOptions'));
  return Promise.all(
    able.map(async ({ kind, id }) => {
      const { ownOptions = {} } = await loadPlugin(kind, id, folders);
      return { kind, id, ownOptions };
    }),
  );
}
