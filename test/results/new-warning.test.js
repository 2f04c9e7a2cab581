import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { renderReport } from '../../src/index.js';
import { factText } from '../../src/report/words/fact-words.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';
import { schemaErrors } from '../helpers/report-schema.js';

/** @import { RunWarning } from '../../src/results/types.js' */

const SRC = new URL('../../src/', import.meta.url);

const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(?:results|runner)\/.*\.js$/.test(file))
  .map((file) => readFileSync(new URL(file, SRC), 'utf8'));

const [, UNION = ''] =
  /export type RunWarning =([\s\S]*?);\n\n/.exec(readFileSync(new URL('results/types.d.ts', SRC), 'utf8')) ??
  [];
const KINDS = [...UNION.matchAll(/\{ kind: '([\w-]+)'/g)].map(([, kind]) => kind);

describe('a warning of a new kind', () => {
  it('has its type, its words, and one file that finds it', () => {
    assert.ok(KINDS.length > 15);
    for (const kind of KINDS) {
      const finders = SOURCES.filter((text) => text.includes(`{ kind: '${kind}'`));
      assert.equal(finders.length, 1, kind);
      const facts = /** @type {any} */ ({ kind, cpus: 1 });
      assert.notEqual(factText(facts), kind, `${kind} has no words`);
    }
  });

  it('is stored as it is, and told by its kind where a release has no words for it', async () => {
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
