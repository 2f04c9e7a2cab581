import { readFileSync } from 'node:fs';
import os from 'node:os';
import { attempt } from '../core/errors.js';
import { describeTool } from '../core/machine/environment.js';
import { openFilesLimit } from '../core/machine/files-and-ports.js';
import { installedPackages } from '../core/packages.js';
import { loadPlugins } from '../core/plugins/registry.js';

/** @import { AgentFacts, Notice } from '../core/store/types.js' */

/** @param {string} name @returns {Promise<Omit<AgentFacts, 'clock'>>} */
export async function describeAgent(name) {
  const clients = await loadPlugins('clients');
  const cpus = os.cpus();
  return {
    name,
    tool: describeTool().version,
    node: process.versions.node,
    packages: installedPackages([...clients.values()].flatMap((client) => client.package ?? [])),
    cpuModel: cpus[0]?.model.trim() ?? 'unknown',
    cpuCount: os.availableParallelism(),
    openFiles: await openFilesLimit(),
    machine: machineId(),
  };
}

/** @returns {string} the same for all processes of this machine only */
export const machineId = () =>
  attempt(
    () => `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${os.hostname()}`,
    os.hostname(),
  );

/** Which may be why their figures differ. @param {AgentFacts[]} agents @returns {Notice[]} */
export function differences(agents) {
  const { node: here } = process.versions;
  const own = installedPackages(Object.keys(agents[0].packages));
  /** @type {Notice[]} */
  const ofNode = agents.flatMap(({ name: agent, node }) =>
    node === here ? [] : { kind: 'agent-node', agent, node, here },
  );
  const ofPackages = agents.flatMap(({ name: agent, packages }) =>
    Object.entries(packages).flatMap(([id, version]) =>
      version === (own[id] ?? null)
        ? []
        : {
            kind: /** @type {const} */ ('agent-package'),
            agent,
            package: id,
            version,
            here: own[id] ?? null,
          },
    ),
  );
  return [...ofNode, ...ofPackages];
}
