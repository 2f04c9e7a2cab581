import { readFileSync } from 'node:fs';
import os from 'node:os';
import { withoutSecrets } from '../process/secrets.js';

/** @param {Record<string, string>} packages @param {NodeJS.ProcessEnv} [env] */
export function describeEnvironment(packages, env = process.env) {
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
    ...(env.NODE_OPTIONS && { nodeOptions: withoutSecrets(env.NODE_OPTIONS) }),
  };
}

/** @returns {import('../store/types.js').ResultFacts['tool']} */
export function describeTool() {
  const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return { name, version };
}
