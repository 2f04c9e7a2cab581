import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { renderReport } from '../../src/cli/render.js';
import { factText } from '../../src/report/fact-words.js';
import { FACTS } from '../corpus/facts.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/** @import { RunWarning } from '../../src/store/types.js' */

const SRC = new URL('../../src/', import.meta.url);

const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js') && !file.includes('report/'))
  .map((file) => readFileSync(new URL(file, SRC), 'utf8'));

describe('a fact of a new kind', () => {
  for (const [title, facts] of Object.entries(FACTS)) {
    it(`has its type, its words, an example, and code that finds it: ${title}`, () => {
      for (const [kind, fact] of Object.entries(facts)) {
        assert.ok(
          SOURCES.some((text) => text.includes(`'${kind}'`)),
          kind,
        );
        assert.notEqual(factText(fact), kind, `${kind} has no words`);
        assert.doesNotMatch(factText(fact), /undefined|NaN|\[object/);
        // A file may be damaged.
        factText(/** @type {any} */ ({ kind }));
      }
    });
  }

  it('is stored as it is, and named by its kind where a release has no words for it', async () => {
    const facts = /** @type {any} */ ({ kind: 'too-loud', decibels: 90 });
    const warningFacts = /** @type {RunWarning[]} */ ([facts]);
    const report = await createFixture({
      given: { clients: 'redis', scenarios: 'pool', runs: 1 },
      measured: ({ tasks }) => ({
        iterations: 100,
        runs: [{ ...goodRun(1, { tasks, iterations: 100, averageMs: 100 }), warningFacts }],
      }),
    });
    assert.deepEqual(schemaErrors(report), []);
    assert.deepEqual(report.cells[0].runs[0].warningFacts, [facts]);
    const table = await renderReport(report, 'table', { width: 120, details: true });
    assert.match(table, /too-loud/);
  });
});
