import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import { findPluginFiles, loadCatalogue, loadOptions } from '../../src/options/catalogue.js';
import { loadPlugin, ownFileOf } from '../../src/plugins/registry.js';
import { createCells } from '../../src/run/plan/cells.js';
import { assertRefused, runMain } from '../helpers/main.js';

describe("options/own-files: a plugin of the user's own by its path", () => {
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-own-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('tells a file from the names of plugins', () => {
    const file = write('our-redis.js', '');
    assert.deepEqual(ownFileOf(`${file}:fast`), { file, id: 'our-redis', rest: ':fast' });
    assert.deepEqual(ownFileOf(`${file}@5:fast`), { file, id: 'our-redis', rest: '@5:fast' });
    for (const name of ['redis', 'redis:tuned', 'redis@path:../fork/index.js', 'command:GET {key}.js']) {
      assert.equal(ownFileOf(name), null, name);
    }
  });

  it('needs only what the tool cannot know', async () => {
    const file = write('small.js', 'export default { variants: { fast: {} }, connect() {} };');
    const { clients } = await loadCatalogue({ clients: [file] });
    assert.deepEqual(Object.keys(clients.get('small')?.variants ?? {}), ['default', 'fast']);
  });

  it('is part of what a cell is: its code may have changed when results are compared', async () => {
    const client = write('mine.js', 'export default { connect() {} };');
    const scenario = write('my-way.js', 'export default { connections: () => 1, open() {} };');
    const catalogue = await loadCatalogue({ clients: [client], scenarios: [scenario] });
    const suite = await loadPlugin('suites', 'default');
    const settings = resolveOptions({ clients: 'mine,raw', scenarios: 'my-way,pool' }, suite);
    const cells = createCells(settings, catalogue, ['tcp']);
    assert.deepEqual(
      cells.map(({ client, scenario, ownCode }) => [client, scenario, ownCode ?? false]),
      [
        ['mine', 'my-way', true],
        ['mine', 'pool', true],
        ['raw', 'my-way', true],
        ['raw', 'pool', false],
      ],
    );
  });

  it('may bring options, which the command line knows', async () => {
    const file = write(
      'our-pool.js',
      `export default {
        ownOptions: { twins: { flag: '--twins <list>', help: 'pairs', value: { type: 'integer' }, default: [1] } },
        connections: () => 1,
        open() {},
      };`,
    );
    const folders = await findPluginFiles({ scenarios: [file] });
    assert.ok('twins' in (await loadOptions(folders)));
    const { stdout, code } = await runMain(['--scenarios', file, '--help', 'all']);
    assert.equal(code, 0);
    assert.match(stdout, /--twins <list> +in the scenario our-pool: pairs \(default: 1\)/);
  });

  for (const [index, [what, text, message]] of /** @type {[string, string, RegExp][]} */ ([
    [
      'lacks a member',
      'export default { title: "x" };',
      /half-client-\d\.js: connect: expected a function, got nothing/,
    ],
    [
      'has one of the wrong type',
      'export default { connect: 7 };',
      /connect: expected a function, got a number/,
    ],
    ['exports nothing', 'export const connect = 1;', /expected a default export, an object .* got nothing/],
    [
      'throws',
      "throw new Error('my fault');",
      /half-client-\d\.js: it cannot be loaded: my fault \(half-client-\d\.js:1\)/,
    ],
    ['is no JavaScript', '\nexport default {', /it cannot be loaded: Unexpected .* \(half-client-\d\.js:2\)/],
    [
      'fails in Node',
      "import { readFile } from 'node:fs/promises';\nawait readFile('/nowhere');\nexport default {};",
      /it cannot be loaded: ENOENT: .*'\/nowhere' \(half-client-\d\.js:2\)\n$/,
    ],
    [
      'has a variant without a name',
      'export default { connect() {}, variants: { "a b": {} } };',
      /got 'a b'/,
    ],
  ]).entries()) {
    // Node loads a file once.
    it(`is refused where it ${what}, and names the file`, () =>
      assertRefused(['--clients', write(`half-client-${index}.js`, text)], message));
  }

  it('is refused where there is no such file, or its name is not for a plugin', async () => {
    const missing = join(folder, 'missing.js');
    await assertRefused(['--clients', missing], /--clients: .*missing\.js: it cannot be loaded: ENOENT/);
    await assertRefused(
      ['--workload', write('our.work.js', '')],
      /--workload: .*got 'our\.work': rename the file/,
    );
    await assertRefused(['--clients', write('redis.js', '')], /two clients of the name 'redis'/);
    await assertRefused(
      ['--workload', write('idle.js', 'export default {};')],
      /iterate: expected a function, got nothing/,
    );
  });

  it('are refused where a workload would send what is not checked', async () => {
    for (const name of ['cycle', 'open', 'prepare', 'request', 'receive'])
      await assertRefused(
        ['--workload', write(`own-${name}.js`, `export default { iterate() {}, ${name}: () => [] };`)],
        new RegExp(`${name}: only the tool's own workloads have one.*use iterate and store`),
      );
  });
});
