import assert from 'node:assert/strict';
import { OPTIONS as OF_AGENTS } from '../../src/commands/agents/options.js';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import { UsageError } from '../../src/errors.js';
import { OPTIONS } from '../../src/options/option-table.js';
import { readOption } from '../../src/options/read.js';

/** @import { SuitePlugin } from '../../src/plugins/types.js' */

/** @param {Record<string, unknown>} [options] @returns {SuitePlugin} */
const suite = (options = {}) => ({ id: 'test', title: 'Test', summary: 'for the test', options });

/** @param {Record<string, unknown>} given @param {Record<string, unknown>} [fromSuite] */
const resolve = (given, fromSuite) => resolveOptions(given, suite(fromSuite), { ...OPTIONS, ...OF_AGENTS });

describe('options/options', () => {
  describe('where a value comes from', () => {
    it('is the default where nobody says anything', () => {
      const settings = resolve({});
      for (const [name, option] of Object.entries(OPTIONS)) {
        // Keys come in turn unless the user says how many, and runs depend on the load, as do processors.
        const expected = { keyDistribution: 'sequential', runs: 3 }[name] ?? option.default;
        assert.deepEqual(settings[/** @type {keyof typeof settings} */ (name)], expected, name);
      }
    });

    it('is the main job by default: three clients, four scenarios, 8 tasks, 1000 characters, GET', () => {
      const { clients, scenarios, tasks, size, workload, runs, runTimeMs } = resolve({});
      assert.deepEqual(
        { clients, scenarios: [...scenarios].sort(), tasks, size, workload, runs, runTimeMs },
        {
          clients: ['redis', 'redis:tuned', 'ioredis'],
          scenarios: ['connection-per-task', 'open-and-close', 'pool', 'shared-connection'],
          tasks: [8],
          size: [1000],
          workload: ['get'],
          runs: 3,
          runTimeMs: 100,
        },
      );
    });

    it("is the suite's before the default, and the user's before the suite's", () => {
      const settings = resolve({ tasks: '3' }, { tasks: [2, 4], runs: 3 });
      assert.deepEqual(settings.tasks, [3]);
      assert.equal(settings.runs, 3);
      assert.deepEqual(settings.size, [1000]);
    });

    it('is not hidden by an option that the user left undefined', () => {
      assert.equal(resolve({ runs: undefined }, { runs: 3 }).runs, 3);
    });

    it('lets a race decide whether processors are kept awake, not where the user says how often to run', () => {
      assert.equal(resolve({ budget: '10s' }).cpus, undefined);
      for (const given of [{ runs: 3 }, { starts: 2 }, { smoke: true }, { rate: '100' }, { cpus: 'asleep' }])
        assert.equal(resolve(given).cpus, 'asleep', JSON.stringify(given));
    });

    it('is the same as text and as a value', () => {
      assert.deepEqual(
        resolve({ tasks: '1,8', runTimeMs: '50ms' }),
        resolve({ tasks: [1, 8], runTimeMs: 50 }),
      );
    });
  });

  describe('what is wrong', () => {
    // The empty text is no value of any kind.
    for (const [name, option] of Object.entries(OPTIONS)) {
      const flag = option.flag.split(' ')[0];
      it(`${flag} is named by its error`, () => {
        assert.throws(
          () => resolve({ [name]: '' }),
          (error) => {
            assert.ok(error instanceof UsageError);
            assert.ok(error.message.startsWith(`${flag}: expected `), error.message);
            return true;
          },
        );
      });
    }

    it('refuses a wrong option of a suite too', () => {
      assert.throws(() => resolve({}, { runs: 0 }), { name: 'UsageError', message: /^--runs: / });
    });

    it('an option that does not exist', () => {
      assert.throws(() => resolve({ task: 8 }), { name: 'UsageError', message: /'task' is unknown.*tasks/ });
    });

    for (const [given, message] of /** @type {[Record<string, unknown>, RegExp][]} */ ([
      [{ durationMs: '1s', iterations: 5 }, /--duration and --iterations/],
      [{ url: 'redis://h', socket: '/s' }, /--url and --socket/],
      [{ url: 'redis://h', serverBin: '/b' }, /--url and --server-bin/],
      [{ socket: '/s', serverBin: '/b' }, /--socket and --server-bin/],
      [{ assertStrict: true }, /^--assert-strict needs --assert; add it, or leave --assert-strict out$/],
      [{ oneSlot: true }, /^--one-slot needs --topology cluster;/],
      [{ clusterNodes: 4 }, /^--cluster-nodes needs --topology cluster;/],
      [{ readFrom: 'replica' }, /^--read-from replica: .*add --replicas 1/],
      [{ replicas: 1, url: 'redis://h' }, /^--url and --replicas are about/],
      [{ readFrom: 'primary', url: 'redis://h' }, /^--read-from: .*--topology cluster/],
      [{ topology: 'sentinel', url: 'redis://h' }, /^--topology sentinel: .*--url/],
      [{ topology: 'sentinel', sentinel: 'h:1' }, /^--sentinel and --master-name belong together/],
      [{ sentinel: 'h:1', masterName: 'm' }, /^--sentinel names .*add --topology sentinel/],
      [{ topology: 'sentinel', agents: 'local:2' }, /^--topology sentinel .*--agents/],
      [{ topology: 'sentinel', transport: 'tcp,tls' }, /^--topology sentinel: .*one --transport/],
      [{ replicas: 1, agents: 'local:2' }, /^--agents and --replicas do not go together: the load is from/],
    ])) {
      it(`${Object.keys(given).join(' together with ')}`, () => {
        assert.throws(() => resolve(given), { name: 'UsageError', message });
      });
    }

    it('takes them where they are used', () => {
      const cluster = { topology: 'cluster' };
      for (const given of [
        { assertStrict: true, assert: 'pool.opsPerSecond > 1' },
        { ...cluster, oneSlot: true, clusterNodes: 4 },
        { ...cluster, keyDistribution: 'zipf' },
        { topology: 'sentinel', readFrom: 'replica' },
        { keyDistribution: 'zipf' },
        { keys: 2, keyDistribution: 'zipf' },
        { valueSize: '10-20', keyDistribution: 'zipf' },
      ]) {
        assert.doesNotThrow(() => resolve(given), JSON.stringify(given));
      }
    });

    it('a fixed duration or a rate replaces the iterations of a suite', () => {
      const cost = { budget: 1e9, perOperation: 30_000, perByte: 5 };
      for (const given of [{ durationMs: '1s' }, { rate: 1000 }])
        assert.equal(resolve(given, { iterations: cost }).iterations, 'auto');
    });
  });

  describe('races', () => {
    it('a closed loop, with three runs in each start', () => {
      const { runs, races } = resolve({});
      assert.deepEqual({ runs, races }, { runs: 3, races: true });
    });

    it('not where the user or the suite says how often, a gate judges, or runs have a fixed length', () => {
      for (const [given, runs] of /** @type {[Record<string, unknown>, number][]} */ ([
        [{ runs: 7 }, 7],
        [{ starts: 5 }, 15],
        [{ assert: 'redis.opsPerSecond > 1' }, 12],
        [{ rate: 1000 }, 5],
        [{ rateSearch: '1000-4000' }, 5],
      ])) {
        const found = resolve(given);
        assert.deepEqual([found.races, found.runs], [false, runs], JSON.stringify(given));
      }
      assert.equal(resolve({}, { runs: 3 }).races, false);
    });

    it('--budget decides alone, and is for closed loops', () => {
      assert.throws(
        () => resolve({ budgetMs: '10s', runs: 3 }),
        /^UsageError: --budget and --runs do not go together: a budget decides/,
      );
      assert.throws(
        () => resolve({ budgetMs: '10s', rate: 1000 }),
        /^UsageError: --budget and --rate do not go together/,
      );
      assert.equal(resolve({ budgetMs: '10s' }).races, true);
    });
  });

  describe('--smoke', () => {
    it('shrinks runs, run time, duration and the budget of a cost model', () => {
      const cost = { budget: 1e9, perOperation: 30_000, perByte: 5 };
      const plain = resolve({}, { iterations: cost, durationMs: 5000 });
      const smoke = resolve({ smoke: true }, { iterations: cost, durationMs: 5000 });
      assert.ok(smoke.runs < plain.runs);
      assert.ok(smoke.runTimeMs > 0 && smoke.runTimeMs < plain.runTimeMs);
      assert.ok(Number(smoke.durationMs) < Number(plain.durationMs));
      assert.ok(/** @type {typeof cost} */ (smoke.iterations).budget < cost.budget);
    });

    it('stores fewer keys, unless the user says how many', () => {
      const many = { keys: 100_000 };
      assert.equal(resolve({ smoke: true }, many).keys, 500);
      assert.equal(resolve({ smoke: true, keys: 2000 }, many).keys, 2000);
      assert.equal(resolve({ smoke: true }).keys, resolve({}).keys);
    });

    it('leaves out no cell', () => {
      const axes = /** @type {const} */ (['clients', 'scenarios', 'tasks', 'size', 'workload', 'pipelining']);
      const given = { tasks: '1,8', size: '10,1000' };
      const smoke = resolve({ ...given, smoke: true });
      for (const axis of axes) assert.deepEqual(smoke[axis], resolve(given)[axis], axis);
    });

    it('leaves what the user asked for', () => {
      const given = { runs: 7, runTimeMs: 400, durationMs: '3s' };
      const { runs, runTimeMs, durationMs } = resolve({ ...given, smoke: true });
      assert.deepEqual({ runs, runTimeMs, durationMs }, { runs: 7, runTimeMs: 400, durationMs: 3000 });
    });

    it('never makes anything longer', () => {
      assert.equal(resolve({ smoke: true }, { runs: 1 }).runs, 1);
      assert.equal(resolve({ smoke: true }, { runTimeMs: 10 }).runTimeMs, 10);
    });
  });

  it('readOption reads a single option', () => {
    assert.deepEqual(readOption(OPTIONS.tasks, '1,8'), [1, 8]);
  });
});
