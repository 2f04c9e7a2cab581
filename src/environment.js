import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * The machine and the packages that a result belongs to.
 *
 * @param {Record<string, string>} packages installed client packages with their versions
 * @returns {import('./types.js').Environment}
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

/**
 * @param {string[]} names of npm packages
 * @returns {Record<string, string>} the version of each that is installed where this tool can import it
 */
export function installedPackages(names) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const version = versionOf(name);
      return version === null ? [] : [[name, version]];
    }),
  );
}

/** @param {string} name @returns {string | null} */
function versionOf(name) {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).version;
    } catch {}
  }
  return null;
}

/** @returns {{name: string, version: string}} this tool's own */
export function describeTool() {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return { name, version };
}
