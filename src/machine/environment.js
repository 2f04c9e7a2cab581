import { readFileSync } from 'node:fs';
import os from 'node:os';

/** @import { PluginFile } from '../plugins/types.js' */

/** @param {Record<string, string>} packages @param {PluginFile[]} [plugins] */
export function describeEnvironment(packages, plugins = []) {
  const cpus = os.cpus();
  return {
    node: process.versions.node,
    v8: process.versions.v8,
    os: `${process.platform}, ${os.release()}`,
    arch: process.arch,
    cpuModel: cpus[0]?.model.trim() ?? 'unknown',
    // Without /proc the list is empty.
    cpuCount: cpus.length || os.availableParallelism(),
    memoryBytes: os.totalmem(),
    packages,
    ...(plugins.length > 0 && { plugins }),
  };
}

/** @returns {{name: string, version: string}} */
export function describeTool() {
  const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return { name, version };
}
