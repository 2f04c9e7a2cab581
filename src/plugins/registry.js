import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** @import { PluginKind, Plugins } from './types.js' */

/**
 * Where each kind of plugin lives and what its default export must have.
 * A plugin's file name is its id, so that `--help` can list them without loading any.
 *
 * @type {Record<PluginKind, {folder: string, shape: Record<string, string>}>}
 */
const KINDS = {
  clients: {
    folder: './clients/',
    shape: {
      title: 'string',
      variants: 'object',
      capabilities: 'object',
      connect: 'function',
    },
  },
  scenarios: {
    folder: '../../scenarios/',
    shape: { title: 'string', summary: 'string', connections: 'function', open: 'function' },
  },
  pipelining: {
    folder: './pipelining/',
    shape: { title: 'string', summary: 'string' },
  },
  workloads: {
    folder: './workloads/',
    shape: { title: 'string', summary: 'string', cycle: 'function' },
  },
  suites: { folder: './suites/', shape: { title: 'string', summary: 'string', options: 'object' } },
  formats: { folder: '../report/formats/', shape: { summary: 'string', render: 'function' } },
};

/** @param {PluginKind} kind */
const folderOf = (kind) => fileURLToPath(new URL(KINDS[kind].folder, import.meta.url));

/**
 * The ids of all plugins of a kind, in alphabetical order, without loading them.
 *
 * @param {PluginKind} kind
 * @returns {string[]}
 */
export function pluginIds(kind) {
  return readdirSync(folderOf(kind))
    .filter((name) => name.endsWith('.js'))
    .map((name) => basename(name, '.js'))
    .sort();
}

/**
 * Loads one plugin, completed from the one that it says it is like, and checks its shape.
 *
 * @template {PluginKind} Kind
 * @param {Kind} kind
 * @param {string} id one of `pluginIds(kind)`
 * @returns {Promise<Plugins[Kind]>}
 * @throws {TypeError} when the file's default export lacks a member that its kind needs
 */
export async function loadPlugin(kind, id) {
  const file = join(folderOf(kind), `${id}.js`);
  const { default: own } = await import(pathToFileURL(file).href);
  // A fork of a client has its original's adapter under its own name.
  const plugin = own?.like ? { ...(await loadPlugin(kind, own.like)), ...own } : own;
  const wrong = shapeErrors(plugin, { id: 'string', ...KINDS[kind].shape });
  if (plugin?.id !== id) wrong.push(`id must be the file's name, '${id}'`);
  if (wrong.length > 0) throw new TypeError(`${file}: ${wrong.join('; ')}`);
  return plugin;
}

/**
 * Loads every plugin of a kind.
 *
 * @template {PluginKind} Kind
 * @param {Kind} kind
 * @returns {Promise<Map<string, Plugins[Kind]>>} by id
 */
export async function loadPlugins(kind) {
  const plugins = await Promise.all(pluginIds(kind).map((id) => loadPlugin(kind, id)));
  return new Map(plugins.map((plugin) => [plugin.id, plugin]));
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
