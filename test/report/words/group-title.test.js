import assert from 'node:assert/strict';
import { groupTitle } from '../../../src/report/words/legend.js';
import { createFixture } from '../../helpers/report-fixture.js';

/** @param {Record<string, unknown>} given */
const titleOf = async (given) => {
  const report = await createFixture({ given: { clients: 'redis', ...given }, measured: () => null });
  return groupTitle(report.cells, report);
};

describe('words/group-title', () => {
  for (const [given, title] of /** @type {const} */ ([
    [{}, 'GET, 64 keys and values of 1,000 characters, 8 tasks'],
    [
      { keySize: 20, workload: 'set-get', tasks: 1 },
      'SET + GET, 64 keys of 20 and values of 1,000 characters, 1 task',
    ],
    [{ workload: 'mix:get=80,set=20' }, 'MIX:GET=80,SET=20, 64 keys and values of 1,000 characters, 8 tasks'],
    [
      { workload: 'per-process:set,exists' },
      'SET beside EXISTS, 64 keys and values of 1,000 characters, 8 tasks, 2 processes',
    ],
    [
      { clients: 'ioredis', workload: 'publish:3' },
      'PUBLISH to 3 subscribers, messages of 1,000 characters through one channel, 8 tasks',
    ],
    [{ workload: 'queue' }, 'LPUSH + BRPOP, messages of 1,000 characters through one list, 8 tasks'],
    [
      { workload: 'stream', processes: 2 },
      'XADD + XREADGROUP, messages of 1,000 characters through one stream per sender, 8 tasks, 2 processes',
    ],
    [{ keys: 5000 }, 'GET, 5,000 keys and values of 1,000 characters, 8 tasks'],
    [{ keyDistribution: 'zipf' }, 'GET, 64 keys and values of 1,000 characters (zipf), 8 tasks'],
    [
      { keySize: 20, valueSize: '100-1000' },
      'GET, 1,000 keys of 20 and values of 100-1,000 characters, 8 tasks',
    ],
    [
      { topology: 'cluster', durationMs: '5s', value: 'json' },
      'GET, 1,000 keys and values of 1,000 characters (json), 8 tasks, cluster, 5 s per run',
    ],
  ])) {
    it(title, async () => assert.equal(await titleOf(given), title));
  }
});
