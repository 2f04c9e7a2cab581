import { readFileSync } from 'node:fs';
import os from 'node:os';

/** @import { Environment } from './types.js' */

/**
 * The machine and the packages, for a result.
 *
 * @param {Record<string, string>} packages installed client packages with their versions
 * @returns {Environment}
 */
export function describeEnvironment(packages) {
  const cpus = os.cpus();
  return {
    node: process.versions.node,
    v8: process.versions.v8,
    os: `${process.platform}, ${os.release()}`,
    arch: process.arch,
    cpuModel: cpus[0]?.model.trim() ?? 'unknown',
    cpuCount: cpus.length,
    memoryBytes: os.totalmem(),
    packages,
  };
}

/** @returns {{name: string, version: string}} of this tool */
export function describeTool() {
  const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return { name, version };
}
