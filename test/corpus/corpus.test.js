/**
 * The corpus: saved results of every kind (`write.js`). Whatever changes in this project, they tell the same figures.
 *
 * What each of them tells stands in `golden/`, in two files. `….figures.txt` is what programs read: findings, summaries,
 * csv. `….table.txt` is what people read in a terminal: the first screen, of some with all details. A change of words
 * changes the second kind only.
 *
 *     UPDATE_GOLDEN=1 npx mocha test/corpus/corpus.test.js      writes them again; look at the diff
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readReport, renderReport } from '../../src/cli/render.js';
import { factText } from '../../src/report/fact-words.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { createCatalogue, sentencesOf, wordsIn } from './catalogue.js';
import { figuresOf } from './figures.js';

/** @import { Report, Run } from '../../src/store/types.js' */

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SAVED = join(FOLDER, 'saved');
const GOLDEN = join(FOLDER, 'golden');
/** One of each kind of report. */
const WITH_DETAILS = ['cold-start', 'default', 'fault', 'open-loop', 'rate-search', 'versions'];
/** A sentence has no more words. */
const MOST_WORDS = 30;
/** What is longer, and why. @type {Record<string, string>} reason by kind and place */
const LONG = {
  'not-measured, details': 'a list of conditions, which is read item by item',
};
const UPDATE = process.env.UPDATE_GOLDEN === '1';
const HOW =
  'if the change is meant: UPDATE_GOLDEN=1 npx mocha test/corpus/corpus.test.js, and look at the diff';

const NAMES = readdirSync(SAVED)
  .map((file) => file.replace('.ndjson.gz', ''))
  .sort();

/** @param {string} name @param {string} text */
function assertGolden(name, text) {
  const file = join(GOLDEN, name);
  if (UPDATE) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const golden = readFileSync(file, 'utf8');
  if (text !== golden) assert.fail(`${name} differs, ${HOW}\n${firstDifference(golden, text)}`);
}

/** @param {string} expected @param {string} actual */
function firstDifference(expected, actual) {
  const [before, now] = [expected.split('\n'), actual.split('\n')];
  const line = now.findIndex((text, index) => text !== before[index]);
  const at = line === -1 ? now.length : line;
  return [
    `line ${at + 1}:`,
    ...before.slice(at, at + 3).map((text) => `- ${text}`),
    ...now.slice(at, at + 3).map((text) => `+ ${text}`),
  ].join('\n');
}

/** What reading adds to a run whose warnings were saved as data. @param {Run} run */
const warningsOf = ({ warningFacts = [], warnings }) => ({
  warnings: [...warningFacts.map(factText), ...warnings],
});

describe('the corpus of saved results', () => {
  /** @type {string} */
  let temp;
  const catalogue = createCatalogue();
  let added = 0;
  before(() => {
    temp = mkdtempSync(join(tmpdir(), 'rpb-corpus-'));
  });
  after(() => rmSync(temp, { recursive: true }));

  for (const name of NAMES) {
    describe(name, () => {
      /** @type {Report} */
      let report;
      /** @type {string[]} */
      let lines;
      before(async () => {
        const text = gunzipSync(readFileSync(join(SAVED, `${name}.ndjson.gz`))).toString();
        lines = text.trim().split('\n');
        const file = join(temp, 'saved.ndjson');
        writeFileSync(file, text);
        report = await readReport(file);
        catalogue.add(report, name);
        added++;
      });

      it('is read, run by run as it was saved', () => {
        const saved = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'run');
        for (const { id, runs } of report.cells) {
          assert.deepEqual(
            runs,
            saved.flatMap(({ cell, run }) => (cell === id ? [{ ...run, ...warningsOf(run) }] : [])),
          );
        }
        assert.equal(
          report.cells.reduce((sum, { runs }) => sum + runs.length, 0),
          saved.length,
        );
        assert.deepEqual(schemaErrors(report), []);
      });

      const details = WITH_DETAILS.includes(name);

      it('has the same figures', async () =>
        assertGolden(`${name}.figures.txt`, await figuresOf(report, details ? 1 : 0)));

      it('says the same', async () =>
        assertGolden(`${name}.table.txt`, await renderReport(report, 'table', { width: 100, details })));
    });
  }

  // After all of them.
  describe('all together', () => {
    it('has no sentence of more than 30 words', function () {
      if (added < NAMES.length) this.skip();
      const long = catalogue.entries().flatMap(({ kind, place, texts }) => {
        const own = [...texts].flatMap(sentencesOf).filter((text) => wordsIn(text) > MOST_WORDS);
        return own.length > 0 ? [[`${kind}, ${place}`, own[0]]] : [];
      });
      const found = Object.fromEntries(long);
      assert.deepEqual(
        long.filter(([where]) => !Object.hasOwn(LONG, where)),
        [],
      );
      assert.deepEqual(
        Object.keys(LONG).filter((where) => !Object.hasOwn(found, where)),
        [],
      );
    });
  });

  it('has no golden output of a file that is gone', () => {
    const expected = NAMES.flatMap((name) => [`${name}.figures.txt`, `${name}.table.txt`]);
    assert.deepEqual(readdirSync(GOLDEN).sort(), expected.sort());
  });
});
