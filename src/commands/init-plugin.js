import { readFile, writeFile } from 'node:fs/promises';
import { messageOf, UsageError } from '../errors.js';
import { isCodeFile, ownIdOf } from '../plugins/own-file.js';
import { OWN_KINDS } from '../plugins/plugin-kinds.js';

/** @import * as api from '../api.js' */

/** @type {typeof api.initPlugin} */
export async function initPlugin(kind, file) {
  if (!Object.hasOwn(OWN_KINDS, kind)) {
    throw new UsageError(`init: expected one of ${Object.keys(OWN_KINDS).join(', ')}, got '${kind}'`);
  }
  if (!isCodeFile(file)) {
    throw new UsageError(
      `init ${kind}: expected the name of a .js or .mjs file, such as our-${kind}.js, got '${file}'`,
    );
  }
  ownIdOf(file);
  const text = await readFile(new URL(`../plugins/templates/own-${kind}.js`, import.meta.url), 'utf8');
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const why = code === 'EEXIST' ? 'it is there already; choose another name' : messageOf(error);
    throw new UsageError(`init ${kind}: '${file}' cannot be written: ${why}`);
  }
}
