import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { attempt } from '../errors.js';

/** @import { Hash } from 'node:crypto' */

const HASH_DIGITS = 12;
const IMPORTS = /\b(?:from\s*|import\s*\(?\s*|require\s*\(\s*)['"](\.{1,2}\/[^'"]+)['"]/g;

/** Of a file and those that it imports by relative paths. @param {string} file @returns {string} hexadecimal */
export function hashOfCode(file) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  const visit = (/** @type {string} */ path) => {
    const text = texts.has(path) ? undefined : attempt(() => readFileSync(path, 'utf8'), undefined);
    if (text === undefined) return;
    texts.set(path, text);
    for (const [, specifier] of text.matchAll(IMPORTS)) visit(join(dirname(path), specifier));
  };
  visit(resolve(file));
  const hash = createHash('sha256');
  for (const text of texts.values()) hash.update(`${text.length}:${text}`);
  return shortened(hash);
}

/** @param {Hash} hash */
const shortened = (hash) => hash.digest('hex').slice(0, HASH_DIGITS);

/** @param {string} file of any size @returns {Promise<string>} hexadecimal */
export async function hashOfFile(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return shortened(hash);
}
