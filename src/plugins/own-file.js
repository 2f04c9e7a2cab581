import { statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { messageOf, UsageError } from '../errors.js';

/** @import { PluginKind } from './types.js' */

const IS_CODE = /\.[cm]?js$/;

/** @param {string} path @returns {boolean} whether it is a single plugin's file and not a folder of plugins */
export const isCodeFile = (path) => IS_CODE.test(path);

/**
 * A name such as `./our-redis.js`, with what follows it: `./our-redis.js:fast`. What stands before a colon is no path
 * (`redis@path:../fork/index.js`, `command:GET x.js`), but for the drive of a Windows path.
 */
const NAME = /^((?:[A-Za-z]:[\\/])?[^:]+?\.[cm]?js)([:@].*)?$/s;

/** As an assertion can name it. */
const ID = /^[A-Za-z][\w-]*$/;

/**
 * @param {string} file @returns {string} the name that a plugin in it has @throws {UsageError} where it cannot be one
 */
export function ownIdOf(file) {
  const id = basename(file, extname(file));
  if (ID.test(id)) return id;
  throw new UsageError(
    `${file}: the file's name stands for it in results; expected letters, digits and hyphens before ` +
      `'${extname(file)}', got '${id}': rename the file`,
  );
}

/**
 * @param {string} name as the user chose a plugin
 * @returns {{file: string, id: string, rest: string} | null} null where it is no file
 * @throws {UsageError} if its name cannot be the name of a plugin, or there is no such file
 */
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

/**
 * @param {PluginKind} kind @param {string} id @param {any} own the default export of a user's file
 * @returns {any} with what such a file need not say
 */
export function completed(kind, id, own) {
  if (typeof own !== 'object' || own === null) return own;
  const named = { title: id, summary: `of the file ${id}`, ...own, id };
  // Its name as it is, where others are called SET + GET.
  if (kind === 'workloads' && own.parse === undefined) return { titleOf: () => named.title, ...named };
  if (kind === 'ways') return { imperative: () => `use '${named.title}'`, ...named };
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
