import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { nameSubjects } from '../../src/axes/cell-names.js';
import { readReport, renderReport } from '../../src/cli/render.js';

/** The corpus, and the results that documents show. */
const FOLDERS = ['.', '../docs'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const [LINES, COLUMNS] = [32, 100];
/** So many rows always stand there. */
const ALL = 16;
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ndjson.gz') && !file.startsWith('shop.'))
    .sort()
    .map((file) => ({
      name: file.replaceAll('\\', '/').replace('.ndjson.gz', ''),
      path: join(folder, file),
    })),
);

describe('the first screen of saved results', () => {
  /** @type {string} */
  let temp;
  before(() => {
    temp = mkdtempSync(join(tmpdir(), 'rpb-screen-'));
  });
  after(() => rmSync(temp, { recursive: true }));

  for (const { name, path } of FILES) {
    it(`${name}: fits, and says what to choose and ends with where to go on`, async () => {
      const file = join(temp, 'saved.ndjson');
      writeFileSync(file, gunzipSync(readFileSync(path)));
      const report = await readReport(file);
      const text = await renderReport(report, 'table', { width: COLUMNS, color: false });
      const lines = text.trimEnd().split('\n');
      assert.deepEqual(
        lines.filter((line) => [...line].length > COLUMNS),
        [],
      );
      assert.ok(lines.length <= LINES, `${lines.length}\n${text}`);
      for (const { texts } of report.choices) {
        for (const word of `${texts.best} ${texts.behind}`.split(/[\s·]+/))
          assert.ok(text.includes(word) || /^More: .*\bchoices/m.test(text), word);
      }
      if (
        report.cells.length <= ALL &&
        !/fault|idle|queue|cold/.test(name) &&
        !/^More: .*\bresults/ms.test(text)
      )
        for (const { group } of report.comparisons)
          for (const row of nameSubjects(report.cells.filter((cell) => cell.group === group)).values())
            assert.ok(text.includes(row), row);
      assert.match(text, /^More: .*\n.*$/m);
      assert.doesNotMatch(text, /\d\n(?:%|[µm]?s|kB|MB)\b/, 'a number and its unit in two lines');
    });
  }
});
