import assert from 'node:assert/strict';
import { parseHTML } from 'linkedom';
import { trend } from '../../../src/commands/history/trend.js';
import { trendReport } from '../../../src/commands/history/trend-report.js';
import { renderPage } from '../../../src/formats/html/page.js';
import { HOSTILE } from '../../helpers/html-fixture.js';
import { changedFiles, withFolder } from '../../helpers/series-fixture.js';

/** @import { Saved } from '../../helpers/series-fixture.js' */

/** @param {Saved['change']} [change] @returns {Promise<any>} */
const pageOf = (change) =>
  withFolder(changedFiles(change), async (folder) => {
    const found = await trend(folder, { metrics: ['cpuUsPerOp'] });
    return /** @type {any} */ (parseHTML(`${renderPage(trendReport(found))}`)).document;
  });

describe('the page of a trend', () => {
  it('has a table of each cell that changed, with all results', async () => {
    const document = await pageOf();
    const sections = [...document.querySelectorAll('main section')];
    const [detailed] = sections.filter((section) => section.querySelector('h2'));
    assert.equal(detailed.querySelector('h2').textContent, 'ioredis');
    const rows = [...detailed.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((part) => part.textContent.trim()),
    );
    assert.equal(rows.length, 12);
    assert.deepEqual(rows[5], ['2026-01-06', '30.2 µs', '2026-01-06', '5.ndjson']);
  });

  it('escapes whatever a file may hold', async () => {
    for (const text of HOSTILE) {
      const document = await pageOf((header) => {
        header.environment.cpuModel = text;
        header.environment.os = text;
        header.server.software = text;
        header.servers = [header.server];
        for (const cell of header.cells) cell.variant = text;
      });
      assert.equal(document.querySelectorAll('script, iframe, img, [onmouseover], [onerror]').length, 0);
      assert.equal(document.querySelectorAll('main section').length, 3);
    }
  });
});
