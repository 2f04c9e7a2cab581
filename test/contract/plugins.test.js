import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { COMMAND_OF, COMMANDS } from '../../src/commands/all.js';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import { loadCatalogue } from '../../src/options/catalogue.js';
import { OPTIONS } from '../../src/options/option-table.js';
import { KIND_NAMES, loadPlugin, PLUGIN_KINDS, placesOf, pluginIds } from '../../src/plugins/registry.js';
import { runMain } from '../helpers/main.js';
import { planOf } from '../helpers/plan.js';

/** @import { PluginKind } from '../../src/plugins/types.js' */

const KINDS = KIND_NAMES;

const catalogue = await loadCatalogue();

describe('every plugin', () => {
  for (const kind of KINDS) {
    const { list } = PLUGIN_KINDS[kind];
    it(`of ${kind} is found${list ? '' : ': one in each file of its folders'}`, async () => {
      const files = (await Promise.all(placesOf(kind).map((place) => readdir(place)))).flat();
      const found =
        list?.map(({ id }) => id) ??
        files.filter((name) => name.endsWith('.js')).map((name) => basename(name, '.js'));
      assert.ok(found.length > 0);
      assert.deepEqual(pluginIds(kind), found.sort());
      assert.deepEqual([...catalogue[kind].keys()].sort(), pluginIds(kind));
    });

    for (const [id, plugin] of /** @type {Map<string, any>} */ (catalogue[kind])) {
      it(`${kind}/${id} says what it is`, () => {
        assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
        const text = plugin.summary ?? plugin.title;
        assert.equal(typeof text, 'string');
        assert.notEqual(text.trim(), '');
        assert.ok(!text.includes('\n'));
      });
    }
  }

  it('that is a fork has the adapter of its original, and a name and a package of its own', async () => {
    const [fork, original] = await Promise.all(
      ['iovalkey', 'ioredis'].map((id) => loadPlugin('clients', id)),
    );
    assert.equal(fork.connect, original.connect);
    assert.deepEqual([fork.id, fork.package, original.package], ['iovalkey', 'iovalkey', 'ioredis']);
  });

  it('that is none is refused with what is wrong with it', async () => {
    await assert.rejects(loadPlugin('suites', 'no-such-suite'), /no-such-suite/);
  });

  describe('on the command line', () => {
    /** @type {Record<string, string>} */
    let lists;
    /** @type {Record<string, string>} */
    let helps;
    before(async () => {
      const commands = ['run', ...COMMANDS];
      const asked = [
        ...KINDS.map((kind) => ['list', kind]),
        ...commands.map((command) => [command, '--help']),
      ];
      const results = await Promise.all(asked.map((args) => runMain(args)));
      for (const { code, stderr } of results) assert.deepEqual([code, stderr], [0, '']);
      const texts = results.map(({ stdout }) => stdout);
      lists = Object.fromEntries(KINDS.map((kind, index) => [kind, texts[index]]));
      helps = Object.fromEntries(commands.map((command, index) => [command, texts[KINDS.length + index]]));
    });
    /** @param {string} command @param {string} flag @returns {string} what its help says of it */
    const entryOf = (command, flag) =>
      new RegExp(String.raw`\n +(?:-\w, )?${flag} ([\s\S]*?)\n(?: +-|\n)`).exec(helps[command])?.[1] ?? '';

    for (const kind of KINDS) {
      for (const id of pluginIds(kind)) {
        it(`${kind}/${id} is shown by list`, () =>
          assert.match(lists[kind], new RegExp(`^ ${id}( |$)`, 'm')));
        const owner = kind === 'workloads' ? COMMAND_OF[id] : undefined;
        // The only workload of `cold` needs no option.
        const by = owner === 'cold' ? [] : [`${owner ?? 'run'}`];
        for (const command of by)
          it(`${kind}/${id} is offered by ${command} --help`, () => {
            const flag = kind === 'suites' ? '--suite' : kind === 'formats' ? '--format' : flagOf(kind);
            assert.match(entryOf(command, `${flag}`), new RegExp(`[ ("]${id}([,)"\\s]|$)`));
          });
        if (owner !== undefined)
          it(`${kind}/${id} is offered by no other command`, () => {
            for (const command of ['run', ...COMMANDS].filter((each) => each !== owner))
              assert.doesNotMatch(entryOf(command, '--workload'), new RegExp(`[ (]${id}[,)]`), command);
          });
      }
    }

    for (const [id, client] of catalogue.clients) {
      it(`list shows the version and the variants of ${id}`, () => {
        const version = client.package === null ? undefined : catalogue.packages[client.package];
        const line = lists.clients.split('\n').find((each) => each.startsWith(` ${id} `));
        assert.ok(line?.includes(version ?? (client.package === null ? '' : 'not installed')), line);
        for (const variant of Object.keys(client.variants).filter((name) => name !== 'default')) {
          assert.ok(lists.clients.includes(`\n ${id}:${variant} `), variant);
        }
      });
    }
  });
});

/** @param {PluginKind} kind */
const flagOf = (kind) =>
  Object.values(OPTIONS)
    .find(({ plugins }) => plugins === kind)
    ?.flag.split(' ')[0];

describe('every suite', () => {
  for (const [id, suite] of catalogue.suites) {
    for (const smoke of [false, true]) {
      it(`${id}${smoke ? ' --smoke' : ''} has a plan of known plugins, with cells to run`, () => {
        const plan = planOf(resolveOptions({ smoke }, suite), catalogue, ['tcp', 'unix']);
        assert.ok(plan.groups.length > 0);
        assert.ok(plan.runs > 0);
        assert.equal(new Set(plan.cells.map((cell) => cell.id)).size, plan.cells.length);
      });
    }

    it(`${id} holds nothing but data`, () => {
      assert.deepEqual(JSON.parse(JSON.stringify(suite)), suite);
    });
  }
});
