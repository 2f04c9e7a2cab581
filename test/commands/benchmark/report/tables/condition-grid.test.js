import assert from 'node:assert/strict';
import { nameChoices } from '../../../../../src/axes/cell-names.js';
import { renderReport } from '../../../../../src/cli/render.js';
import { conditionGrid } from '../../../../../src/commands/benchmark/report/tables/condition-grid.js';
import { gridLines } from '../../../../../src/report/grid.js';
import { conditionsReport, inventedSpeed } from '../../../../helpers/conditions-fixture.js';
import { badRun } from '../../../../helpers/report-fixture.js';

/** @import { Grid } from '../../../../../src/report/types.js' */
/** @import { CellResult, Report } from '../../../../../src/store/types.js' */

/** @param {Grid | null | undefined} grid @returns {Record<string, Record<string, string>>} fields by row and column */
const fieldsIn = (grid) =>
  Object.fromEntries(
    grid?.rows.map(({ name, texts }) => [
      name,
      Object.fromEntries(texts.map((text, index) => [grid.columns[index].title, String(text)])),
    ]) ?? [],
  );

/** @param {Report} report */
const shownOf = (report) => fieldsIn(conditionGrid(report)?.grid);

/** @param {Report} report @returns {string[]} */
const textsOf = (report) => Object.values(shownOf(report)).flatMap((row) => Object.values(row));

/** @param {CellResult} cell */
const conditionOf = ({ tasks, distance }) =>
  `${tasks} task${tasks === 1 ? '' : 's'}, ${distance ? '2 ms round trip' : 'no added distance'}`;

const FEW = { clients: 'redis:tuned,ioredis', scenarios: 'shared-connection', poolSize: undefined };
const TUNED = 'redis:tuned, shared connection';
const IOREDIS = 'ioredis, shared connection';
const CLOSED = 'redis, open and close';

describe('report/tables: how each choice does under each condition', () => {
  /** @type {Report} */
  let report;
  /** @type {Report} of a noisy machine */
  let noisy;
  before(async () => {
    [report, noisy] = await Promise.all([conditionsReport(), conditionsReport({}, { luck: 0.3 })]);
  });

  it('a row for each condition, a column for each choice: the best, ties, and how far the others are behind', () => {
    const names = nameChoices(report.cells);
    const grid = fieldsIn(conditionGrid(report)?.all);
    assert.equal(Object.keys(shownOf(report)).length, 6);
    for (const tasks of [1, 8, 64]) {
      for (const rttMs of [undefined, 2]) {
        const own = report.cells.filter((cell) => cell.tasks === tasks && cell.distance?.rttMs === rttMs);
        const best = Math.max(...own.map(inventedSpeed));
        const condition = conditionOf(own[0]);
        for (const cell of own) {
          const text = grid[String(names.get(cell.id))][condition];
          const behind = best / inventedSpeed(cell);
          if (behind < 1.03) assert.match(text, /^(best|≈)$/, `${condition}: ${cell.id}`);
          else
            assert.ok(
              Math.abs(Number.parseFloat(text) / behind - 1) < 0.06,
              `${cell.id}: ${text}, ${behind}`,
            );
        }
      }
    }
  });

  it('nothing is best while another may be more than 10 % faster', () => {
    const texts = textsOf(noisy);
    assert.ok(texts.includes('best?') && texts.includes('?') && !texts.includes('≈'), texts.join());
    for (const { ranking } of noisy.comparisons) {
      const isOpen = ranking
        .slice(1)
        .some(({ againstFastest: of }) => !of?.differs && Number(of?.high) > 1.1);
      const row = shownOf(noisy)[conditionOf(noisy.cells.filter(({ id }) => id === ranking[0].cell)[0])];
      assert.equal(Object.values(row).includes('best?'), isOpen);
      assert.equal(Object.values(row).includes('best'), !isOpen);
    }
  });

  it('close and known is a tie, close and unknown is not', async () => {
    const speedOf = (/** @type {any} */ { client }) => (client === 'redis' ? 100_000 : 97_000);
    const given = { ...FEW, runs: 12, starts: 12 };
    const [known, unknown] = [
      await conditionsReport(given, { luck: 0.004, speedOf: () => 100_000 }),
      await conditionsReport(given, { luck: 0.5, speedOf }),
    ];
    assert.deepEqual(new Set(textsOf(known)), new Set(['best', '≈']));
    assert.deepEqual(new Set(textsOf(unknown)), new Set(['best?', '?']));
    assert.deepEqual(conditionGrid(known)?.notes, ['≈: tied, within 10 %']);
    assert.deepEqual(conditionGrid(unknown)?.notes, ['?: not decided']);
  });

  it('who ties with what is ahead is not said to be best while that is not known', async () => {
    const speedOf = (/** @type {any} */ { client, variant, tasks }) =>
      client === 'redis' && variant === 'default'
        ? 50_000
        : (client === 'redis') === tasks < 64
          ? 100_300
          : 100_000;
    const given = { ...FEW, clients: 'redis:tuned,ioredis,redis', rtt: '0', runs: 12, starts: 12 };
    const known = await conditionsReport(given, { luck: 0.004, speedOf });
    assert.equal(conditionGrid(known)?.verdict.text, `${TUNED} is best, or tied, in 3 of 3 conditions`);
    const [{ group }] = known.cells.filter(({ tasks }) => tasks === 64);
    const comparisons = known.comparisons.map((comparison) => ({
      ...comparison,
      ranking: comparison.ranking.map((ranked) =>
        comparison.group !== group || ranked.verdict !== 'slower' || ranked.againstFastest === null
          ? ranked
          : {
              ...ranked,
              verdict: /** @type {const} */ ('not decided'),
              againstFastest: { ...ranked.againstFastest, high: 1.2 },
            },
      ),
    }));
    const open = conditionGrid({ ...known, comparisons });
    assert.equal(fieldsIn(open?.grid)['64 tasks'][TUNED], '≈');
    assert.equal(open?.verdict.text, `${TUNED} is best, or tied, in 2 of 3 conditions; 1 not decided`);
  });

  it('with one start nothing is decided, and all is there', async () => {
    const texts = textsOf(await conditionsReport({ runs: 1, starts: 1 }));
    assert.ok(texts.includes('best?') && texts.some((text) => /^\d\.\dx\?$/.test(text)), texts.join());
    assert.ok(texts.every((text) => text.endsWith('?')));
  });

  it('where a cell that was not warm is ahead, no best is known', () => {
    const [{ ranking, ...comparison }, ...others] = report.comparisons;
    const [{ cell: ahead }, ...compared] = ranking;
    const cells = report.cells.map((cell) => (cell.id === ahead ? { ...cell, warm: false } : cell));
    const comparisons = [{ ...comparison, ranking: compared }, ...others];
    const [row] = Object.values(shownOf({ ...report, cells, comparisons }));
    assert.equal(Object.values(shownOf(report))[0][TUNED], 'best');
    assert.match(row[TUNED], /^0\.\d+x\?$/);
    assert.equal(row[IOREDIS], 'best?');
  });

  it('what was not measured is blank, what failed says so, and what stands alone is compared with nothing', async () => {
    const isRun = (/** @type {any} */ { client, variant, tasks, distance }) =>
      tasks !== 64 || distance === undefined || `${client}:${variant}` === 'redis:tuned';
    const some = await conditionsReport(FEW, { isRun });
    const last = '64 tasks, 2 ms round trip';
    assert.deepEqual(shownOf(some)[last], { [TUNED]: '?', [IOREDIS]: '' });
    assert.match(String(conditionGrid(some)?.notes), /blank: not measured$/);
    const cells = some.cells.map((cell) =>
      cell.runs.length > 0 ? cell : { ...cell, runs: [badRun(1, 'ECONNRESET')] },
    );
    assert.deepEqual(shownOf({ ...some, cells })[last], { [TUNED]: 'best?', [IOREDIS]: 'failed' });
  });

  it('more choices than conditions are rows', async () => {
    const turned = await conditionsReport({ tasks: '1,64', rtt: '0' });
    const grid = conditionGrid(turned)?.grid;
    assert.deepEqual(
      grid?.columns.map(({ title }) => title),
      ['1 task', '64 tasks'],
    );
    assert.deepEqual(shownOf(turned)[TUNED], { '1 task': 'best', '64 tasks': 'best' });
  });

  it('choices that are never best and never close are counted, and stand with all others in the details', () => {
    const { notes = [], all } = conditionGrid(report) ?? {};
    assert.equal(notes[0], '… 3 more choices: --details');
    assert.ok(!textsOf(report).some((text) => Number.parseFloat(text) > 10));
    const rows = fieldsIn(all);
    assert.deepEqual(Object.keys(rows).length, 9);
    assert.equal(rows[CLOSED]['of 6 conditions'], 'slower 6');
    for (const { 'of 6 conditions': counts, ...fields } of Object.values(rows)) {
      const counted = [...counts.matchAll(/\d+/g)].reduce((sum, [number]) => sum + Number(number), 0);
      assert.equal(counted, 6, counts);
      const best = Object.values(fields).filter((text) => text === 'best').length;
      assert.ok(counts.includes(best > 0 ? `best ${best}` : 'slower'), counts);
    }
  });

  it('of three dimensions a row combines all', async () => {
    const given = { ...FEW, tasks: '1,8', size: '10,1000', rtt: '0,2ms', runs: 2, starts: 2 };
    const names = Object.keys(shownOf(await conditionsReport(given)));
    assert.equal(new Set(names).size, 8);
    assert.equal(names[0], 'values of 10, 1 task, no added distance');
    assert.equal(names[7], 'values of 1,000, 8 tasks, 2 ms round trip');
  });

  it('fits 100 columns in one table, however many choices and conditions there are', async () => {
    for (const given of [
      { tasks: '1,8', size: '10,1000', rtt: '0' },
      { tasks: '1,2,4,8,16,32,64', rtt: '0' },
    ]) {
      const grid = conditionGrid(await conditionsReport(given, { luck: 0.2 }))?.grid;
      const lines = gridLines(/** @type {Grid} */ (grid), { width: 100 });
      assert.ok(!lines.includes('') && lines.every((line) => line.length <= 100), lines.join('\n'));
      assert.ok(Number(grid?.columns.length) >= 4);
    }
  });

  it('there is none where no condition varies, in a smoke run, or of one choice', async () => {
    for (const given of [{ tasks: 8, rtt: '0' }, { smoke: true }, { ...FEW, clients: 'ioredis' }])
      assert.equal(conditionGrid(await conditionsReport(given)), null, JSON.stringify(given));
  });

  it('table: before the tables, which go to the details where they do not fit', async () => {
    const text = await renderReport(report, 'table', { width: 100 });
    assert.match(text, /^The fastest choice\n +redis:tuned, /m);
    assert.match(text, /^ 64 tasks, no added distance +best +2\.\dx/m);
    assert.doesNotMatch(text, /ops\/s/);
    assert.match(await renderReport(report, 'table', { width: 100, details: true }), /ops\/s/);
    for (const line of text.split('\n')) assert.ok(line.length <= 100, line);
    const small = await renderReport(await conditionsReport({ ...FEW, tasks: '1,8', rtt: '0' }), 'table', {});
    assert.match(small, /ops\/s[\s\S]*^The fastest choice/m);
  });

  it('markdown and html have the same fields', async () => {
    const { columns = [], rows = [] } = conditionGrid(report)?.grid ?? {};
    const text = await renderReport(report, 'markdown');
    assert.ok(text.includes(`|  | ${columns.map(({ title }) => title).join(' | ')} |`), text);
    for (const { name, texts } of rows) assert.ok(text.includes(`| ${[name, ...texts].join(' | ')} |`), name);
    const page = await renderReport(report, 'html');
    assert.match(page, /<h2>The fastest choice/);
    for (const { name, texts } of rows)
      assert.ok(
        page
          .replaceAll(/<(td|th)[^>]*>/g, '<$1>')
          .includes(`<th>${name}</th>${texts.map((text) => `<td>${text}</td>`).join('')}`),
        name,
      );
  });

  it('where the time was too short, says about what budget would decide, if that is known', async () => {
    const raced = { ...FEW, runs: undefined, starts: undefined, budgetMs: '30s' };
    const speedOf = (/** @type {any} */ { client }) => (client === 'redis' ? 100_000 : 95_000);
    const close = await conditionsReport(raced, { luck: 0.015, speedOf });
    const text = await renderReport(close, 'table', { width: 100 });
    const [, open, minutes] =
      /^Not decided: (\d) of 6 conditions\. About --budget (\d+)min would decide them\.$/m.exec(text) ?? [];
    assert.equal(textsOf(close).filter((field) => /^\d.*\?$/.test(field)).length, Number(open));
    const longer = { ...FEW, runs: 4 * Number(minutes), starts: 4 * Number(minutes) };
    const later = await conditionsReport(longer, { luck: 0.015, speedOf });
    assert.ok(Number(minutes) > 1 && textsOf(later).every((field) => !field.includes('?')), text);
    for (const [given, luck] of /** @type {const} */ ([
      [FEW, 0.015],
      [raced, 0.5],
    ])) {
      const { findings } = await conditionsReport(given, { luck, speedOf });
      const told = findings.flatMap((finding) => (finding.kind === 'undecided' ? [finding.budgetMs] : []));
      assert.deepEqual(
        told.filter((ms) => ms !== null),
        [],
        JSON.stringify(given),
      );
    }
  });
});
