import { readFileSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, messageWithPosition, UsageError } from '../errors.js';

/** @import { PluginKind } from './types.js' */

const IS_CODE = /\.[cm]?js$/;

/** A single plugin's file, not a folder. @param {string} path */
export const isCodeFile = (path) => IS_CODE.test(path);

/**
 * `./our-redis.js`, `./our-redis.js:fast`. Before the first colon there is a whole path, perhaps with a Windows drive: not
 * `redis@path:../fork/index.js`, not `command:GET x.js`.
 */
const NAME = /^((?:[A-Za-z]:[\\/])?[^:]+?\.[cm]?js)([:@].*)?$/s;

/** Assertions can name it. */
const ID = /^[A-Za-z][\w-]*$/;

/** @param {string} file @returns {string} the plugin's id @throws {UsageError} */
export function ownIdOf(file) {
  const id = basename(file, extname(file));
  if (ID.test(id)) return id;
  throw new UsageError(
    `${file}: the file's name stands for it in results; expected letters, digits and hyphens before ` +
      `'${extname(file)}', got '${id}': rename the file`,
  );
}

/** @param {string} name @returns {{file: string, id: string, rest: string} | null} null if not a file @throws {UsageError} */
export function ownFileOf(name) {
  const [, file, rest = ''] = NAME.exec(name) ?? [];
  if (file === undefined) return null;
  const id = ownIdOf(file);
  try {
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
  } catch (error) {
    throw new UsageError(`${file}: it cannot be loaded: ${messageOf(error)}`);
  }
  return { file: resolve(file), id, rest };
}

/** Fills in what a user's file may leave out. @param {PluginKind} kind @param {string} id @param {any} own its default export */
export function completed(kind, id, own) {
  if (typeof own !== 'object' || own === null) return own;
  const named = { title: id, summary: `of the file ${id}`, ...own, id };
  if (kind === 'workloads' && own.parse === undefined) return { titleOf: () => named.title, ...named };
  if (kind !== 'clients' || own.like !== undefined) return named;
  const { variants = {}, capabilities = [] } = own;
  return {
    package: null,
    ...named,
    variants: isObject(variants) ? { default: {}, ...variants } : variants,
    capabilities: Array.isArray(capabilities) ? new Set(capabilities) : capabilities,
  };
}

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Loads a file that the user named.
 * @param {string} file an absolute path @returns {Promise<any>} its default export
 * @throws {UsageError} with the file and the line of the error
 */
export async function importOwn(file) {
  try {
    return (await import(pathToFileURL(file).href)).default;
  } catch (error) {
    const why = error instanceof SyntaxError ? await syntaxText(error, file) : messageWithPosition(error);
    throw new UsageError(`${file}: it cannot be loaded: ${why}${adviceFor(why)}`);
  }
}

/** Of an ES module, only Node's own output has the line. @param {SyntaxError} error @param {string} file */
async function syntaxText({ message, stack }, file) {
  const { spawnSync } = await import('node:child_process');
  const args = ['--check', '--input-type=module', '-'];
  const { stderr } = spawnSync(process.execPath, args, { input: readFileSync(file), encoding: 'utf8' });
  const [, line] = /^[^\n]+:(\d+)\n/.exec(`${stack}`) ?? /^\[stdin\]:(\d+)$/m.exec(stderr) ?? [];
  return line === undefined ? message : `${message} (${basename(file)}:${line})`;
}

/** @param {string} why */
const adviceFor = (why) =>
  /Unexpected token 'export'|import statement outside/.test(why)
    ? "; it is an ES module in a folder of CommonJS: name it .mjs, or set 'type': 'module' in package.json"
    : '';
