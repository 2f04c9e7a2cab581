import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readReport, renderReport } from '../../src/cli/render.js';

/** The corpus, and the results that documents show. */
const FOLDERS = ['.', '../docs'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const [LINES, COLUMNS] = [36, 100];
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ndjson.gz') && !file.startsWith('shop.'))
    .sort()
    .map((file) => ({
      name: file.replaceAll('\\', '/').replace('.ndjson.gz', ''),
      path: join(folder, file),
    })),
);

/** In the order in which they stand, each only if it is there. */
const ORDER = [
  /^Confidence: /m,
  /^Noise: /m,
  /^Conditions: /m,
  /^─{10}/m,
  /^- .*"/m,
  /^Node \d/m,
  /^More: /m,
];

describe('the first screen of saved results', () => {
  /** @type {string} */
  let temp;
  before(() => {
    temp = mkdtempSync(join(tmpdir(), 'rpb-screen-'));
  });
  after(() => rmSync(temp, { recursive: true }));

  for (const { name, path } of FILES) {
    it(`${name}: fits, and begins with what to do and ends with where to go on`, async () => {
      const file = join(temp, 'saved.ndjson');
      writeFileSync(file, gunzipSync(readFileSync(path)));
      const report = await readReport(file);
      const text = await renderReport(report, 'table', { width: COLUMNS, color: false });
      const lines = text.trimEnd().split('\n');
      assert.deepEqual(
        lines.filter((line) => [...line].length > COLUMNS),
        [],
      );
      assert.ok(lines.length <= LINES, text);
      const [first] = report.advice;
      assert.ok(text.replaceAll('\n', ' ').startsWith(first.slice(0, COLUMNS / 2)), first);
      const places = ORDER.map((part) => text.search(part)).filter((place) => place >= 0);
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
        text,
      );
      assert.match(String(lines.at(-1)), /^More: |^\(?\S*.*(causes|costs|code)/);
      assert.doesNotMatch(text, /\d\n(?:%|[µm]?s|kB|MB)\b/, 'a number and its unit in two lines');
    });
  }
});

describe('the causes on the first screen', () => {
  it('are cut to two lines of the width that there is', async () => {
    const temp = mkdtempSync(join(tmpdir(), 'rpb-causes-'));
    const file = join(temp, 'saved.ndjson');
    writeFileSync(file, gunzipSync(readFileSync(join(FOLDERS[0], 'saved/default.ndjson.gz'))));
    const report = await readReport(file);
    rmSync(temp, { recursive: true });
    const causes = async (/** @type {number} */ width) => {
      const text = await renderReport(report, 'table', { width, color: false });
      return [...text.matchAll(/^- .*\n(?: {2}\S.*\n)*/gm)].map(([cause]) => cause.trim().split('\n'));
    };
    const [narrow, wide] = [await causes(76), await causes(200)];
    for (const cause of [...narrow, ...wide]) assert.ok(cause.length <= 2, cause.join('\n'));
    const length = (/** @type {string[][]} */ all) => all.flat().join(' ').length;
    assert.ok(length(wide) > length(narrow) + 50, `${length(narrow)} characters, then ${length(wide)}`);
  });
});
