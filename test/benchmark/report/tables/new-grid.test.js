import assert from 'node:assert/strict';
import { GROUP_GRIDS } from '../../../../src/benchmark/report/tables/group-grids.js';
import { renderReport } from '../../../../src/cli/render.js';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';

/**
 * @import { CellResult } from '../../../../src/core/store/types.js'
 * @import { Grid } from '../../../../src/core/report/types.js'
 */

/** What CONTRIBUTING calls a new table. @param {CellResult[]} cells @returns {Grid} */
const luckGrid = (cells) => ({
  note: 'luck: of its runs',
  columns: [{ title: 'luck' }, { title: 'omen', align: 'left' }],
  rows: cells.map(({ client }) => ({ name: `${client}|own`, texts: ['7 %', '<owl> at_night'] })),
});

describe('a new table', () => {
  const entry = { of: luckGrid };
  before(() => GROUP_GRIDS.push(entry));
  after(() => GROUP_GRIDS.splice(GROUP_GRIDS.indexOf(entry), 1));

  /** @param {string} format @param {boolean} details */
  const rendered = async (format, details) => {
    const report = await createFixture({
      given: { clients: 'redis,ioredis', scenarios: 'pool' },
      measured: ({ tasks }) => ({
        iterations: 100,
        runs: [1, 2, 3].map((round) => goodRun(round, { tasks, iterations: 100, averageMs: 100 })),
      }),
    });
    return renderReport(report, format, { width: 100, details });
  };

  it('is one function: the terminal shows it with the details', async () => {
    assert.match(
      await rendered('table', true),
      /^ +luck +omen\n─+\n redis\|own +7 % +<owl> at_night\n ioredis\|own +7 % +<owl> at_night\n/m,
    );
    assert.doesNotMatch(await rendered('table', false), /luck/);
  });

  it('stands in Markdown, escaped', async () => {
    assert.match(
      await rendered('markdown', false),
      /^\| {2}\| luck \| omen \|\n\| --- \| ---: \| --- \|\n\| redis\\\|own \| 7 % \| &lt;owl&gt; at\\_night \|$/m,
    );
  });

  it('stands in pages, with what its columns mean', async () => {
    const page = await rendered('html', false);
    assert.match(page, /<caption>luck: of its runs<\/caption>/);
    assert.match(
      page,
      /<th scope="row">redis\|own<\/th><td>7 %<\/td><td class="text">&lt;owl&gt; at_night<\/td>/,
    );
  });
});
