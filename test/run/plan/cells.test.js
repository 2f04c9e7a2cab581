import assert from 'node:assert/strict';
import { resolveOptions } from '../../../src/commands/benchmark/settings.js';
import { loadOptions } from '../../../src/options/catalogue.js';
import { factText } from '../../../src/report/fact-words.js';
import { createCells } from '../../../src/run/plan/cells.js';
import { carriedIn } from '../../../src/run/plan/plan.js';
import { planOf as wholePlanOf } from '../../helpers/plan.js';

/**
 * @import { Release } from '../../../src/machine/types.js'
 * @import { Transport } from '../../../src/options/types.js'
 * @import { Catalogue, OwnOptions } from '../../../src/plugins/types.js'
 */

/** Every option, for any scenario: those that bring them are not there. */
const OPTIONS = /** @type {any} */ (
  Object.fromEntries(
    Object.entries(await loadOptions()).map(([name, spec]) => [name, { ...spec, owners: [] }]),
  )
);

/** Plugins that are not there, so that the rules are tested and not today's plugins. */
const CATALOGUE = /** @type {Catalogue} */ (
  /** @type {unknown} */ ({
    clients: new Map([
      [
        'fast',
        client(
          'fast',
          'fast-package',
          ['unix', 'pipeline'],
          { default: {}, tuned: {} },
          { tuned: '0.5.0', pipeline: '0.7.0' },
        ),
      ],
      ['plain', client('plain', 'plain-package', [])],
      [
        'walled',
        Object.assign(client('walled', 'plain-package', []), { lacks: { unix: 'no socket: why not' } }),
      ],
      ['absent', client('absent', 'absent-package', ['unix', 'pipeline'])],
    ]),
    scenarios: new Map([
      ['shared', scenario('shared')],
      ['pooled', scenario('pooled', { pool: { default: ['generic'] }, poolSize: { default: [3] } })],
      ['spread', scenario('spread', { connections: { default: [2] } })],
      ['batched', { ...scenario('batched'), requires: () => ['pipeline', 'batches'] }],
      [
        'kept',
        {
          ...scenario('kept', { pool: { default: ['generic'] } }),
          requires: (/** @type {any} */ { pool }, /** @type {string} */ topology) =>
            pool === 'native' ? [`${pool}-${topology}`] : [],
        },
      ],
    ]),
    ways: new Map(),
    pipelining: new Map([
      ['implicit', {}],
      ['explicit', { requires: ['pipeline'] }],
    ]),
    workloads: new Map([
      ['get', {}],
      ['set', {}],
      ['whole', { wholeValues: true }],
      ['walk', { parse: Number, choiceOf: (/** @type {number} */ step) => `STEP ${step}` }],
    ]),
    packages: { 'fast-package': '1.0.0', 'plain-package': '2.0.0' },
  })
);

/**
 * @param {string} id
 * @param {OwnOptions} [ownOptions]
 * @returns {any}
 */
function scenario(id, ownOptions) {
  return { id, ownOptions };
}

/**
 * @param {string} id
 * @param {string} name of the package
 * @param {string[]} capabilities
 * @param {Record<string, object>} [variants]
 * @param {Record<string, string>} [since]
 */
function client(id, name, capabilities, variants = { default: {} }, since = {}) {
  return { id, package: name, capabilities: new Set(capabilities), variants, since };
}

/**
 * @param {Record<string, unknown>} given
 * @param {Transport[]} [transports]
 */
const cellsOf = (given, transports = ['tcp', 'unix']) =>
  createCells(settingsOf(given), CATALOGUE, transports);

/** @param {Record<string, unknown>} given */
const settingsOf = (given) =>
  resolveOptions(
    { clients: 'fast', scenarios: 'shared', ...given },
    { id: 'test', title: '', summary: '', options: {} },
    OPTIONS,
  );

/** @param {Record<string, unknown>} given */
const sizesOf = (given) => cellsOf(given).map(({ keySize, valueSize }) => [keySize, valueSize]);

/** @param {Record<string, unknown>} given @param {Transport[]} [transports] */
const skippedOf = (given, transports) =>
  cellsOf(given, transports).map(({ skipped }) => skipped && factText(skipped));

describe('run/plan/cells', () => {
  describe('the matrix', () => {
    it('is the product of all axes', () => {
      const cells = cellsOf({
        clients: 'fast,fast:tuned,plain',
        scenarios: 'shared,pooled',
        tasks: '1,8',
        size: '10,1000',
        workload: 'get,set',
        transport: 'tcp,unix',
        pipelining: 'implicit,explicit',
      });
      assert.equal(cells.length, 3 * 2 * 2 * 2 * 2 * 2 * 2);
      assert.equal(new Set(cells.map((cell) => cell.id)).size, cells.length);
    });

    for (const name of ['fats', 'fast:tunde']) {
      it(`refuses the client '${name}' and offers the nearest`, () => {
        assert.throws(() => cellsOf({ clients: name }), { name: 'UsageError', message: /did you mean/ });
      });
    }
  });

  describe('releases', () => {
    /** @param {string} version @param {Partial<Release>} [rest] */
    const release = (version, rest = {}) => ({
      ...{ package: 'fast-package', version, path: null, entry: `file:///${version}.js`, commit: null },
      ...rest,
    });
    const releases = new Map([
      ['fast@0.4', release('0.4.2')],
      ['fast@0', release('0.6.0')],
      ['fast@0.6', release('0.6.0')],
      ['fast@1', release('1.0.0', { entry: null })],
      ['fast@path:../fork', release('1.0.0', { path: '../fork', commit: 'abc1234' })],
      ['absent@2', release('2.0.0')],
    ]);
    /** @param {Record<string, unknown>} given */
    const released = (given) => createCells(settingsOf(given), CATALOGUE, ['tcp', 'unix'], { releases });

    it('a cell has the exact version where one was asked for, and always the release that it measures', () => {
      const cells = released({ clients: 'fast,fast@0.6,fast@1,fast@path:../fork' });
      assert.deepEqual(
        cells.map(({ version }) => version),
        [null, '0.6.0', '1.0.0', 'path:../fork'],
      );
      assert.deepEqual(
        cells.map((cell) => cell.release?.version),
        ['1.0.0', '0.6.0', '1.0.0', '1.0.0'],
      );
      assert.deepEqual(
        cells.map(({ copy }) => copy),
        // The release that is installed was asked for twice.
        [1, 1, 2, 1],
      );
      assert.equal(new Set(cells.map(({ id }) => id)).size, 4);
      assert.equal(new Set(cells.map(({ group }) => group)).size, 1);
    });

    it('two ways to ask for the same release are the same client, measured twice', () => {
      const cells = released({ clients: 'fast@0,fast@0.6' });
      assert.deepEqual(
        cells.map(({ version, copy }) => [version, copy]),
        [
          ['0.6.0', 1],
          ['0.6.0', 2],
        ],
      );
    });

    it('a client that the project does not have can be measured by its release', () => {
      const [cell] = released({ clients: 'absent@2' });
      assert.deepEqual([cell.version, cell.skipped], ['2.0.0', null]);
    });

    it('what an older release lacks is skipped with the release that brought it', () => {
      const reasons = (/** @type {Record<string, unknown>} */ given) =>
        released(given).map(({ skipped }) => skipped && factText(skipped));
      assert.deepEqual(reasons({ clients: 'fast@0.4:tuned,fast@0.6:tuned,fast:tuned' }), [
        'fast 0.4.2 has no tuned: that came with 0.5.0',
        null,
        null,
      ]);
      assert.deepEqual(reasons({ clients: 'fast@0.6,fast', pipelining: 'explicit' }), [
        'fast 0.6.0 has no pipeline: that came with 0.7.0',
        null,
      ]);
    });
  });

  describe('Node binaries', () => {
    const runtimes = ['20.19.0', '24.1.0'].map((version) => ({
      ...{ name: version, version, v8: '1.2.3', path: `/opt/node-${version}` },
    }));

    it('are an axis: each cell on each, compared with each other', () => {
      const cells = createCells(settingsOf({ clients: 'fast,plain' }), CATALOGUE, ['tcp'], { runtimes });
      assert.deepEqual(
        cells.map(({ client, node, runtime }) => [client, node, runtime?.path]),
        [
          ['fast', '20.19.0', '/opt/node-20.19.0'],
          ['plain', '20.19.0', '/opt/node-20.19.0'],
          ['fast', '24.1.0', '/opt/node-24.1.0'],
          ['plain', '24.1.0', '/opt/node-24.1.0'],
        ],
      );
      assert.equal(new Set(cells.map(({ id }) => id)).size, 4);
      assert.equal(new Set(cells.map(({ group }) => group)).size, 1);
    });

    it('where none is asked for, the cells say so', () => {
      assert.deepEqual(
        cellsOf({}).map(({ node, runtime }) => [node, runtime]),
        [[null, null]],
      );
    });
  });

  describe('modules that are imported', () => {
    const imports = [null, { name: 'otel.mjs', args: ['--import', 'file:///otel.mjs'] }];
    const given = { clients: 'fast,plain', tasks: '1,8' };

    it('are a choice: cells with and without them are compared', () => {
      const cells = createCells(settingsOf(given), CATALOGUE, ['tcp'], { imports });
      assert.equal(cells.length, 8);
      assert.equal(new Set(cells.map(({ id }) => id)).size, 8);
      assert.equal(new Set(cells.map(({ group }) => group)).size, 2);
    });

    it('none is what cells are without the option', () => {
      const [plain, none] = [{}, { imports: [null] }].map((sources) =>
        createCells(settingsOf(given), CATALOGUE, ['tcp'], sources),
      );
      assert.deepEqual(none, plain);
    });

    it('have processes of their own, which serve all conditions of a cell', () => {
      const cells = createCells(settingsOf(given), CATALOGUE, ['tcp'], { imports });
      assert.deepEqual(
        carriedIn(cells).map((hosted) =>
          hosted.map(({ client, imported, tasks }) => [client, imported?.name, tasks]),
        ),
        [undefined, 'otel.mjs'].flatMap((name) =>
          ['fast', 'plain'].map((client) => [1, 8].map((tasks) => [client, name, tasks])),
        ),
      );
    });
  });

  describe('the axes of a scenario', () => {
    /** @param {Record<string, unknown>} given */
    const optionsOf = (given) =>
      cellsOf(given).map(({ scenario, scenarioOptions }) => ({ scenario, ...scenarioOptions }));

    it('multiply its own cells and no others', () => {
      const cells = optionsOf({ scenarios: 'shared,pooled,spread', poolSize: '1,3', connections: '2,4,8' });
      assert.deepEqual(cells, [
        { scenario: 'shared' },
        { scenario: 'pooled', pool: 'generic', poolSize: 1 },
        { scenario: 'pooled', pool: 'generic', poolSize: 3 },
        { scenario: 'spread', connections: 2 },
        { scenario: 'spread', connections: 4 },
        { scenario: 'spread', connections: 8 },
      ]);
    });
    it('may need what a client lacks, with one value and not with another', () => {
      assert.deepEqual(skippedOf({ clients: 'fast', scenarios: 'kept', pool: 'generic,native' }), [
        null,
        'fast has no native-standalone',
      ]);
    });
  });

  describe('groups', () => {
    const cells = cellsOf({
      clients: 'fast,fast:tuned',
      scenarios: 'shared,pooled',
      transport: 'tcp,unix',
      pipelining: 'implicit,explicit',
      tasks: '1,8',
      size: '10,1000',
      workload: 'get,set',
    });

    it('differ in workload, sizes and tasks', () => {
      assert.equal(new Set(cells.map(({ group }) => group)).size, 2 * 2 * 2);
    });

    it('hold the arguments of a workload that are choices, which stand in ids as they are written', () => {
      const walks = cellsOf({ workload: 'walk:5,walk:50,get' });
      assert.deepEqual(
        walks.map(({ group }) => group.split('/')[0]),
        ['walk', 'walk', 'get'],
      );
      assert.ok(walks.slice(0, 2).every(({ id, workload }) => id.includes(`/${workload}/`)));
    });

    it('hold what --compare names, with as many keys, which are marked where data differs', () => {
      const given = { workload: 'get,set', topology: 'standalone,cluster', size: '10,1000' };
      for (const compare of ['workload', 'topology', 'size', 'workload,topology,size']) {
        const all = cellsOf({ ...given, compare });
        const compared = compare.split(',');
        assert.equal(new Set(all.map(({ group }) => group)).size, 2 ** (3 - compared.length), compare);
        assert.equal(new Set(all.map(({ id }) => id)).size, 8);
        if (compared.includes('topology'))
          assert.deepEqual([...new Set(all.map(({ keys }) => keys))], [1000]);
        const data = all.map(({ workload, topology, valueSize }) => `${workload} ${topology} ${valueSize}`);
        assert.equal(new Set(all.map(({ keyMark }) => keyMark)).size, new Set(data).size);
      }
    });

    it('hold what is compared: client, variant, scenario, pipelining, transport', () => {
      for (const name of new Set(cells.map(({ group }) => group))) {
        const group = cells.filter((cell) => cell.group === name);
        assert.equal(group.length, 2 * 2 * 2 * 2);
        for (const axis of /** @type {const} */ (['workload', 'keySize', 'valueSize', 'tasks', 'topology'])) {
          assert.equal(new Set(group.map((cell) => cell[axis])).size, 1, axis);
        }
      }
    });
  });

  describe('sizes', () => {
    it('there are as many keys as commands may be under way, unless the user or memory says otherwise', () => {
      const keysOf = (/** @type {Record<string, unknown>} */ given) => cellsOf(given)[0].keys;
      assert.equal(keysOf({ size: 10 }), 64);
      assert.equal(keysOf({ size: 10, tasks: '1,100' }), 100);
      assert.equal(keysOf({ size: 10, tasks: 100, processes: 2 }), 200);
      assert.equal(keysOf({ size: 10, keys: 1, tasks: 100 }), 1);
      assert.equal(keysOf({ size: 10, valueSize: '10-20' }), 1000);
      assert.equal(keysOf({ keySize: 20, valueSize: 8_000_000, tasks: 100 }), 7);
      assert.equal(keysOf({ keySize: 9, size: 10, tasks: 100 }), 10);
    });
    it('--size of less than a key needs leaves the key at 9', () => {
      assert.deepEqual(sizesOf({ size: 3 }), [[10, 3]]);
      assert.deepEqual(sizesOf({ size: 3, keys: 1 }), [[9, 3]]);
      assert.deepEqual(sizesOf({ size: 9, keys: 10 }), [[9, 9]]);
    });
    it('--key-size and --value-size override --size', () => {
      assert.deepEqual(sizesOf({ size: 1000, keySize: 20 }), [[20, 1000]]);
      assert.deepEqual(sizesOf({ size: 1000, valueSize: 3 }), [[1000, 3]]);
    });
    it('--key-size and --value-size together are combined, whatever --size says', () => {
      const sizes = sizesOf({ size: '1,2,3', keySize: '10,20', valueSize: '5,6' });
      assert.deepEqual(sizes, [
        [10, 5],
        [10, 6],
        [20, 5],
        [20, 6],
      ]);
    });
    it('the same pair comes once', () => {
      assert.deepEqual(sizesOf({ size: '5,10', valueSize: 7, keySize: 12 }), [[12, 7]]);
      assert.deepEqual(sizesOf({ size: '10,20', valueSize: 7, keySize: undefined }), [
        [10, 7],
        [20, 7],
      ]);
    });
    it('a key too short for the prefix is refused', () => {
      assert.throws(() => sizesOf({ keySize: '20,8' }), {
        name: 'UsageError',
        message: /^--key-size: expected at least 9.*got '8'/,
      });
    });
    it('a value too short for JSON is refused', () => {
      assert.throws(() => sizesOf({ value: 'json', size: 1 }), { name: 'UsageError', message: /--value/ });
      assert.deepEqual(sizesOf({ value: 'json', size: 2 }), [[10, 2]]);
    });
  });

  describe('what cannot be combined is skipped with its reason', () => {
    it('a client whose package is not installed, with the command that installs it', () => {
      assert.deepEqual(skippedOf({ clients: 'absent' }), ['not installed: npm install absent-package']);
    });
    it('an encoding whose package is not installed, and one that needs Buffers', () => {
      const given = { workload: 'whole', size: 200, value: 'records', encode: 'none,json,msgpack,json+gzip' };
      assert.deepEqual(skippedOf(given), [
        ...[null, null, 'not installed: npm install msgpackr', 'fast has no buffers'],
      ]);
    });
    it('a scenario that needs what the client lacks', () => {
      assert.deepEqual(skippedOf({ clients: 'fast', scenarios: 'batched' }), ['fast has no batches']);
      assert.deepEqual(skippedOf({ clients: 'plain', scenarios: 'batched' }), [
        'plain has no pipeline, no batches',
      ]);
    });
    it('what a client lacks, with its own words where it has some', () => {
      assert.deepEqual(skippedOf({ clients: 'walled', transport: 'unix' }), [
        'walled has no socket: why not',
      ]);
    });
    it('clients that cannot show the client certificate that was given', () => {
      const files = { url: 'rediss://h', tlsCert: 'c.pem', tlsKey: 'k.pem' };
      assert.match(String(skippedOf(files, ['tls'])[0]), /no client-certificate/);
      assert.doesNotMatch(String(skippedOf({ url: 'rediss://h' }, ['tls'])[0]), /no client-certificate/);
    });

    it('a transport that the server was not named by', () => {
      const [reason] = skippedOf({ transport: 'unix' }, ['tcp']);
      assert.match(String(reason), /^unix .*tcp/);
    });
  });
});

describe('run/plan/cells: plan', () => {
  /** @param {Record<string, unknown>} given */
  const planOf = (given) => wholePlanOf(settingsOf(given), CATALOGUE, ['tcp', 'unix']);

  it('groups what will run, and keeps what is skipped among the cells', () => {
    const plan = planOf({ clients: 'fast,absent', tasks: '1,8', runs: 3 });
    assert.equal(plan.cells.length, 4);
    assert.equal(plan.groups.length, 2);
    for (const group of plan.groups) {
      assert.equal(group.length, 1);
      assert.equal(group[0].client, 'fast');
    }
    assert.equal(plan.runs, 2 * 3);
  });

  it('has no groups where nothing can run', () => {
    const plan = planOf({ clients: 'absent' });
    assert.deepEqual([plan.groups, plan.runs, plan.cells.length], [[], 0, 1]);
  });

  describe('the estimate', () => {
    /** @param {Record<string, unknown>} [given] */
    const estimate = (given = {}) => Number(planOf(given).estimateMs);

    it('cannot be known with a fixed number of iterations', () => {
      assert.equal(planOf({ iterations: 50 }).estimateMs, null);
      assert.notEqual(planOf({}).estimateMs, null);
      assert.notEqual(planOf({ durationMs: '1s' }).estimateMs, null);
    });
    it('is at least the time of the runs themselves', () => {
      assert.ok(estimate({ durationMs: '2s', runs: 4 }) >= 4 * 2000);
      assert.ok(estimate({ runTimeMs: 500, runs: 4 }) >= 4 * 500);
    });
    it('is longer where a warm-up has few operations', () => {
      assert.ok(estimate({ tasks: 1, runs: 4 }) > estimate({ tasks: 8, runs: 4 }));
      assert.ok(estimate({ valueSize: '1mb', runs: 4 }) > estimate({ runs: 4 }));
    });
    it('does not count what is skipped', () => {
      assert.equal(estimate({ clients: 'fast,absent' }), estimate());
    });
  });
});
