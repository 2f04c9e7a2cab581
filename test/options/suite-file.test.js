import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSuite } from '../../src/options/load-suite.js';
import { OPTIONS } from '../../src/options/option-table.js';

describe('options/suite-file', () => {
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-suite-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** @param {string} name @param {string} text @param {Record<string, unknown>} [given] */
  async function load(name, text, given) {
    const file = join(folder, name);
    await writeFile(file, text);
    return loadSuite(file, OPTIONS, { given: given });
  }

  for (const [what, name, text, message] of /** @type {[string, string, string, RegExp][]} */ ([
    ['an await that never settles', 'await.mjs', 'await new Promise(() => {});', /an await never settled/],
    ['process.exit', 'exit.mjs', 'process.exit(0);', /was asked to exit/],
    ['an error', 'error.mjs', "throw new Error('my fault');", /cannot be loaded: my fault/],
    ['a function', 'code.mjs', 'export default { options: () => {} };', /could not be cloned/],
    ['broken JSON', 'broken.json', '{"title": "hunter2" x}', /an error in line 1, column 21/],
  ])) {
    it(`tells what is wrong with ${what}`, () =>
      assert.rejects(load(name, text), (/** @type {Error} */ error) => {
        assert.equal(error.name, 'UsageError');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      }));
  }

  it('reads no devices', async () => {
    await assert.rejects(loadSuite('/dev/zero', OPTIONS), {
      name: 'UsageError',
      message: /not a regular file/,
    });
  });

  for (const [name, value] of Object.entries({
    serverBin: '/bin/sh',
    nodeBin: ['/bin/sh'],
    clients: ['raw', 'redis@path:/tmp/x'],
    profile: 'heap,/tmp/x',
  })) {
    it(`lets code set ${name}, but not data, unless it is given beside it`, async () => {
      const suite = JSON.stringify({ options: { [name]: value } });
      await assert.rejects(load('data.json', suite), { name: 'UsageError', message: new RegExp(name) });
      assert.ok(await load('data.json', suite, { [name]: value }));
      assert.ok(await load(`${name}.mjs`, `export default ${suite};`));
    });
  }

  it('lets data choose what is profiled, but not the folder, however it is named', async () => {
    const suiteOf = (/** @type {unknown} */ profile) => JSON.stringify({ options: { profile } });
    for (const profile of ['cpu', ['cpu', 'heap'], true, false])
      assert.ok(await load('data.json', suiteOf(profile)));
    for (const profile of ['./x', ['cpu', '/x'], { kinds: ['cpu'], cells: 'all', folder: '/x' }]) {
      await assert.rejects(load('data.json', suiteOf(profile)), /where files are written.*'profile'/);
    }
  });
});
