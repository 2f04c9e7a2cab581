import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UsageError } from '../errors.js';

/** @import { BringsOptions, PluginFolders, PluginKind, Plugins } from './types.js' */

/**
 * What each kind of plugin is called, where it lives and what its default export must have.
 * A plugin's file name is its id, so that `--help` can list them without loading any.
 *
 * @type {Record<PluginKind, {noun: string, folder: string, shape: Record<string, string>}>}
 */
const KINDS = {
  clients: {
    noun: 'client',
    folder: './clients/',
    shape: {
      title: 'string',
      variants: 'object',
      capabilities: 'object',
      connect: 'function',
    },
  },
  scenarios: {
    noun: 'scenario',
    folder: '../../scenarios/',
    shape: { title: 'string', summary: 'string', connections: 'function', open: 'function' },
  },
  pipelining: {
    noun: 'pipelining mode',
    folder: './pipelining/',
    shape: { title: 'string', summary: 'string' },
  },
  workloads: {
    noun: 'workload',
    folder: './workloads/',
    shape: { title: 'string', summary: 'string', cycle: 'function' },
  },
  suites: {
    noun: 'suite',
    folder: './suites/',
    shape: { title: 'string', summary: 'string', options: 'object' },
  },
  formats: { noun: 'format', folder: '../report/formats/', shape: { summary: 'string', render: 'function' } },
};

const KIND_NAMES = /** @type {PluginKind[]} */ (Object.keys(KINDS));

/** @param {PluginKind} kind @returns {string} what one of them is called in a message */
export const nounOf = (kind) => KINDS[kind].noun;

/**
 * @param {PluginKind} kind
 * @param {PluginFolders} folders those with plugins besides the tool's own
 * @returns {Map<string, string>} the file of each plugin by its id, in alphabetical order
 * @throws {UsageError} if two have the same id
 */
function filesOf(kind, folders) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const folder of [
    fileURLToPath(new URL(KINDS[kind].folder, import.meta.url)),
    ...(folders[kind] ?? []),
  ]) {
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
      const [id, file] = [basename(name, '.js'), join(folder, name)];
      const other = files.get(id);
      if (other !== undefined) {
        throw new UsageError(`there are two ${kind} of the name '${id}': ${other} and ${file}; rename one`);
      }
      files.set(id, file);
    }
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The ids of all plugins of a kind, in alphabetical order, without loading them.
 *
 * @param {PluginKind} kind
 * @param {PluginFolders} [folders] those with plugins besides the tool's own
 * @returns {string[]}
 */
export const pluginIds = (kind, folders = {}) => [...filesOf(kind, folders).keys()];

/**
 * Loads one plugin, with the members of the one that it is `like`, and checks its shape.
 *
 * @template {PluginKind} Kind
 * @param {Kind} kind
 * @param {string} id one of `pluginIds(kind)`
 * @param {PluginFolders} [folders]
 * @returns {Promise<Plugins[Kind]>}
 * @throws {UsageError} when the file's default export lacks a member that its kind needs
 */
export async function loadPlugin(kind, id, folders = {}) {
  const file = filesOf(kind, folders).get(id);
  if (file === undefined) throw new TypeError(`there is no ${nounOf(kind)} '${id}'`);
  const { default: own } = await import(pathToFileURL(file).href);
  // A fork of a client uses the original's adapter under its own name.
  const plugin = own?.like ? { ...(await loadPlugin(kind, own.like, folders)), ...own } : own;
  const wrong = shapeErrors(plugin, { id: 'string', ...KINDS[kind].shape });
  if (plugin?.id !== id) wrong.push(`id must be the file's name, '${id}'`);
  if (wrong.length > 0) throw new UsageError(`${file}: ${wrong.join('; ')}`);
  return plugin;
}

/**
 * Loads every plugin of a kind.
 *
 * @template {PluginKind} Kind
 * @param {Kind} kind
 * @param {PluginFolders} [folders]
 * @returns {Promise<Map<string, Plugins[Kind]>>} by id
 */
export async function loadPlugins(kind, folders = {}) {
  const plugins = await Promise.all(pluginIds(kind, folders).map((id) => loadPlugin(kind, id, folders)));
  return new Map(plugins.map((plugin) => [plugin.id, plugin]));
}

/**
 * Loads the plugins that bring options of their own, and no others: `--help` needs their options, and loading
 * all plugins would take longer than everything else it does. A file without the word `ownOptions` has none.
 *
 * @param {PluginFolders} [folders]
 * @returns {Promise<BringsOptions[]>}
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

/**
 * @param {any} plugin
 * @param {Record<string, string>} shape
 * @returns {string[]} one complaint for each member that is missing or of the wrong type
 */
function shapeErrors(plugin, shape) {
  if (typeof plugin !== 'object' || plugin === null) return ['expected a default export, an object'];
  return Object.entries(shape)
    .filter(([member, type]) => typeof plugin[member] !== type)
    .map(([member, type]) => `${member}: expected ${type}, got ${typeof plugin[member]}`);
}
