import assert from 'node:assert/strict';
import { renderReport } from '../../src/cli/render.js';
import { compareReports } from '../../src/commands/benchmark/compare-reports.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';
import { adviceOf } from '../helpers/said.js';

/** @import { Cell } from '../../src/run/plan/types.js' */

/**
 * @param {Record<string, unknown>} given
 * @param {(cell: Cell) => number} [averageMs]
 * @param {Partial<Parameters<typeof createFixture>[0]>} [facts]
 */
const reportOf = (given, averageMs = () => 100, facts = {}) =>
  createFixture({
    given: { runs: 6, clients: 'redis', scenarios: 'shared-connection', ...given },
    measured: (cell) => ({
      iterations: 100,
      runs: Array.from({ length: 6 }, (_, index) =>
        goodRun(index + 1, {
          tasks: cell.tasks,
          iterations: 100,
          averageMs: averageMs(cell) * (1 + ((index * 5 + cell.id.length) % 6) / 300),
        }),
      ),
    }),
    ...facts,
  });

const RUNTIMES = ['20.19.0', '24.1.0'].map((version) => ({
  name: version,
  version,
  v8: '1',
  path: `/node-${version}`,
}));

/** Two values of each axis. @type {Record<string, [Record<string, unknown>, object?]>} */
const AXES_OF_USERS = {
  'client and variant': [{ clients: 'redis,redis:tuned,ioredis' }],
  'the same client twice': [{ clients: 'redis,redis' }],
  'Node binaries': [{}, { sources: { runtimes: RUNTIMES } }],
  scenario: [{ scenarios: 'shared-connection,connection-per-task' }],
  'kind and size of a pool': [{ scenarios: 'pool', pool: 'generic,native', poolSize: '3,10' }],
  'connections that are shared': [{ scenarios: 'round-robin', connections: '2,4' }],
  'a bound in a closed loop': [{ scenarios: 'bounded', maxInFlight: '4,8' }],
  pipelining: [{ pipelining: 'implicit,none' }],
  transport: [{ transport: 'tcp,unix' }],
  placement: [{ pin: 'apart,same' }],
  processes: [{ processes: '1,2' }],
  tasks: [{ tasks: '8,64' }],
  workload: [{ workload: 'get,set-get' }],
  'the argument of a workload': [{ workload: 'scan:10,scan:1000' }],
  sizes: [{ keySize: '20,40', valueSize: '100,10-100', keys: 50 }],
};

/** What stands for a cell where a format has no titles of groups, or has one line a cell. */
const ROWS = {
  objects: (/** @type {string} */ line) => /^\| (?!-|client)/.test(line) && line,
  realtime: (/** @type {string} */ line) => /realtime|skipped|not run/.test(line) && line,
  csv: (/** @type {string} */ line) => line.replace(/^[^,]*,[^,]*/, ''),
};

describe('rows of two values of an axis', () => {
  for (const [axis, [given, facts]] of Object.entries(AXES_OF_USERS)) {
    it(`tell them apart: ${axis}`, async () => {
      const report = await reportOf(given, undefined, facts);
      const { cells } = report;
      assert.equal(new Set(cells.map(({ id }) => id)).size, cells.length);
      for (const cell of cells) cell.runs = cell.runs.slice(0, 1);
      for (const [format, rowOf] of Object.entries(ROWS)) {
        const text = await renderReport(report, format, { width: 200 });
        const rows = text.split('\n').slice(format === 'csv' ? 1 : 0);
        const named = rows.map(rowOf).filter((row) => row);
        // The name without the figures, which are about the same here.
        const names = named.map((row) => String(row).replace(/\d+ realtime.*|\| *[\d.]+ s .*/, ''));
        assert.equal(new Set(names).size, cells.length, `${format}: ${names.join('\n')}`);
      }
    });
  }
});

describe('cells of several conditions', () => {
  it('are compared with the ceiling of the same number of processes', async () => {
    const speed = (/** @type {Cell} */ { client, processes }) =>
      (client === 'raw' ? 100 : 200) / (processes === 1 ? 1 : 1.8);
    const report = await reportOf({ clients: 'redis,raw', processes: '1,2' }, speed);
    const shares = report.comparisons.flatMap(({ ranking }) => ranking.map(({ ofCeiling }) => ofCeiling));
    assert.deepEqual(
      shares.map((share) => Math.round(Number(share) * 10) / 10),
      [0.5, 0.5],
    );
  });

  it('are advised on within a number of processes', async () => {
    const speed = (/** @type {Cell} */ { scenario, processes }) =>
      (scenario === 'pool' ? 200 : 100) / processes;
    const report = await reportOf({ scenarios: 'pool,shared-connection', processes: '1,2' }, speed);
    assert.match(adviceOf(report)[0], /^connection: shared connection; behind it: pool of 3: 2.0x/);
    assert.doesNotMatch(adviceOf(report).slice(0, 2).join('\n'), /process/);
  });
});

describe('what a report calls a choice', () => {
  it('sizes of a pool are no releases', async () => {
    const speed = (/** @type {Cell} */ { scenarioOptions: { poolSize } }) => 1000 / Number(poolSize);
    const report = await reportOf({ scenarios: 'pool', poolSize: '3,10' }, speed);
    assert.match(adviceOf(report)[0], /^connection: pool of 10; behind it: pool of 3: 3.3x/);
    assert.doesNotMatch(adviceOf(report).join('\n'), /client CPU/);
    assert.deepEqual(report.comparisons[0].versions, []);
  });

  it('the installed release, asked for by its number too, is one release, measured twice', async () => {
    const releases = new Map(
      ['6.3.1', '5.12.1'].map((version) => [
        `redis@${version}`,
        { package: 'redis', version, path: null, entry: 'file:///x.js', commit: null },
      ]),
    );
    const speed = (/** @type {Cell} */ { release }) => (release?.version === '5.12.1' ? 50 : 100);
    const asked = 'redis,redis@6.3.1,redis@5.12.1';
    const report = await reportOf({ clients: asked }, speed, { sources: { releases } });
    assert.deepEqual(
      report.cells.map(({ copy }) => copy),
      [1, 2, 1],
    );
    assert.match(adviceOf(report)[0], /^redis release: redis@5\.12\.1; behind it: redis@6\.3\.1: 2\.0x/);
    const twice = await reportOf({ clients: 'redis,redis@6.3.1' }, speed, { sources: { releases } });
    assert.deepEqual(twice.comparisons[0].versions, []);
  });

  it('a client that is named twice is no choice between the two', async () => {
    const speed = (/** @type {Cell} */ { variant, copy }) => (variant === 'tuned' ? 50 : 100 + copy / 10);
    const report = await reportOf({ clients: 'redis,redis,redis:tuned' }, speed);
    assert.match(adviceOf(report)[0], /^redis option: redis:tuned; behind it: redis: 2.0x/);
    const equal = await reportOf({ clients: 'redis,redis' });
    assert.match(adviceOf(equal)[0], /^No difference/);
    assert.doesNotMatch(adviceOf(equal).join('\n'), /default options/);
  });
});

describe('compare', () => {
  it('a cell of an earlier release of the tool is found by its point of the matrix, whatever its id', async () => {
    const [before, now] = [await reportOf({ processes: 2 }), await reportOf({ processes: 2 })];
    before.cells[0].id = 'an/earlier/kind/of/id';
    assert.equal(compareReports(before, now, 'opsPerSecond').cells.length, 1);
  });
});
