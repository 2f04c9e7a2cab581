import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, UsageError } from '../core/errors.js';
import { makeFolder } from '../core/store/result-store.js';

/** @import { Cell } from '../core/plan/types.js' */
/** @import { Notice } from '../core/store/types.js' */
/** @import { ProfileKind } from '../core/worker/types.js' */

/** Chrome DevTools and speedscope recognize these. @type {Record<ProfileKind, string>} */
const ENDINGS = { cpu: '.cpuprofile', heap: '.heapprofile' };
/** Most file systems allow 255 bytes. */
const LONGEST_NAME = 200;

/**
 * @param {string} folder created if missing @param {(fact: Notice) => void} onFailure
 * @returns {(cell: Pick<Cell, 'id'>, kind: ProfileKind, profile: object) => void} @throws {UsageError} if not writable
 */
export function createProfileFiles(folder, onFailure) {
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error('it is a file');
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `--profile: expected cpu, heap or a folder that can be written, but '${folder}' cannot: ${messageOf(error)}`,
    );
  }
  /** @type {Map<string, string>} cell ids by file name */
  const taken = new Map();
  return ({ id }, kind, profile) => {
    const name = fileName(id, taken);
    try {
      writeFileSync(join(folder, `${name}${ENDINGS[kind]}`), JSON.stringify(profile));
    } catch (error) {
      onFailure({ kind: 'profile-not-kept', cell: id, why: messageOf(error) });
    }
  };
}

/** @param {string} id @param {Map<string, string>} taken */
function fileName(id, taken) {
  const safe = id.replaceAll(/[^\w.=@+-]+/g, '_').slice(0, LONGEST_NAME);
  let name = safe;
  for (let number = 2; (taken.get(name) ?? id) !== id; number++) name = `${safe}-${number}`;
  taken.set(name, id);
  return name;
}
