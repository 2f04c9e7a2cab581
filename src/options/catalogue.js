import { installedPackages } from '../core/packages.js';
import { KIND_NAMES, nounOf } from '../core/plugins/plugin-kinds.js';
import { loadPlugins, pluginIds } from '../core/plugins/registry.js';
import { COMMAND, idOfName, knownName } from './plugin-names.js';

/** @import { Catalogue, PluginFolders, PluginKind } from '../core/plugins/types.js' */
/** @import { Settings } from './types.js' */

/**
 * Loads plugins, and finds out which client packages are installed.
 * @param {PluginFolders} [folders]
 * @param {Settings} [settings] loads what these name only, and all clients; everything without them @returns {Promise<Catalogue>}
 * @throws {UsageError} for an unknown name
 */
export async function loadCatalogue(folders = {}, settings) {
  const load = async (/** @type {PluginKind} */ kind) => {
    const known = pluginIds(kind, folders);
    const ids = settings && namesIn(settings)[kind];
    for (const id of ids ?? []) knownName(nounOf(kind), id, known);
    return /** @type {const} */ ([kind, await loadPlugins(kind, folders, ids ? [...new Set(ids)] : known)]);
  };
  const plugins = /** @type {Pick<Catalogue, PluginKind>} */ (
    Object.fromEntries(await Promise.all(KIND_NAMES.map(load)))
  );
  const sendsRequests = [...plugins.workloads.values()].some(({ request }) => request !== undefined);
  const ways = sendsRequests ? await loadPlugins('ways', folders) : plugins.ways;
  const ofClients = [...plugins.clients.values()].flatMap((each) => each.package ?? []);
  const packages = installedPackages([...ofClients, 'msgpackr', 'esbuild']);
  return { ...plugins, ways, folders, packages };
}

/** @param {Settings} settings @returns {Partial<Record<PluginKind, string[]>>} */
const namesIn = ({ scenarios, workload, command, pipelining, way, readFrom }) => ({
  scenarios,
  // A cell that replicas cannot serve names the workloads that they can.
  ...(readFrom === undefined && { workloads: command ? [COMMAND] : workload.map(idOfName) }),
  pipelining: pipelining.map(idOfName),
  ways: way ?? [],
  suites: [],
  formats: [],
});
