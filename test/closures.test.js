import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deepFunctions, MOST_CLOSURES } from './helpers/closures.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

describe('closures', () => {
  it(`no function of the parent's side nests more than ${MOST_CLOSURES}`, () => {
    const names = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' });
    const files = names.map((name) => `src/${name.replaceAll('\\', '/')}`);
    assert.ok(files.length > 100);
    assert.deepEqual(deepFunctions(ROOT, files), []);
  });
});
