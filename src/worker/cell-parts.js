import { fileURLToPath } from 'node:url';
import { messageOf } from '../errors.js';
import { loadPlugin } from '../plugins/registry.js';
import { masked } from '../process/secrets.js';
import { loadFile } from './load-file.js';

/** @import { ClientPlugin } from '../plugins/types.js' */
/** @import { Job } from './types.js' */

/**
 * @param {Job} job
 * @typedef {Awaited<ReturnType<typeof loadParts>>} Parts
 */
export async function loadParts(job) {
  const [client, scenario, pipelining, workload, way] = await Promise.all([
    loadPlugin('clients', job.client, job.pluginFolders),
    loadPlugin('scenarios', job.scenario, job.pluginFolders),
    loadPlugin('pipelining', job.pipelining.id, job.pluginFolders),
    loadPlugin('workloads', job.workload.id, job.pluginFolders),
    job.way === undefined ? undefined : loadPlugin('ways', job.way, job.pluginFolders),
  ]);
  const options = Object.assign(
    { ...client.variants[job.variant], ...job.clientOptions },
    // What switches on what the mode requires.
    ...(pipelining.requires ?? []).map((capability) => client.switches?.[capability]),
  );
  const library = await loadClient(client, job.entry);
  return { client, scenario, pipelining, workload, way, options, library };
}

/** @param {Pick<ClientPlugin, 'package'>} client @param {string | null} [entry] a file to import instead of the package */
export async function loadClient({ package: name }, entry = null) {
  if (name === null) return undefined;
  try {
    return await loadFile(entry ?? fileURLToPath(import.meta.resolve(name)));
  } catch (error) {
    const here = `${process.platform} ${process.arch} with Node ${process.versions.node}`;
    throw new Error(`the package ${name} cannot be loaded on ${here}: ${messageOf(error)}`);
  }
}

const DEEPEST = 4;

/** Makes plain JSON: functions become names, secrets are masked. @param {unknown} options @param {number} [depth] @returns {any} */
export function describeOptions(options, depth = 0) {
  if (typeof options === 'function') return `[function ${options.name || 'anonymous'}]`;
  if (typeof options === 'bigint' || typeof options === 'symbol') return String(options);
  if (typeof options !== 'object' || options === null) return options;
  if (Array.isArray(options)) return options.map((each) => describeOptions(masked('', each), depth + 1));
  const name = Object.getPrototypeOf(options)?.constructor?.name ?? 'Object';
  if (name !== 'Object' || depth === DEEPEST) return `[${name}]`;
  return Object.fromEntries(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, describeOptions(masked(key, value), depth + 1)]),
  );
}
