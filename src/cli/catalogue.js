import { installedPackages } from '../core/machine/releases/manifest.js';
import { KIND_NAMES } from '../core/plugins/plugin-kinds.js';
import { loadPlugins } from '../core/plugins/registry.js';

/** @import { Catalogue, PluginFolders, PluginKind } from '../core/plugins/types.js' */

/**
 * Loads every plugin and finds out which client packages are installed.
 * @param {PluginFolders} [folders] @returns {Promise<Catalogue>}
 */
export async function loadCatalogue(folders = {}) {
  const loaded = await Promise.all(KIND_NAMES.map(async (kind) => [kind, await loadPlugins(kind, folders)]));
  /** @type {Pick<Catalogue, PluginKind>} */
  const plugins = Object.fromEntries(loaded);
  const ofClients = [...plugins.clients.values()].flatMap((each) => each.package ?? []);
  const packages = installedPackages([...ofClients, 'msgpackr', 'esbuild']);
  return { ...plugins, folders, packages };
}
