import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { checkNodeBinaries } from '../../src/machine/releases.js';

describe('machine/node-binaries', () => {
  /** @type {string} */
  let temp;
  before(() => {
    temp = mkdtempSync(join(tmpdir(), 'rpb-node-'));
  });
  after(() => rmSync(temp, { recursive: true, force: true }));

  /** @param {string} name @param {string} text */
  function script(name, text) {
    const path = join(temp, name);
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    return path;
  }

  it('says which Node a binary is', async () => {
    assert.deepEqual(await checkNodeBinaries([process.execPath]), [
      {
        name: process.versions.node,
        version: process.versions.node,
        v8: process.versions.v8,
        path: process.execPath,
      },
    ]);
  });

  it('tells two binaries of the same version apart by their files, or by number, never by where they lie', async () => {
    const link = join(temp, 'node-link');
    symlinkSync(process.execPath, link);
    const names = (await checkNodeBinaries([process.execPath, link])).map(({ name }) => name);
    assert.deepEqual(names, [
      `${process.versions.node} (${basename(process.execPath)})`,
      `${process.versions.node} (node-link)`,
    ]);
    mkdirSync(join(temp, 'other'));
    const same = join(temp, 'other', 'node-link');
    symlinkSync(process.execPath, same);
    assert.deepEqual(
      (await checkNodeBinaries([link, same])).map(({ name }) => name),
      [1, 2].map((number) => `${process.versions.node} (${number})`),
    );
  });

  it('none is fine', async () => assert.deepEqual(await checkNodeBinaries([]), []));

  for (const [what, make, message] of /** @type {[string, () => string, RegExp][]} */ ([
    [
      'a path where nothing is',
      () => join(temp, 'none'),
      /expected the path of a Node binary, but '.*none' does not exist/,
    ],
    ['a folder', () => temp, /but '.*' failed: .*EACCES/],
    ['a file that is not executable', () => copyOf('plain.txt'), /failed: .*EACCES/],
    ['a program that is no Node', () => script('hello', '#!/bin/sh\necho hello\n'), /printed something else/],
    ['a program that fails', () => script('fails', '#!/bin/sh\nexit 3\n'), /failed/],
    [
      'a Node that is too old',
      () => script('old', `#!/bin/sh\necho '{"node":"18.20.0","v8":"10.2"}'\n`),
      /expected Node 20\.19\.0 or newer, but '.*old' is 18\.20\.0/,
    ],
  ])) {
    it(`refuses ${what}`, () =>
      assert.rejects(checkNodeBinaries([make()]), (error) => {
        assert.equal(/** @type {Error} */ (error).name, 'UsageError');
        assert.match(/** @type {Error} */ (error).message, /^--node-bin: /);
        assert.match(/** @type {Error} */ (error).message, message);
        return true;
      }));
  }

  /** @param {string} name */
  function copyOf(name) {
    copyFileSync(new URL('../../package.json', import.meta.url), join(temp, name));
    return join(temp, name);
  }
});
