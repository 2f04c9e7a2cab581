import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { CodeFrame } from '../core/worker/types.js' */

const HOME = fileURLToPath(new URL('../..', import.meta.url));
/** The work of --app-work. */
const APPLICATION = ['src/core/worker/busy-work.js'];
const PACKAGES = 'node_modules/';
/** Computed keys make long names. */
const LONGEST_NAME = 80;

/** V8's own entries, which are no functions. @type {Record<string, Pick<CodeFrame, 'part' | 'name'>>} */
const STATES = {
  '(garbage collector)': { part: 'garbage', name: 'garbage collection' },
  '(program)': { part: 'native', name: 'native code' },
  '(root)': { part: 'native', name: 'native code' },
};

/**
 * Whose code a function is: package, file, function, line. Never a path outside of it, never source text.
 * @param {{functionName: string, url: string, lineNumber: number}} callFrame lines count from 0 @returns {CodeFrame}
 */
export function originOf({ functionName, url, lineNumber }) {
  const state = url === '' ? STATES[functionName] : undefined;
  if (state) return { ...state, package: null, file: null, line: null };
  const name = nameOf(functionName);
  const line = lineNumber >= 0 ? lineNumber + 1 : null;
  if (url === '') return { part: 'native', package: null, file: null, name, line: null };
  if (url.startsWith('node:'))
    return { part: 'node', package: null, file: url.slice('node:'.length), name, line };
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  return { ...placeOf(path.replaceAll('\\', '/')), name, line };
}

/** @param {string} path @returns {Pick<CodeFrame, 'part' | 'package' | 'file'>} */
function placeOf(path) {
  const inPackages = path.lastIndexOf(PACKAGES);
  if (inPackages >= 0) {
    const [first, second, ...rest] = path.slice(inPackages + PACKAGES.length).split('/');
    return first.startsWith('@')
      ? { part: 'package', package: `${first}/${second}`, file: rest.join('/') }
      : { part: 'package', package: first, file: [second, ...rest].join('/') };
  }
  const own = relative(HOME, path).replaceAll('\\', '/');
  if (!own.startsWith('..')) {
    return { part: APPLICATION.includes(own) ? 'application' : 'tool', package: null, file: own };
  }
  // A plugin of the user's own, or a client in another folder.
  return { part: 'other', package: null, file: path.slice(path.lastIndexOf('/') + 1) };
}

/** @param {string} functionName */
function nameOf(functionName) {
  if (functionName === '') return '(anonymous)';
  // V8 names a regular expression by its source.
  if (functionName.startsWith('RegExp: ')) return 'RegExp';
  return functionName.slice(0, LONGEST_NAME);
}
