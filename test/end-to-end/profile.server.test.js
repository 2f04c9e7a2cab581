import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { explainDifference } from '../../src/commands/why/code-report.js';
import { endStarted, runCli } from '../helpers/cli.js';
import { ALLOCATED_BYTES } from '../helpers/plugins/clients/burner.js';

/** @import { CellProfile, Report } from '../../src/store/types.js' */

const PLUGINS = { clients: [fileURLToPath(new URL('../helpers/plugins/clients', import.meta.url))] };
const SMALL = { scenarios: 'shared-connection', size: 10, runs: 1, runTimeMs: 100, pin: 'off' };

/** @param {Report} report @param {string} variant @param {'cpu' | 'heap'} [kind] */
function profileOf({ cells }, variant, kind = 'cpu') {
  const cell = cells.find((each) => each.variant === variant);
  const profile = cell?.profiles?.[kind];
  assert.ok(profile, `${variant} has no ${kind} profile`);
  return profile;
}

/** @param {CellProfile} profile */
const all = ({ frames, rest }) => [...frames, ...rest].reduce((sum, { self }) => sum + self, 0);

/** @param {CellProfile} profile @param {(frame: CellProfile['frames'][number]) => boolean} which */
const shareOf = (profile, which) =>
  profile.frames.filter(which).reduce((sum, { self }) => sum + self, 0) / all(profile);

describe('--profile', function () {
  // A machine that is shared may stand still for a while.
  this.timeout(120_000);
  after(endStarted);

  describe('of node-redis and of itself with its timeout off', () => {
    /** @type {Report} */
    let report;
    before(async () => {
      report = await benchmark({
        ...{ clients: 'redis,redis:tuned', tasks: 64, ...SMALL },
        ...{ iterations: 200, starts: 1, warmupRuns: 0, profile: true },
      });
    });

    it('tells them apart', () => {
      const sharesOf = (/** @type {string} */ variant) => {
        const profile = profileOf(report, variant);
        return {
          aborting: shareOf(profile, ({ file }) => /abort_controller/.test(`${file}`)),
          client: shareOf(profile, (frame) => frame.package === '@redis/client'),
        };
      };
      const [own, tuned] = ['default', 'tuned'].map(sharesOf);
      assert.ok(own.aborting > 0, 'no timeout in the profile');
      assert.equal(tuned.aborting, 0);
      assert.ok(own.client > 0 && tuned.client > 0, JSON.stringify({ own, tuned }));
    });

    it('accounts for all of the CPU time', async () => {
      const { costs } = explainDifference(report, report.cells[0].id, report.cells[1].id);
      for (const [place, { variant, summary }] of report.cells.entries()) {
        const perOp = Number(summary?.client.cpuUsPerOp);
        for (const level of /** @type {const} */ (['kinds', 'parts', 'modules'])) {
          const found = costs[place][level].reduce((sum, cost) => sum + cost.perOp, 0);
          assert.ok(Math.abs(found / perOp - 1) < 0.02, `${level}: ${found} of ${perOp} µs`);
        }
        const profile = profileOf(report, variant);
        const [found, cpuUs] = [all(profile), profile.cpuUsPerOp * profile.operations];
        assert.ok(found > 0.98 * cpuUs, `${found} of ${cpuUs} µs`);
        // On a busy machine samples stand for waiting too, but for no more time than there was.
        assert.ok(found < 1.02 * (cpuUs + 1000 * profile.elapsedMs), `${found} of ${cpuUs} µs`);
      }
    });
  });

  it('is lost with the process that it was taken of, and the runs are not', async () => {
    /** @type {string[]} */
    const notes = [];
    const clients = 'unprofiled:ends-profiled,raw';
    const report = await benchmark(
      { clients, tasks: 1, ...SMALL, iterations: 500, smoke: true, profile: true },
      {
        pluginFolders: PLUGINS,
        onEvent: (event) =>
          void (event.type === 'note' && notes.push(`${event.cell?.variant}: ${event.message}`)),
      },
    );
    assert.deepEqual(
      report.cells.map(({ runs, profiles }) => [
        runs.every(({ failed }) => failed === null),
        profiles === undefined,
      ]),
      [
        [true, true],
        [true, false],
      ],
    );
    assert.equal(notes.length, 1, notes.join('\n'));
    assert.match(notes[0], /^ends-profiled: no profile: the worker process was killed by SIGKILL/);
  });

  it('is of the first of several processes, in CPU time and in bytes an operation', async () => {
    const measuring = {
      tasks: 1,
      ...SMALL,
      iterations: 2000,
      starts: 1,
      warmupRuns: 0,
      processes: 2,
      profile: 'heap',
    };
    const report = await benchmark({ clients: 'burner:allocate', ...measuring }, { pluginFolders: PLUGINS });
    const [cpu, heap] = [profileOf(report, 'allocate'), profileOf(report, 'allocate', 'heap')];
    assert.deepEqual([cpu.processes, heap.processes], [2, 2]);
    assert.ok(all(cpu) < 1.05 * 1000 * cpu.elapsedMs, `${all(cpu)} µs in ${cpu.elapsedMs} ms of one process`);
    const bytes = (shareOf(heap, ({ file }) => /burner\.js$/.test(`${file}`)) * all(heap)) / heap.operations;
    assert.ok(Math.abs(bytes - ALLOCATED_BYTES) < 0.4 * ALLOCATED_BYTES, `${bytes} of ${ALLOCATED_BYTES}`);
  });

  it('explains two cells of a saved result, and says what to do where there is no profile', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'rpb-why-')), 'saved.ndjson');
    writeFileSync(file, gunzipSync(readFileSync(new URL('../docs/why.ndjson.gz', import.meta.url))));
    const { code, stdout } = await runCli(['why', file, 'redis', 'redis:tuned']);
    assert.equal(code, 0);
    assert.match(stdout, /^"redis" uses .* µs more CPU per operation than "redis:tuned"/);
    assert.match(stdout, /\n +packages: .* \d/);
    const heap = await runCli(['why', file, 'redis', 'redis:tuned', '--kind', 'heap']);
    assert.equal(heap.code, 2);
    assert.match(heap.stderr, /measure it with --profile heap/);
    rmSync(dirname(file), { recursive: true });
  });

  it('keeps the profiles of V8 under the ids of their cells', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-profile-'));
    try {
      await benchmark({
        clients: 'raw',
        tasks: 1,
        ...SMALL,
        iterations: 500,
        smoke: true,
        profile: `heap,${folder}`,
      });
      const files = readdirSync(folder).sort();
      assert.deepEqual(
        files.map((file) => file.replace(/^raw_default_shared-connection.*\./, '')),
        ['cpuprofile', 'heapprofile'],
      );
      assert.ok(JSON.parse(readFileSync(join(folder, files[0]), 'utf8')).nodes.length > 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
