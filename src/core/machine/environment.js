import { readFileSync } from 'node:fs';
import os from 'node:os';

/** @param {Record<string, string>} packages */
export function describeEnvironment(packages) {
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
  };
}

/** @returns {import('../store/types.js').ResultFacts['tool']} */
export function describeTool() {
  const { name, version } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  return { name, version };
}
