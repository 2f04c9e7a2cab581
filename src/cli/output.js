import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { EXIT, messageOf, RunError, UsageError } from '../errors.js';
import { count } from '../numbers.js';
import { isSameFile, kindOf } from '../process/read-file.js';
import { destinationOf, writeWhole } from '../process/write-file.js';
import { inJson, printableDeep } from '../report/escaped.js';
import { userStateFolder } from '../store/result-store.js';

/** @import { View } from '../plugins/types.js' */
/** @import { Report as Printed } from '../report/types.js' */
/** @import { Report } from '../store/types.js' */
/** @import { Printer, World } from './types.js' */

/** Columns, if the terminal does not report how many it has. */
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

/** Why no file can be written there. @type {Record<string, (file: string) => string>} */
const UNUSABLE = {
  ENOENT: (file) =>
    existsSync(dirname(file))
      ? `'${file}' is a link to a folder that does not exist`
      : `the folder '${dirname(file)}' does not exist`,
  ENOTDIR: (file) => `'${dirname(file)}' is not a folder`,
  ENAMETOOLONG: (file) => `'${file}' is too long a name`,
  ELOOP: (file) => `'${file}' is a link that leads in a circle`,
  EACCES: (file) => `there is no permission to reach '${file}'`,
};

/**
 * Finds before a measurement what would make it a loss: nothing is written.
 * @param {string | undefined} file
 * @param {object} [more] `flag` names the file
 * @param {string} [more.flag] @param {string[]} [more.reads] files that are read, so that it must not be one of them
 * @param {string} [more.printed] where the results are printed, so that it must not be there
 * @param {boolean} [more.grows] while the command runs, for which a pipe would have to be read all the time
 * @throws {UsageError}
 */
export function checkWritable(file, { flag = '--output', reads = [], printed, grows = false } = {}) {
  if (file === undefined) return;
  const refuse = (/** @type {string} */ why) =>
    new UsageError(`${flag}: expected a file that can be written, but ${why}`);
  const unusable = (/** @type {unknown} */ error) =>
    refuse(UNUSABLE[Object(error).code]?.(file) ?? messageOf(error));
  const path = orThrow(() => destinationOf(file), unusable);
  const stats = orThrow(() => statSync(path, { throwIfNoEntry: false }), unusable);
  if (
    stats &&
    (stats.isDirectory() || stats.isSocket() || stats.isBlockDevice() || (grows && stats.isFIFO()))
  )
    throw refuse(`'${file}' is ${kindOf(stats)}`);
  if (reads.some((each) => isSameFile(each, path))) throw refuse(`'${file}' is also read`);
  const isPrinted = printed !== undefined && orThrow(() => destinationOf(printed), unusable) === path;
  if (isPrinted || (printed !== undefined && isSameFile(printed, path)))
    throw refuse(`the results are printed to '${file}'`);
  try {
    accessSync(stats ? path : dirname(path), constants.W_OK);
  } catch (error) {
    throw isDenied(error) ? refuse(`there is no permission to write '${file}'`) : unusable(error);
  }
}

/** @param {unknown} error */
const isDenied = (error) => ['EACCES', 'EPERM'].includes(Object(error).code);

/** @template T @param {() => T} read @param {(error: unknown) => Error} refuse @returns {T} */
function orThrow(read, refuse) {
  try {
    return read();
  } catch (error) {
    throw refuse(error);
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
  try {
    await writeWhole(file, parts);
  } catch (error) {
    for (const part of parts) stdout.rendered(part);
    throw new RunError(
      `the results could not be written to '${file}', so they are on stdout: ${messageOf(error)}`,
    );
  }
}

/**
 * @param {Report} report @param {(text: string) => void} say @param {boolean} [allowUndecided] exit 0 instead of 6
 * @returns {number} the exit code
 */
export function printAssertions({ assertions }, say, allowUndecided = false) {
  for (const { text, strict, outcome, figures } of assertions) {
    say(`assertion ${outcome}${strict ? ' (strict)' : ''}: ${text}`);
    if (outcome !== 'holds') for (const figure of figures) say(`  ${figure}`);
  }
  if (assertions.some(({ outcome }) => outcome === 'failed')) return EXIT.assertion;
  const undecided = assertions.filter(({ outcome }) => outcome === 'not decided').length;
  if (undecided === 0) return EXIT.done;
  say(
    `redis-pipe-bench: ${undecided} of ${count(assertions.length, 'assertion')} not decided; measure with more --starts, or on a quiet machine`,
  );
  return allowUndecided ? EXIT.done : EXIT.undecided;
}

/**
 * @param {string} name a file, a name that `history` lists, or `last` @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} @throws {UsageError} if nothing was saved yet
 */
export async function findResult(name, env) {
  const { latestSaved, savedFiles } = await import('../commands/history/saved-results.js');
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
