import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { site } from '../../src/index.js';
import { sitePages } from '../../src/report/site/pages.js';
import { HOSTILE } from '../helpers/html-fixture.js';
import { runMain } from '../helpers/main.js';
import { releases, savedText, siteFiles, withFolder } from '../helpers/series-fixture.js';

/** @import { Cell } from '../../src/plan/types.js' */
/** @import { ResultHeader } from '../../src/results/types.js' */
/** @import { TrendWithWords } from '../../src/report/words/trend-words.js' */
/** @import { Series } from '../../src/series/types.js' */

/** @param {string} text @returns {any} */
const documentOf = (text) => /** @type {any} */ (parseHTML(text)).document;

/** @param {any} node @returns {string} */
const words = (node) => node.textContent.replace(/\s+/g, ' ').trim();

/** @param {string} text of a page @returns {string[]} the rows of its tables */
const rowsIn = (text) => [...documentOf(text).querySelectorAll('tbody tr')].map(words);

describe('commands/site', () => {
  it('has a page of each client with its releases, and all of them side by side', () =>
    withFolder(siteFiles(), async (folder) => {
      const pages = await site(folder);
      assert.deepEqual(Object.keys(pages), ['index.html', 'client-redis.html', 'client-ioredis.html']);
      const index = documentOf(pages['index.html']);
      const links = [...index.querySelectorAll('a')].map((link) => link.getAttribute('href'));
      assert.deepEqual(links, ['client-redis.html', 'client-ioredis.html']);
      assert.match(words(index.querySelector('ul')), /^redis: 5\.9\.0 to 6\.0\.0, 2 results, 1 cell(?!s)/);
      assert.match(rowsIn(pages['index.html'])[0], /^redis 6\.0\.0 ?20 µs/);
      const own = pages['client-redis.html'];
      assert.deepEqual(
        rowsIn(own).map((row) => /^(\d\.\d\.\d) ?(\d+ µs).*?([a-z]\.ndjson)$/.exec(row)?.slice(1)),
        [
          ['5.9.0', '10 µs', 'a.ndjson'],
          ['6.0.0', '20 µs', 'b.ndjson'],
        ],
      );
      assert.match(
        words(documentOf(own).querySelector('code')),
        /^redis-pipe-bench --clients redis@5\.9\.0,redis@6\.0\.0 --scenarios shared-connection .*--tasks 8 /,
      );
    }));

  it('says which release changed a figure, for good', () => {
    const files = Array.from({ length: 16 }, (_, index) => [
      `${index}.ndjson`,
      {
        day: index + 1,
        ...releases('redis', `5.${index}.0`),
        cpu: () => (index < 8 ? 10 : 20) + (index % 3) / 10,
      },
    ]);
    return withFolder(Object.fromEntries(files), async (folder) => {
      const { 'index.html': index } = await site(folder);
      const lead = words(documentOf(index).querySelector('.lead'));
      assert.match(lead, /^Worse since redis 5\.8\.0: 2\.0x the client CPU per operation\.$/);
    });
  });

  it('draws no line through two machines, and names what it leaves out', () =>
    withFolder({ ...siteFiles('another'), 'broken.ndjson': '{' }, async (folder) => {
      const pages = await site(folder);
      const sections = [...documentOf(pages['client-redis.html']).querySelectorAll('main section')];
      assert.deepEqual(
        sections.map((section) => section.querySelectorAll('tbody tr').length),
        [1, 1],
      );
      assert.match(words(sections[1]), /another/);
      assert.match(
        words(documentOf(pages['index.html']).body),
        /1 file left out: cannot be read: broken\.ndjson: /,
      );
    }));

  it('escapes whatever a file may hold, in pages, their names and commands', async () => {
    for (const text of HOSTILE) {
      /** @param {ResultHeader} header */
      const change = (header) => {
        header.environment.cpuModel = text;
        header.environment.os = text;
        header.server.software = text;
        header.servers = [header.server];
        for (const cell of header.cells) cell.variant = text;
      };
      const saved = { day: 1, ...releases('redis', '5.9.0'), change };
      await withFolder({ 'x.ndjson': saved, "'><script>.ndjson": '' }, async (folder) => {
        for (const [name, page] of Object.entries(await site(folder))) {
          assert.match(name, /^(index|client-[a-z0-9-]+)\.html$/);
          const document = documentOf(page);
          assert.equal(document.querySelectorAll('script, iframe, img, [onmouseover], [onerror]').length, 0);
          const command = document.querySelector('code');
          if (command === null) continue;
          // As a shell reads it: nothing but single quotes, and what is in them.
          const outside = command.textContent.replaceAll(/'[^']*'|\\'/g, '');
          assert.match(outside, /^[\w@.,:=/+ -]+$/);
        }
      });
    }
  });

  it('keeps each page under 300 kB, and links to all parts of a client', () => {
    const pages = sitePages(largeSet(40, 150));
    const names = Object.keys(pages);
    assert.ok(names.length > 3, names.join());
    for (const [name, text] of Object.entries(pages))
      assert.ok(Buffer.byteLength(text) < 300_000, `${name}: ${Buffer.byteLength(text)}`);
    const links = [...documentOf(pages['client-redis.html']).querySelectorAll('a')];
    assert.deepEqual(
      links.map((link) => link.getAttribute('href')),
      names,
    );
    assert.match(pages['client-redis.html'], /The newest 100 of 150 results/);
  });

  it('writes the pages into a folder, and leaves what else is there but pages that it made before', () =>
    withFolder(siteFiles(), async (folder) => {
      const output = join(folder, 'pages');
      mkdirSync(output);
      writeFileSync(join(output, 'CNAME'), 'example.org');
      writeFileSync(join(output, 'client-gone_2.html'), '<title>gone – redis-pipe-bench</title>');
      writeFileSync(join(output, 'client-other.html'), '<title>of the user</title>');
      const { code, stdout, stderr } = await runMain(['site', folder, '--output', output]);
      assert.deepEqual([code, stdout], [0, '']);
      assert.match(stderr, /^3 pages written; open .*index\.html\n$/);
      assert.deepEqual(readdirSync(output), [
        'CNAME',
        'client-ioredis.html',
        'client-other.html',
        'client-redis.html',
        'index.html',
      ]);
      assert.match(readFileSync(join(output, 'index.html'), 'utf8'), /^<!doctype html>/);
    }));

  it('refuses a folder without results, and says where it cannot write', () =>
    withFolder({ file: 'text' }, async (folder) => {
      const none = await runMain(['site', folder, '--output', join(folder, 'pages')]);
      assert.equal(none.code, 2);
      assert.match(none.stderr, /has no \.ndjson or \.json file/);
      assert.ok(!existsSync(join(folder, 'pages')));
      writeFileSync(join(folder, 'a.ndjson'), await savedText({ day: 1 }));
      const { code, stderr } = await runMain(['site', folder, '--output', join(folder, 'file')]);
      assert.equal(code, 4);
      assert.match(stderr, /the pages could not be written to '.*file'/);
    }));
});

/** @param {number} cells @param {number} results @returns {TrendWithWords} of one client */
function largeSet(cells, results) {
  /** @type {Series[]} */
  const series = Array.from({ length: cells }, (_, index) => ({
    cell: `cell-${index}`,
    example: /** @type {Cell} */ (
      /** @type {unknown} */ ({
        ...{
          id: `cell-${index}`,
          client: 'redis',
          variant: 'default',
          version: '5.0.0',
          copy: 1,
          node: null,
        },
        ...{ scenario: 'shared-connection', scenarioOptions: {}, workload: 'get', topology: 'standalone' },
        ...{
          keySize: 10,
          valueSize: 10,
          shortestValue: 10,
          keys: 64,
          transport: 'tcp',
          pipelining: 'implicit',
        },
        ...{ pin: 'apart', processes: 1, tasks: index + 1, appWorkUs: 0, beside: [], openLoop: null },
        ...{ release: null, runtime: null, words: null, underWay: null },
      })
    ),
    metric: 'cpuUsPerOp',
    unit: 'µs',
    conditions: 0,
    points: Array.from({ length: results }, (_, at) => ({
      file: `redis-5.${at}.0.ndjson`,
      at: '2026-01-01T00:00:00.000Z',
      release: `5.${at}.0`,
      commit: null,
      place: 0,
      value: 10 + (at % 3),
    })),
  }));
  const none = { changes: [], tooShort: 0, fewestPoints: 0, breaks: [], leftOut: [], names: {} };
  return { order: 'release', series, conditions: [{}], ...none, sentences: ['No change.'], notes: [] };
}
