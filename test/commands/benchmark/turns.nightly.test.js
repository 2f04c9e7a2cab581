import assert from 'node:assert/strict';
import { runGroup } from '../../../src/commands/benchmark/run-group.js';
import { resolveOptions } from '../../../src/commands/benchmark/settings.js';
import { loadCatalogue } from '../../../src/options/catalogue.js';
import { createIdlePrevention, placeServers, runPlan } from '../../../src/run/run-plan.js';
import { openServer } from '../../../src/server/open.js';
import { guardKeys } from '../../../src/server/stored-keys.js';
import { parseUrl } from '../../../src/server/target.js';
import { planOf } from '../../helpers/plan.js';
import { startRedis } from '../../helpers/redis-server.js';
import { timed } from '../../helpers/timed.js';

/** @import { ResultRecord } from '../../../src/store/types.js' */

describe('runner: a group with more cells than this machine can hold workers for', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let external;
  before(async () => {
    external = await startRedis();
  });
  after(() => external.stop());

  timed('runs in turns, says so beforehand, and gives all cells the same iterations', async () => {
    const catalogue = await loadCatalogue();
    const given = {
      clients: ['raw', 'raw', 'raw'],
      scenarios: ['shared-connection'],
      runs: 2,
      starts: 1,
      // A stall of 20 ms must not look like a slow cell.
      runTimeMs: 300,
    };
    const suite = { id: 'none', title: 'no suite', summary: 'no options of its own', options: {} };
    const settings = { ...resolveOptions(given, suite), seed: 1 };
    const plan = planOf(settings, catalogue, ['tcp']);
    assert.deepEqual(
      plan.groups.map((cells) => cells.length),
      [3],
    );
    const server = await openServer(parseUrl(external.url));
    /** @type {unknown[]} */
    const told = [];
    /** @type {ResultRecord[]} */
    const records = [];
    try {
      const { lost, warningFacts } = await runPlan(plan, {
        places: await placeServers([server], settings),
        elapsedMs: () => 0,
        settings,
        catalogue,
        clientOptions: {},
        keys: await guardKeys([server], null),
        capacity: { bytes: 1e12, processes: 2 },
        signal: new AbortController().signal,
        onEvent: (event) => void told.push(event.type === 'note' ? event.fact : event.type),
        record: (record) => void records.push(record),
        idlePrevention: await createIdlePrevention([], { cpus: 'asleep' }),
        command: 'benchmark',
        runGroup,
        soFar: () => /** @type {any} */ ({ cells: [], settings }),
      });
      assert.equal(lost, null);
      const note = warningFacts.find(({ kind }) => kind === 'group-in-turns');
      assert.deepEqual(note, {
        ...{ kind: 'group-in-turns', cells: 3, turns: 2, freeBytes: 1e12, mostProcesses: 2 },
      });
      assert.ok(told.indexOf(note) >= 0 && told.indexOf(note) < told.indexOf('run'), `${told}`);
    } finally {
      await server.close();
    }
    const runs = records.flatMap((record) => (record.type === 'run' ? [record.cell] : []));
    const [first, second, third] = plan.groups[0].map(({ id }) => id);
    assert.deepEqual([new Set(runs.slice(0, 4)), runs.slice(4)], [new Set([first, second]), [third, third]]);
    const iterations = records.flatMap((record) => (record.type === 'cell' ? [record.iterations] : []));
    assert.deepEqual(new Set(iterations).size, 1, `${iterations}`);
    assert.deepEqual(await external.contents(), {});
  });
});
