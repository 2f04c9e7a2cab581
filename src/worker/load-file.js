import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isModuleNamespaceObject } from 'node:util/types';
import { codeOf } from '../errors.js';

const require = createRequire(import.meta.url);
const ES_MODULES = ['ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE'];

/** Does what `import` does, which takes 25 ms longer for CommonJS such as ioredis. @param {string} file @returns {Promise<any>} */
export async function loadFile(file) {
  try {
    const exported = require(file);
    return isModuleNamespaceObject(exported) ? exported : { ...exported, default: exported };
  } catch (error) {
    if (!ES_MODULES.includes(String(codeOf(error)))) throw error;
    return import(pathToFileURL(file).href);
  }
}

/** Files that `require` has loaded so far. */
export const filesLoaded = () => Object.keys(require.cache).length;
