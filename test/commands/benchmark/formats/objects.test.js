import assert from 'node:assert/strict';
import { renderReport } from '../../../../src/cli/render.js';
import { createFixture, goodRun, mixedReport, REASONS } from '../../../helpers/report-fixture.js';

/** @param {string} text @returns {string[][]} the cells of the rows of its tables, heads and rules included */
const rowsOf = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const stored = () =>
  createFixture({
    given: {
      ...{ clients: 'redis', scenarios: 'shared-connection', transport: 'tcp,unix', workload: 'hset' },
      ...{ pipelining: 'none,explicit:10,window:150', tasks: 1, runs: 3 },
    },
    measured: ({ tasks }) => ({
      iterations: 1000,
      runs: [2000, 1000, 3000].map((averageMs, index) => ({
        ...goodRun(index + 1, { tasks, iterations: 1000, averageMs }),
        start: 1,
      })),
    }),
  });

describe('formats/objects', () => {
  it('has a row per cell: connection type, pipe size, time of the median run, objects per second', async () => {
    const [head, rule, ...rows] = rowsOf(await renderReport(await stored(), 'objects'));
    assert.deepEqual(head, ['client', 'connection type', 'pipe size', 'total time', 'objects per second']);
    for (const cell of rule) assert.match(cell, /^-+:?$/);
    assert.deepEqual(
      rows.toSorted((a, b) => `${a}`.localeCompare(`${b}`)),
      ['tcp/ip', 'unix socket'].flatMap((type) =>
        ['-', '10', 'window:150'].map((pipe) => ['redis', type, pipe, '2.000 s', '500']),
      ),
    );
  });

  for (const width of [40, 100]) {
    it(`shows at ${width} columns what failed, was skipped, is doubtful or was not run`, async () => {
      const text = await renderReport(await mixedReport(), 'objects', { width });
      const results = rowsOf(text).map((row) => row.slice(3).join(', '));
      for (const result of [`failed, ${REASONS.failed}`, `skipped, ${REASONS.skipped}`, 'not run, '])
        assert.ok(results.includes(result), result);
      assert.match(text.replace(/\s+/g, ' '), new RegExp(`warning: ${REASONS.warning}`));
      assert.match(text.replace(/\s+/g, ' '), /ended early/);
    });
  }

  it('keeps its columns whatever a name or an error has in it', async () => {
    const report = await stored();
    report.cells[0].variant = 'a|b';
    report.cells[1].summary = null;
    report.cells[1].runs = report.cells[1].runs.map((run) => ({ ...run, failed: 'ERR | no\\| such\nkey' }));
    report.cells[2].skipped = { kind: 'scenario-conflict', own: ['| none |'] };
    const rows = rowsOf(await renderReport(report, 'objects'));
    for (const row of rows) assert.equal(row.length, 5, row.join(' / '));
    assert.ok(rows.some(([client]) => client === 'redis:a\\|b'));
  });

  it('shows the names of releases, copies and variants as a terminal must, without escapes of Markdown', async () => {
    const report = await stored();
    report.cells[0].variant = 'own_pool <2>';
    report.cells[1].version = '4.7.1';
    report.cells[2].copy = 2;
    const clients = rowsOf(await renderReport(report, 'objects')).map(([client]) => client);
    for (const end of [':own_pool <2>', 'redis@4.7.1', ' #2'])
      assert.ok(
        clients.some((name) => name.endsWith(end)),
        clients.join('\n'),
      );
  });
});
