import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPlugin, initPlugin } from '../../src/cli/commands/own.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { OWN_KINDS } from '../../src/plugins/registry.js';
import { assertRefused } from '../helpers/main.js';

describe('init and check', () => {
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-init-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const path = (/** @type {string} */ name) => join(folder, name);
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    writeFileSync(path(name), text);
    return path(name);
  };

  for (const kind of Object.keys(OWN_KINDS)) {
    it(`init ${kind} writes one that passes all checks`, async () => {
      await initPlugin(kind, path(`our-${kind}.js`));
      const named = readFileSync(path(`our-${kind}.js`), 'utf8').match(/^ \* +redis-pipe-bench .*\.js\b/gm);
      assert.ok(
        named?.every((line) => line.includes(path(`our-${kind}.js`))),
        'its comments name it',
      );
      const checked = await checkPlugin(path(`our-${kind}.js`));
      assert.deepEqual([checked.kind, checked.id], [kind, `our-${kind}`]);
      assert.ok(checked.checks.length > 1);
      assert.deepEqual(
        checked.checks.filter(({ failed }) => failed !== null),
        [],
      );
    });
  }

  it('what init writes can be measured, all of it together', async () => {
    const { cells } = await benchmark({
      clients: path('our-client.js'),
      scenarios: path('our-scenario.js'),
      workload: path('our-workload.js'),
      smoke: true,
      starts: 1,
    });
    assert.deepEqual([...new Set(cells.flatMap(({ runs }) => runs.map(({ failed }) => failed)))], [null]);
  });

  it('init never writes over a file', async () => {
    const file = write('mine.js', 'mine');
    await assertRefused(['init', 'client', file], /it is there already; choose another name/);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    await assertRefused(
      ['init', 'clinet', path('x.js')],
      /expected one of client, scenario, workload, got 'clinet'/,
    );
    await assertRefused(['init', 'client', path('x.txt')], /expected the name of a \.js or \.mjs file/);
  });

  it('check says what fails, what was expected and what came', async () => {
    const wrong = write(
      'wrong.js',
      `export default {
        package: 'redis',
        capabilities: ['prompt-close'],
        async connect({ host, port }, _options, { createClient }) {
          const redis = createClient({ socket: { host, port, reconnectStrategy: false } });
          redis.on('error', () => {});
          await redis.connect();
          return {
            command: (args) => redis.sendCommand(args),
            get: async (key) => (await redis.get(key)) ?? 'nothing',
            close: async () => void setTimeout(() => redis.destroy(), 60_000).unref(),
          };
        },
      };`,
    );
    const { checks } = await checkPlugin(wrong);
    const failed = new Map(checks.flatMap(({ title, failed }) => (failed === null ? [] : [[title, failed]])));
    assert.match(
      String(failed.get('get replies null for a missing key, and an empty text for an empty one')),
      /^a missing key: expected null, got 'nothing'$/,
    );
    assert.match(
      String(failed.get('close closes the connection (capability prompt-close)')),
      /^connections: expected \d+, got \d+$/,
    );
    assert.match(String(failed.get('uses the database of the target')), /expected 0, got 1/);
    assert.ok(failed.size < checks.length / 2);
  });
});
