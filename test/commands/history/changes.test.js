import assert from 'node:assert/strict';
import { changesIn } from '../../../src/commands/history/trend.js';
import { trendReport } from '../../../src/commands/history/trend-report.js';
import { createRandom } from '../../helpers/random.js';
import { trendCells } from '../../helpers/series-fixture.js';

/** @import { Series, SeriesSet } from '../../../src/commands/history/trend.js' */

const RELEASES = [
  '5.8.0',
  '5.9.0',
  '5.10.0',
  '5.11.0',
  '5.12.0',
  '6.0.0',
  '6.1.0',
  '6.2.0',
  '6.3.0',
  '6.4.0',
];
const { normal } = createRandom(5);

/**
 * @param {object} facts @param {SeriesSet['order']} facts.order @param {(cell: number, at: number) => number} facts.levelOf
 * @param {number} [facts.count] of results @param {number} [facts.cells] @param {number} [facts.noise]
 * @returns {Promise<SeriesSet>}
 */
async function setOf({ order, levelOf, count = RELEASES.length, cells = 4, noise = 0.01 }) {
  const all = await trendCells(cells);
  const series = all.map((example, cell) => ({
    cell: example.id,
    example,
    metric: 'cpuUsPerOp',
    unit: /** @type {const} */ ('µs'),
    conditions: 0,
    points: Array.from({ length: count }, (_, at) => ({
      place: at,
      file: `${at}.ndjson`,
      at: new Date(Date.UTC(2026, 0, 1 + at)).toISOString(),
      release: RELEASES[at] ?? '6.4.0',
      commit: `${at}`.repeat(12),
      floor: undefined,
      value: 1000 * levelOf(cell, at) * Math.exp(noise * normal()),
    })),
  }));
  return { order, series, conditions: [{}], leftOut: [] };
}

/** @param {SeriesSet} set @returns {string[][]} the rows of the table of changes, with their names, and its titles first */
function rowsOf(set) {
  const grid = trendReport(changesIn(set)).sections.find((each) => each.grid)?.grid;
  const rows = (grid?.rows ?? []).map(({ name, texts }) => [name, ...texts.map(String)]);
  return [['', ...(grid?.columns ?? []).map(({ title }) => title)], ...rows];
}

describe('commands/history/changes', () => {
  it('says since which release, in how many cells, and by how much', async () => {
    const set = await setOf({
      order: 'release',
      levelOf: (cell, at) => (cell < 3 && at >= 5 ? 5.2 + cell / 10 : 1),
    });
    const [titles, ...rows] = rowsOf(set);
    assert.deepEqual(titles, ['', 'since', 'metric', 'before', 'after', 'change']);
    assert.equal(rows.length, 3);
    for (const [, since, metric, , , change] of rows)
      assert.match(`${since}, ${metric}, ${change}`, /^5\.12\.0 → 6\.0\.0, client CPU\/op, 5\.\dx worse$/);
  });

  it('says where raw changed with it, as the machine may be why', async () => {
    const set = await setOf({ order: 'release', levelOf: (_, at) => (at >= 5 ? 2 : 1) });
    /** @param {number} after what raw is multiplied with */
    const withRaw = (after) => ({
      ...set,
      series: set.series.map((series) => ({
        ...series,
        points: series.points.map((point, at) => ({ ...point, floor: at >= 5 ? 100 * after : 100 })),
      })),
    });
    assert.deepEqual([rowsOf(withRaw(1.5))[0].at(-1), rowsOf(withRaw(1.5))[1].at(-1)], ['raw', '1.5x']);
    assert.ok(!rowsOf(withRaw(1.05))[0].includes('raw'));
  });

  it('names about when it came to each cell, as noise moves it by a result', async () => {
    const set = await setOf({
      order: 'time',
      count: 60,
      noise: 0.02,
      levelOf: (_, at) => (at >= 30 ? 1.05 : 1),
    });
    const { changes } = changesIn(set);
    assert.equal(changes.length, 4);
    for (const { mayBe } of changes)
      assert.ok(mayBe.length > 0 && mayBe.every((place) => Math.abs(place - 30) <= 5));
  });

  it('tells the largest change first, up or down, and each time in a series', async () => {
    const levelOf = (/** @type {number} */ cell, /** @type {number} */ at) =>
      [at >= 20 ? 2 : 1, at >= 20 ? 0.5 : 1, at >= 40 ? 3 : 1, 1][cell];
    const { changes } = changesIn(await setOf({ order: 'time', count: 60, levelOf }));
    assert.deepEqual(changes.map(({ since, ratio }) => [since.place, Math.round(ratio)]).sort(), [
      [20, 0],
      [20, 2],
      [40, 3],
    ]);
    assert.equal(changes[0].since.place, 40);
  });

  it('names a date and the release that came with it, or a commit', async () => {
    const levelOf = (/** @type {number} */ _, /** @type {number} */ at) => (at >= 5 ? 0.5 : 1);
    const [, [, byTime, , , , change]] = rowsOf(await setOf({ order: 'time', levelOf }));
    assert.deepEqual([byTime, change], ['2026-01-06 5.ndjson (5.12.0 → 6.0.0)', '0.50x better']);
    assert.match(rowsOf(await setOf({ order: 'commit', levelOf }))[1][1], /→ 555555555555$/);
  });

  it('says that nothing changed, and of what too little is known', async () => {
    const { title, sections } = trendReport(
      changesIn(await setOf({ order: 'time', levelOf: () => 1, count: 5 })),
    );
    const [{ notes = [] }] = sections;
    assert.equal(title, 'Too few results to show a change: 8 or more are needed');
    assert.ok(!notes.some((text) => text.startsWith('Tested')));
  });

  it('lives with a set of nothing', () => {
    const { title } = trendReport(changesIn({ order: 'time', series: [], conditions: [], leftOut: [] }));
    assert.equal(title, 'No lasting change proven in 0 series of 0 cells');
  });
});
