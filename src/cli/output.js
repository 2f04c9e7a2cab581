import { accessSync, constants, createWriteStream, existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, RunError, renderParts, UsageError } from '../index.js';
import { isSameFile } from '../read-file.js';
import { viewOf } from './view.js';

/**
 * @import { Report } from '../results/types.js'
 * @import { Output, World } from './types.js'
 * @import { Printing } from './view.js'
 */

/**
 * Checks before the benchmark that its results can be written.
 *
 * @param {string} file
 * @param {{flag?: string, reads?: string[]}} [more] the option that names it, and the files that are read, which it must not be
 * @throws {UsageError}
 */
export function checkWritable(file, { flag = '--output', reads = [] } = {}) {
  const path = resolve(file);
  const refuse = (/** @type {string} */ why) =>
    new UsageError(`${flag}: expected a file that can be written, but ${why}`);
  if (existsSync(path) && statSync(path).isDirectory()) throw refuse(`'${file}' is a folder`);
  if (reads.some((each) => isSameFile(each, path))) throw refuse(`'${file}' is what is read`);
  const place = existsSync(path) ? path : dirname(path);
  if (!existsSync(place)) throw refuse(`the folder '${dirname(file)}' does not exist`);
  if (place !== path && !statSync(place).isDirectory()) throw refuse(`'${dirname(file)}' is not a folder`);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    throw refuse(`there is no permission to write '${file}'`);
  }
}

/**
 * Renders a report and writes it to the file that the user named, or to stdout.
 *
 * @param {Report} report
 * @param {Printing} printing
 * @param {Pick<World, 'stdout' | 'env' | 'pluginFolders'>} world
 */
export async function printReport(report, printing, world) {
  const { format, output, plot, details } = printing;
  const wanted = format ?? (plot || details ? 'table' : report.suite.format);
  await writeResults(
    output,
    await renderParts(report, wanted, viewOf(printing, world), {
      pluginFolders: world.pluginFolders,
    }),
    world.stdout,
  );
}

/**
 * @param {string | undefined} file that the user named
 * @param {Iterable<string>} parts of the text
 * @param {Output} stdout takes the results where there is no file, or it does not
 * @throws {RunError} where the file could not be written
 */
export async function writeResults(file, parts, stdout) {
  if (file === undefined) {
    for (const part of parts) stdout.write(part);
    return;
  }
  const isNew = !existsSync(file);
  try {
    await pipeline(Readable.from(parts), createWriteStream(file));
  } catch (error) {
    if (isNew) await rm(file, { force: true });
    for (const part of parts) stdout.write(part);
    throw new RunError(
      `the results could not be written to '${file}', so they are on stdout: ${messageOf(error)}`,
    );
  }
}
