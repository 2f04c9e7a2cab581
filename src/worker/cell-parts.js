import { loadPlugin } from '../plugins/registry.js';
import { loadClient } from './client-library.js';

/** @import { ClientPlugin, PipeliningPlugin } from '../plugins/types.js' */
/** @import { Job } from './types.js' */

/** The plugins that a cell is made of, its client's library, and the client's options. @param {Job} job */
export async function loadParts(job) {
  const [connecting, workload] = await Promise.all([
    loadConnectingParts(job),
    loadPlugin('workloads', job.workload.id, job.pluginFolders),
  ]);
  return { ...connecting, workload };
}

/** The same without its workload: all that connections are made of. @param {Job} job */
export async function loadConnectingParts(job) {
  const [client, scenario, pipelining] = await Promise.all([
    loadPlugin('clients', job.client, job.pluginFolders),
    loadPlugin('scenarios', job.scenario, job.pluginFolders),
    loadPlugin('pipelining', job.pipelining.id, job.pluginFolders),
  ]);
  const options = {
    ...client.variants[job.variant],
    ...job.clientOptions,
    ...switchedOn(client, pipelining),
  };
  if (job.withoutCache) for (const name of client.cacheOptions ?? []) delete options[name];
  return { client, scenario, pipelining, options, library: await loadClient(client, job.entry) };
}

/**
 * @param {ClientPlugin} client @param {PipeliningPlugin} pipelining
 * @returns {Record<string, any>} the client's options that switch on what the mode requires
 */
const switchedOn = (client, { requires = [] }) =>
  Object.assign({}, ...requires.map((capability) => client.switches?.[capability]));
