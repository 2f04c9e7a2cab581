import { installedPackages } from '../machine/releases/manifest.js';
import { loadPlugins, ownPluginFiles } from '../plugins/registry.js';

/** @import * as api from '../api.js' */

/** @type {typeof api.loadCatalogue} */
export async function loadCatalogue(folders = {}) {
  const [clients, scenarios, pipelining, workloads, suites, formats] = await Promise.all([
    loadPlugins('clients', folders),
    loadPlugins('scenarios', folders),
    loadPlugins('pipelining', folders),
    loadPlugins('workloads', folders),
    loadPlugins('suites', folders),
    loadPlugins('formats', folders),
  ]);
  const packages = installedPackages([...clients.values()].flatMap((client) => client.package ?? []));
  const ownFiles = await ownPluginFiles(folders);
  return { clients, scenarios, pipelining, workloads, suites, formats, folders, packages, ownFiles };
}
