import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { renderReport } from '../../../src/cli/render.js';
import { trend } from '../../../src/commands/history/trend.js';
import { trendReport } from '../../../src/commands/history/trend-report.js';
import { renderPage } from '../../../src/formats/html/page.js';
import { BROWSER } from '../../helpers/browser.js';
import { conditionsReport } from '../../helpers/conditions-fixture.js';
import { drawnReport, HOSTILE, hostileReport } from '../../helpers/html-fixture.js';
import { NIGHTLY } from '../../helpers/nightly.js';
import { mixedReport } from '../../helpers/report-fixture.js';
import { changedFiles, withFolder } from '../../helpers/series-fixture.js';
import { versionReport } from '../../helpers/version-fixture.js';

/**
 * @import { Report } from '../../../src/store/types.js'
 * @import { Browser, BrowserContextOptions } from 'playwright-core'
 */

/** @param {() => Promise<Report>} create @returns {() => Promise<string>} its page, made once */
function pageOf(create) {
  /** @type {Promise<string> | undefined} */
  let page;
  return () => (page ??= create().then((report) => renderReport(report, 'html')));
}

const FULL = pageOf(drawnReport);

const PAGES = {
  'a full report': FULL,
  'cells of every kind': pageOf(mixedReport),
  'several conditions': pageOf(conditionsReport),
  'releases side by side': pageOf(() =>
    versionReport('redis@4.7.1,redis@5.12.1,redis@6.3.1,redis@6.3.1:tuned,redis@5.12.1:tuned'),
  ),
  'hostile names': pageOf(() => hostileReport(HOSTILE.join(' '))),
  'what changed over many results': () =>
    withFolder(changedFiles(), async (folder) => `${renderPage(trendReport(await trend(folder)))}`),
  'a name of 300 letters': pageOf(() => hostileReport('a'.repeat(300))),
};
/** What is drawn otherwise, or may come from a stranger; page.test.js reads the others by day. */
const BY_DAY = ['a full report', 'hostile names', 'what changed over many results', 'a name of 300 letters'];
const DESK = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 360, height: 740 } };
const COLOR_SCHEMES = /** @type {const} */ (['light', 'dark']);

describe(`an HTML report in a browser${BROWSER ? '' : ' (skipped: there is none on PATH)'}`, function () {
  this.timeout(120_000);
  /** @type {Browser} */
  let browser;
  /** @type {string} */
  let folder;
  before(async function () {
    if (!BROWSER) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'rpb-html-'));
    // Without its sandbox, because root has none; the page that it opens is our own.
    browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  /**
   * @param {() => Promise<string>} html
   * @param {BrowserContextOptions} options
   */
  async function open(html, options) {
    const page = await browser.newPage(options);
    /** @type {string[]} */
    const complaints = [];
    /** @type {string[]} */
    const requests = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => requests.push(request.url()));
    const file = join(folder, 'report.html');
    writeFileSync(file, await html());
    const url = pathToFileURL(file).href;
    await page.goto(url, { waitUntil: 'load' });
    return { page, complaints, foreign: () => requests.filter((each) => each !== url) };
  }

  for (const [name, html] of Object.entries(PAGES)) {
    if (!NIGHTLY && !BY_DAY.includes(name)) continue;
    it(`${name}, light and dark: no complaint, no request, nothing wider than a desk or a phone`, async () => {
      const { page, complaints, foreign } = await open(html, DESK);
      for (const { viewport } of [DESK, PHONE]) {
        await page.setViewportSize(viewport);
        for (const colorScheme of COLOR_SCHEMES) {
          await page.emulateMedia({ colorScheme });
          // As wide as the browser's window; scrollWidth is a property of elements there.
          const width = await page.evaluate('document.documentElement.scrollWidth');
          assert.ok(Number(width) <= viewport.width, `${colorScheme}: ${width} of ${viewport.width} pixels`);
        }
      }
      assert.deepEqual(complaints, []);
      assert.deepEqual(foreign(), []);
      await page.close();
    });
  }

  for (const name of /** @type {const} */ (['a full report', 'several conditions', 'cells of every kind'])) {
    if (!NIGHTLY && name === 'cells of every kind') continue;
    it(`${name}: no line ends inside a word, at 500, 1,100 and 1,600 pixels`, async () => {
      const { page } = await open(PAGES[name], DESK);
      for (const width of [500, 1100, 1600]) {
        await page.setViewportSize({ width, height: 900 });
        const torn = await page.evaluate(`(() => {
          const range = document.createRange();
          const walker = document.createTreeWalker(document.querySelector('body'), NodeFilter.SHOW_TEXT);
          const torn = [];
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            for (const { 0: word, index } of node.data.matchAll(/\\S+/g)) {
              range.setStart(node, index);
              range.setEnd(node, index + word.length);
              const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
              if (word.length < 33 && tops.size > 1) torn.push(word);
            }
          }
          return torn;
        })()`);
        assert.deepEqual(torn, [], `${width} pixels`);
      }
      await page.close();
    });
  }

  it('at 1,100 pixels no table is cut', async () => {
    const { page } = await open(FULL, { viewport: { width: 1100, height: 900 } });
    const cut = await page.evaluate(`[...document.querySelectorAll('.scroll')]
      .filter((table) => table.scrollWidth > table.clientWidth)
      .map((table) => table.getAttribute('aria-label'))`);
    assert.deepEqual(cut, []);
    await page.close();
  });

  it('shows each run once, on a desk and on a phone', async () => {
    const { page } = await open(FULL, DESK);
    for (const { viewport } of [DESK, PHONE]) {
      await page.setViewportSize(viewport);
      const points = page
        .locator('svg[aria-label^="operations per second"] circle')
        .filter({ visible: true });
      assert.equal(await points.count(), 8 * 3);
    }
    await page.close();
  });

  it('text in charts is never smaller than 10 pixels', async () => {
    const { page } = await open(FULL, DESK);
    for (const { viewport } of [DESK, PHONE]) {
      await page.setViewportSize(viewport);
      const smallest = await page.evaluate(`Math.min(...[...document.querySelectorAll('svg.plot')]
        .filter((svg) => svg.getClientRects().length > 0)
        .map((svg) => 11 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width))`);
      assert.ok(Number(smallest) >= 10, `${smallest} pixels`);
    }
    await page.close();
  });

  it('every colour of text stands out from the page by 4.5 at least (WCAG AA), light and dark', async () => {
    const { page } = await open(FULL, DESK);
    for (const colorScheme of COLOR_SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const names = ['ink', 'muted', 'accent', 'bad', ...[1, 2, 3, 4, 5].map((n) => `line-${n}`)];
      const colors = /** @type {Record<string, string>} */ (
        await page.evaluate(`(() => {
          const style = getComputedStyle(document.documentElement);
          return Object.fromEntries(${JSON.stringify(['page', ...names])}
            .map((name) => [name, style.getPropertyValue('--' + name).trim()]));
        })()`)
      );
      for (const name of names) {
        const ratio = contrast(colors[name], colors.page);
        assert.ok(
          ratio >= 4.5,
          `${colorScheme}: --${name} ${colors[name]} on ${colors.page}: ${ratio.toFixed(2)}`,
        );
      }
    }
    await page.close();
  });

  it('is printed light and wide', async () => {
    const { page } = await open(FULL, { ...PHONE, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(
      await page.evaluate('getComputedStyle(document.body).backgroundColor'),
      'rgb(253, 253, 252)',
    );
    assert.ok(await page.locator('.wide').first().isVisible());
    assert.ok(!(await page.locator('.narrow').first().isVisible()));
    await page.close();
  });
});

/** @param {string} a @param {string} b `#rrggbb` @returns {number} as WCAG defines it, from 1 to 21 */
function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {string} color */
function luminance(color) {
  const [r, g, b] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
