import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { namedFirst, PLANTED } from '../helpers/plugins/clients/planted.js';
import { causesOf } from '../helpers/said.js';

const PLUGINS = { clients: [fileURLToPath(new URL('../helpers/plugins/clients', import.meta.url))] };
const MEASURING = { scenarios: 'shared-connection', runs: 6, starts: 3, iterations: 300, warmupRuns: 1 };

describe('a cause that was planted', function () {
  this.timeout(300_000);

  for (const planted of Object.keys(PLANTED))
    it(`is named first, and no other: ${planted}`, async () => {
      const options = { clients: `planted,planted:${planted}`, ...MEASURING };
      const report = await benchmark(options, { pluginFolders: PLUGINS });
      // Where other programs take most of the time, it may be that none is proven.
      assert.notEqual(namedFirst(report, planted), 'other', causesOf(report).join('\n'));
    });
});
