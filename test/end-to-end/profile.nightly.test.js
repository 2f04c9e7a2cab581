import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { ALLOCATED_BYTES, burnsFile } from '../helpers/plugins/clients/burner.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { causesOf } from '../helpers/said.js';

/** @import { Report } from '../../src/store/types.js' */

const PLUGINS = { clients: [fileURLToPath(new URL('../helpers/plugins/clients', import.meta.url))] };
const SMALL = { scenarios: 'shared-connection', size: 10, runs: 1, runTimeMs: 100, pin: 'off' };

describe('--profile, at night', function () {
  // A machine that is shared may stand still for a while.
  this.timeout(300_000);

  // What is explained must differ beyond doubt, which takes five starts of each.
  describe('by default', () => {
    /** @type {Report} */
    let report;
    before(async () => {
      // A difference so large that it is claimed on a busy machine too, though with so few operations a start may or may
      // not be compiled: the CPU time of the client without work differs by seven times.
      const clients = 'raw,burner,burner:burn';
      const measuring = { clients, tasks: 64, ...SMALL, iterations: 40, runs: 5, starts: 5 };
      report = await benchmark(measuring, { pluginFolders: PLUGINS });
      rmSync(burnsFile(process.pid), { force: true });
    });

    it('is of the cells whose CPU time the first screen explains', () => {
      assert.deepEqual(schemaErrors(report), []);
      assert.deepEqual(
        report.cells.map(({ profiles }) => profiles !== undefined),
        [false, true, true],
        causesOf(report).join('\n'),
      );
    });
  });

  it('finds the memory of a client whose cost is known', async () => {
    const measuring = { tasks: 1, ...SMALL, iterations: 2000, starts: 1, warmupRuns: 0, profile: 'heap' };
    const { cells } = await benchmark(
      { clients: 'burner:allocate', ...measuring },
      { pluginFolders: PLUGINS },
    );
    const profile = cells[0].profiles?.heap;
    assert.equal(profile?.processes, 1);
    const found = profile.frames
      .filter(({ file }) => /burner\.js$/.test(`${file}`))
      .reduce((sum, { self }) => sum + self, 0);
    const bytes = found / profile.operations;
    // V8 may put the raw client's `get` into the function that was measured; it allocates 800 bytes.
    const most = ALLOCATED_BYTES + 800;
    const isFound = bytes > 0.9 * ALLOCATED_BYTES && bytes < 1.1 * most;
    assert.ok(isFound, `${bytes} of ${ALLOCATED_BYTES} to ${most}`);
  });
});
