import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, tryOr, UsageError } from '../errors.js';
import { readAs } from '../schema.js';
import { ALIVE_EVERY_MS, isInUse, OWNER, ownIdentity } from './owner.js';
import { jsonIn, readBoundedSync } from './read-file.js';
import { destinationOf, hiddenName } from './write-file.js';

const MOST_TRIES = 10;

/**
 * Keeps other runs from a file while this one writes it line by line. The lock is a file beside it that names its owner: one
 * that a killed run left is taken over. Where none can be made, as in a folder that takes no new file, there is none.
 * @param {string} file @param {string} flag the option that names it @returns {() => void} unlocks it
 * @throws {UsageError} if another run has it
 */
export function lockFile(file, flag) {
  const place = tryOr(() => destinationOf(file), file);
  // A device has no content to protect.
  if (tryOr(() => statSync(place).isFile(), true) === false) return () => {};
  const lock = join(dirname(place), `${hiddenName(place)}.lock`);
  const own = JSON.stringify(ownIdentity());
  // One that is in the way and cannot be taken away, as another user's, keeps nobody from writing.
  for (let tries = 0; tries < MOST_TRIES && isThere(lock, own); tries++) {
    if (isHeld(lock)) {
      throw new UsageError(
        `${flag}: another run is writing '${file}'; wait until it has ended, or name another file`,
      );
    }
    takeAway(lock);
  }
  const touch = () => tryOr(() => utimesSync(lock, new Date(), new Date()), undefined);
  const timer = setInterval(touch, ALIVE_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    if (contentOf(lock) === own) tryOr(() => rmSync(lock), undefined);
  };
}

/** @param {string} lock @returns {string} empty if it is gone, or just being written */
const contentOf = (lock) => tryOr(() => `${readBoundedSync(lock)}`, '');

/** @param {string} lock @param {string} own what it says if it can be made @returns {boolean} whether it was there before */
function isThere(lock, own) {
  try {
    writeFileSync(lock, own, { flag: 'wx' });
    return false;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return true;
    // On a full disk it is there without a word.
    tryOr(() => rmSync(lock, { force: true }), undefined);
    return false;
  }
}

/** @param {string} lock */
function isHeld(lock) {
  const ageMs = tryOr(() => Date.now() - statSync(lock).mtimeMs, 0);
  return isInUse(
    tryOr(() => readAs(OWNER, jsonIn(contentOf(lock)), Error), ELSEWHERE),
    ageMs,
  );
}

/** Stands for an owner that cannot be read: only its age is known. */
const ELSEWHERE = { pid: 0, start: '', place: '' };

/** @param {string} lock of a run that has ended */
function takeAway(lock) {
  const aside = `${lock}.${process.pid}`;
  tryOr(() => {
    renameSync(lock, aside);
    // Another run may have done the same meanwhile, and put its own there.
    if (isHeld(aside)) renameSync(aside, lock);
    else rmSync(aside);
  }, undefined);
}
