import assert from 'node:assert/strict';
import { parseHTML } from 'linkedom';
import { renderReport } from '../../src/cli/render.js';
import { profileOf } from '../helpers/profile-fixture.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';

const HOSTILE = '<script>alert(1)</script>';

/** @param {(profile: any) => any} [change] of what the file holds */
async function pageOf(change = (profiles) => profiles) {
  const profile = profileOf([
    ['package', 'redis', 'lib/queue.js', HOSTILE, 600_000],
    ['garbage', null, null, 'garbage collection', 400_000],
  ]);
  const report = await createFixture({
    given: { clients: 'redis,ioredis', scenarios: 'pool', runs: 3 },
    measured: ({ tasks, client }) => ({
      iterations: 100,
      runs: [1, 2, 3].map((round) => goodRun(round, { tasks, iterations: 100, averageMs: 100 + round })),
      profiles: client === 'redis' ? change({ cpu: profile }) : undefined,
    }),
  });
  const text = await renderReport(report, 'html');
  return { text, document: /** @type {any} */ (parseHTML(text)).document };
}

/** @param {any} table @returns {string[][]} its head, then its rows */
const textsOf = (table) =>
  [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].map((/** @type {any} */ each) => each.textContent),
  );

describe('html/code-section', () => {
  it('has what each cell that was profiled spends by whose code it is, and the functions that take most', async () => {
    const { text, document } = await pageOf();
    const [costs] = [...document.querySelectorAll('table')].filter((table) =>
      table.textContent.startsWith('CPU time per operation, by'),
    );
    assert.deepEqual(textsOf(costs), [
      ['cell', 'client', 'garbage', 'all'],
      ['redis, pool of 3', '12 µs', '8 µs', '20 µs'],
    ]);
    const functions = [...document.querySelectorAll('.facets table')].map(textsOf);
    assert.deepEqual(functions, [
      [
        ['function', 'per operation'],
        [`redis lib/queue.js:7 ${HOSTILE}`, '12 µs'],
        ['garbage collection', '8 µs'],
      ],
    ]);
    assert.ok(!text.includes('<script'));
  });

  it('is left out where nothing was profiled', async () => {
    const { text } = await pageOf(() => undefined);
    assert.doesNotMatch(text, /Where the CPU time goes/);
  });
});
