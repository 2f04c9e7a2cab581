import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../index.js';

/**
 * Finds out before the benchmark whether its results can be written after it.
 *
 * @param {string} file
 * @throws {UsageError}
 */
export function checkWritable(file) {
  const path = resolve(file);
  const refuse = (/** @type {string} */ why) =>
    new UsageError(`--output: expected a file that can be written, but ${why}`);
  if (existsSync(path) && statSync(path).isDirectory()) throw refuse(`'${file}' is a folder`);
  const place = existsSync(path) ? path : dirname(path);
  if (!existsSync(place)) throw refuse(`the folder '${dirname(file)}' does not exist`);
  if (place !== path && !statSync(place).isDirectory()) throw refuse(`'${dirname(file)}' is no folder`);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    throw refuse(`there is no permission to write '${file}'`);
  }
}
