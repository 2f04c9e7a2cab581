import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageWithPosition, UsageError } from '../errors.js';

/**
 * Loads a file that the user named.
 * @param {string} file an absolute path @returns {Promise<any>} its default export
 * @throws {UsageError} with the file and the line of the error
 */
export async function importOwn(file) {
  try {
    return (await import(pathToFileURL(file).href)).default;
  } catch (error) {
    const why = error instanceof SyntaxError ? syntaxText(error, file) : messageWithPosition(error);
    throw new UsageError(`${file}: it cannot be loaded: ${why}${adviceFor(why)}`);
  }
}

/** Of an ES module, only Node's own output has the line. @param {SyntaxError} error @param {string} file */
function syntaxText({ message, stack }, file) {
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
