import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import semver from 'semver';
import { isTooOld, OLDEST_NODE } from '../../oldest-node.js';
import { messageOf, UsageError } from '../errors.js';
import { run } from '../process/spawn.js';
import { jsonIn } from '../read-file.js';

/** @import { Runtime } from './types.js' */

const ANSWERS_WITHIN_MS = 10_000;

/** @param {string[]} paths @returns {Promise<Runtime[]>} @throws {UsageError} if one is not Node or too old */
export async function checkNodeBinaries(paths) {
  const found = await Promise.all(paths.map(checkNodeBinary));
  return found.map((runtime) => {
    const twice = found.filter(({ version }) => version === runtime.version).length > 1;
    return { ...runtime, name: twice ? `${runtime.version} (${runtime.path})` : runtime.version };
  });
}

/** @param {string} given */
async function checkNodeBinary(given) {
  const path = resolve(given);
  const refuse = (/** @type {string} */ found) =>
    new UsageError(`--node-bin: expected the path of a Node binary, ${found}`);
  if (!existsSync(path)) throw refuse(`but '${path}' does not exist`);
  const printed = await run(path, ['-p', 'JSON.stringify(process.versions)'], {
    timeout: ANSWERS_WITHIN_MS,
  }).catch((error) => {
    throw refuse(`but '${path}' failed: ${messageOf(error)}`);
  });
  const { node: version, v8 } = Object(jsonIn(printed));
  if (!semver.valid(version)) throw refuse(`but '${path} -p process.versions' printed something else`);
  if (isTooOld(version)) {
    throw new UsageError(`--node-bin: expected Node ${OLDEST_NODE} or newer, but '${path}' is ${version}`);
  }
  return { path, version, v8 };
}
