import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installedSize } from '../../../src/commands/cold/installed-size.js';

/** @param {string} root @param {Record<string, string>} files */
function write(root, files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

describe('commands/cold/installed-size', () => {
  /** @type {string} */
  let root;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rpb-size-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is that of a package and of all that it depends on, each once', () => {
    const files = {
      'node_modules/client/package.json':
        '{"name":"client","dependencies":{"inner":"1","outer":"1","gone":"1"}}',
      'node_modules/client/dist/package.json': '{"type":"commonjs"}',
      'node_modules/client/dist/index.js': 'x'.repeat(1000),
      'node_modules/client/node_modules/inner/package.json': '{"name":"inner","dependencies":{"outer":"1"}}',
      'node_modules/client/node_modules/inner/index.js': 'x'.repeat(200),
      'node_modules/outer/package.json': '{"name":"outer","optionalDependencies":{"client":"1"}}',
      'node_modules/outer/index.js': 'x'.repeat(30),
    };
    write(root, { ...files, 'node_modules/other/package.json': '{"name":"other"}' });
    const expected = Object.values(files).reduce((sum, text) => sum + text.length, 0);
    assert.equal(installedSize(join(root, 'node_modules/client/dist/index.js')), expected);
    symlinkSync(join(root, 'node_modules/client'), join(root, 'linked'));
    assert.equal(installedSize(join(root, 'linked/dist/index.js')), expected);
  });
});
