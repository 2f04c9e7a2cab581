import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf, RunError, renderReport, UsageError } from '../index.js';
import { viewOf } from './view.js';

/**
 * Finds out before the benchmark whether its results can be written after it.
 *
 * @param {string} file
 * @param {string} [flag] the option that names it
 * @throws {UsageError}
 */
export function checkWritable(file, flag = '--output') {
  const path = resolve(file);
  const refuse = (/** @type {string} */ why) =>
    new UsageError(`${flag}: expected a file that can be written, but ${why}`);
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

/**
 * Renders a report and writes it to the file that the user named, or to stdout.
 *
 * @param {import('../types.js').Report} report
 * @param {{format?: string, output?: string, plot?: boolean}} options without a format, that of the suite
 * @param {Pick<import('../types.js').World, 'stdout' | 'env'>} world
 */
export async function printReport(report, { format, output, plot }, world) {
  const wanted = format ?? (plot ? 'table' : report.suite.format);
  const text = await renderReport(report, wanted, viewOf({ output, plot }, world));
  if (output === undefined) world.stdout.write(text);
  else await writeResults(output, text, world.stdout);
}

/**
 * @param {string} file
 * @param {string} text
 * @param {import('../types.js').Output} stdout takes the results when the file does not
 */
async function writeResults(file, text, stdout) {
  try {
    await writeFile(file, text);
  } catch (error) {
    stdout.write(text);
    throw new RunError(
      `the results could not be written to '${file}', so they are on stdout: ${messageOf(error)}`,
    );
  }
}
