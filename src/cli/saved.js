import { basename, join } from 'node:path';
import { UsageError } from '../core/errors.js';
import { resultName, userStateFolder } from '../core/store/result-store.js';
import { checkWritable } from './output.js';

/** @import { ResultLine } from '../core/store/types.js' */

/**
 * @typedef {object} Saver
 * @property {string | null} file
 * @property {(line: ResultLine) => void} onLine
 * @property {() => boolean} kept whether it is now in the history
 * @property {() => boolean} failed whether the user's file is incomplete
 * @property {() => string | null} detailsCommand
 */

/**
 * A smoke run is saved only to a named file, because its figures mean nothing.
 * @param {{save?: string | false, smoke?: boolean}} options
 * @param {{env: NodeJS.ProcessEnv, warn: (text: string) => void}} world @returns {Promise<Saver>}
 * @throws {UsageError} if the user's file cannot be written
 */
export async function createSaver({ save, smoke }, { env, warn }) {
  const { createStore } = await import('../core/store/result-store.js');
  /** @type {Saver} */
  const nowhere = {
    file: null,
    onLine() {},
    kept: () => false,
    failed: () => false,
    detailsCommand: () => null,
  };
  if (save === false || (save === undefined && smoke)) return nowhere;
  if (save !== undefined) checkWritable(save, { flag: '--save' });
  const folder = userStateFolder(env);
  if (save === undefined && folder === null) {
    warn('the results are not saved, because this user has no home folder; --save FILE says where');
    return nowhere;
  }
  const file = save ?? join(/** @type {string} */ (folder), resultName(new Date(), process.pid));
  let failed = false;
  const store = await createStore(file, {
    replace: save !== undefined,
    onFailure(message) {
      failed = true;
      warn(`the results are not saved: ${message}`);
    },
  });
  return {
    file,
    onLine: store.append,
    kept: () => !failed && save === undefined,
    failed: () => failed && save !== undefined,
    detailsCommand: () => (failed ? null : detailsOf(save ?? 'last')),
  };
}

/**
 * @param {string} name a file, a name that `history` lists, or `last` @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} @throws {UsageError} if nothing was saved yet
 */
export async function findResult(name, env) {
  const { latestSaved, savedFiles } = await import('../history/saved-results.js');
  const folder = userStateFolder(env);
  const saved = folder === null ? [] : await savedFiles(folder);
  if (name !== 'last') return saved.find((file) => basename(file) === name) ?? name;
  const latest = await latestSaved(saved);
  if (latest !== undefined) return latest;
  throw new UsageError(
    `there is no saved result in '${folder ?? 'a state folder'}'; a benchmark saves one, except with --no-save or --smoke`,
  );
}

/** @param {string} result a name or file @returns {string} */
export const detailsOf = (result) =>
  `redis-pipe-bench report ${result.includes(' ') ? `'${result}'` : result} --details`;
