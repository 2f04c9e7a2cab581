import { accessSync, constants, createWriteStream, existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXIT, messageOf, RunError, UsageError } from '../core/errors.js';
import { isSameFile } from '../core/read-file.js';
import { inJson, printableDeep } from '../core/report/escaped.js';
import { userStateFolder } from '../core/store/result-store.js';

/** @import { View } from '../core/plugins/types.js' */
/** @import { Report as Printed } from '../core/report/types.js' */
/** @import { Report } from '../core/store/types.js' */
/** @import { Printer, World } from './types.js' */

/** In columns, if the terminal does not report it. */
const WIDTH = 100;

/**
 * @typedef {object} Printing
 * @property {string} [format] the suite's by default
 * @property {string} [output] a file instead of stdout
 * @property {boolean} [details]
 * @property {string | null} [detailsCommand]
 */

/** @param {Printing} printing @param {Printer} printer @returns {View} */
export function viewOf({ output, details = false, detailsCommand = null }, { color, columns }) {
  const toFile = output !== undefined;
  return {
    color: !toFile && color,
    width: (!toFile && columns) || WIDTH,
    details,
    detailsCommand,
  };
}

/** @param {Pick<Printing, 'format' | 'details'>} printing @throws {UsageError} before anything is measured */
export function checkForTable({ format, details }) {
  if (details && format !== undefined && !['table', 'markdown'].includes(format))
    throw new UsageError(
      `--details is for --format table or markdown, but --format is ${format}; leave it out`,
    );
}

/**
 * @param {string | undefined} file
 * @param {{flag?: string, reads?: string[]}} [more] `flag` names the file, which must not be one that it `reads`
 */
export function checkWritable(file, { flag = '--output', reads = [] } = {}) {
  if (file === undefined) return;
  const path = resolve(file);
  const refuse = (/** @type {string} */ why) =>
    new UsageError(`${flag}: expected a file that can be written, but ${why}`);
  if (existsSync(path) && statSync(path).isDirectory()) throw refuse(`'${file}' is a folder`);
  if (reads.some((each) => isSameFile(each, path))) throw refuse(`'${file}' is also read`);
  const place = existsSync(path) ? path : dirname(path);
  if (!existsSync(place)) throw refuse(`the folder '${dirname(file)}' does not exist`);
  if (place !== path && !statSync(place).isDirectory()) throw refuse(`'${dirname(file)}' is not a folder`);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    throw refuse(`there is no permission to write '${file}'`);
  }
}

/** @param {Report} report @param {Printing} printing @param {Pick<World, 'stdout' | 'pluginFolders'>} world */
export async function printReport(report, printing, world) {
  const { renderParts } = await import('./render.js');
  const { format, output, details } = printing;
  const wanted = format ?? (details ? 'table' : report.suite.format);
  await writeResults(
    output,
    await renderParts(report, wanted, viewOf(printing, world.stdout), { pluginFolders: world.pluginFolders }),
    world.stdout,
  );
}

/**
 * Prints what a command found.
 * @template Found @param {Found} found @param {Printing & {format: string}} printing @param {Pick<World, 'stdout'>} world
 * @param {(found: Found, width: number) => Printed | string} reportOf for every format but json
 */
export async function printFound(found, { format, output, details }, { stdout }, reportOf) {
  const { printed } = await import('./render.js');
  const view = viewOf({ output, details }, stdout);
  const report = format === 'json' ? inJson(found) : reportOf(printableDeep(found), view.width);
  const text = typeof report === 'string' ? report : await printed(report, format, view);
  await writeResults(output, [text], stdout);
}

/**
 * @param {string | undefined} file @param {Iterable<string>} parts @param {Pick<Printer, 'rendered'>} stdout also the fallback
 * @throws {RunError}
 */
export async function writeResults(file, parts, stdout) {
  if (file === undefined) {
    for (const part of parts) stdout.rendered(part);
    return;
  }
  const isNew = !existsSync(file);
  try {
    await pipeline(Readable.from(parts), createWriteStream(file));
  } catch (error) {
    if (isNew) await rm(file, { force: true });
    for (const part of parts) stdout.rendered(part);
    throw new RunError(
      `the results could not be written to '${file}', so they are on stdout: ${messageOf(error)}`,
    );
  }
}

/** @param {Report} report @param {(text: string) => void} say @returns {number} the exit code */
export function tellAssertions({ assertions }, say) {
  for (const { text, strict, holds, figures } of assertions) {
    say(`assertion ${holds ? 'holds' : 'failed'}${strict ? ' (strict)' : ''}: ${text}`);
    if (!holds) say(`  ${figures.join('; ')}`);
  }
  return assertions.every(({ holds }) => holds) ? EXIT.done : EXIT.assertion;
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
