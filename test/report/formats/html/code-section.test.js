import assert from 'node:assert/strict';
import { parseHTML } from 'linkedom';
import { renderReport } from '../../../../src/index.js';
import { profileOf } from '../../../helpers/profile-fixture.js';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';

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

describe('html/code-section', () => {
  it('has a bar of parts and a flame graph of each cell that was profiled, with titles', async () => {
    const { text, document } = await pageOf();
    const titles = (/** @type {string} */ label) =>
      [...document.querySelectorAll(`svg[aria-label^="${label}"] title`)].map((each) => each.textContent);
    // Once for a wide page and once for a phone.
    const bars = ["the client's own code: 12 µs, 60 %", 'garbage collection: 8 µs, 40 %'];
    assert.deepEqual(titles('CPU time per operation, by'), [...bars, ...bars]);
    assert.deepEqual(titles('Flame graph of redis'), [
      `redis lib/queue.js:7 ${HOSTILE}: 12 µs per operation, 60 %`,
      'garbage collection: 8 µs per operation, 40 %',
    ]);
    assert.deepEqual(titles('Flame graph of ioredis'), []);
    assert.ok(!text.includes('<script'));
  });

  it('draws nothing that stacks of a changed file claim beyond the whole', async () => {
    const stacks = [[5, 0, 10], [-1, 99, 10], [-1, 0, 1e9], [3, 0, 5], [-1, 1, 400_000], [4, 0, 500_000]]; // biome-ignore format: a row
    const { document } = await pageOf(({ cpu }) => ({ cpu: { ...cpu, stacks } }));
    const boxes = document.querySelectorAll('svg[aria-label^="Flame graph"] rect');
    assert.equal(boxes.length, 1);
  });

  it('has the same of memory, and says which of several processes was sampled', async () => {
    const { document } = await pageOf(({ cpu }) => ({ cpu, heap: { ...cpu, unit: 'bytes', processes: 4 } }));
    const [, heap, ...others] = document.querySelectorAll('svg[aria-label^="Flame graph of redis"]');
    assert.deepEqual(
      [...heap.querySelectorAll('title')].map((each) => each.textContent.slice(-28)),
      [': 6 bytes per operation, 60 %', ': 4 bytes per operation, 40 %'].map((text) => text.slice(-28)),
    );
    assert.equal(others.length, 0);
    const captions = [...document.querySelectorAll('figcaption')].map((each) => each.textContent);
    const told = captions.filter((text) => /Only the first of several processes \(4 per cell\)/.test(text));
    assert.deepEqual(
      told.map((text) => text.slice(0, 5)),
      ['Bytes'],
    );
  });

  it('has a bar of the server and the functions that take most, and no flame graph', async () => {
    const { document } = await pageOf(({ cpu: { rest, ...cpu } }) => ({
      server: {
        ...cpu,
        rest,
        stacks: [],
        frames: cpu.frames.map((/** @type {any} */ frame, /** @type {number} */ place) => ({
          ...frame,
          package: null,
          ...(place === 0
            ? { part: 'server', file: null }
            : { part: 'kernel', file: 'write', name: 'tcp_ack' }),
        })),
      },
    }));
    const titles = document.querySelectorAll('svg[aria-label^="CPU time of the server"] title');
    assert.match(titles[0].textContent, /^the server's own code: .*, 60 %$/);
    const rows = [...document.querySelectorAll('.facets table')].map((each) => each.textContent);
    assert.match(rows.join(), /the kernel's write: tcp_ack/);
    assert.equal(document.querySelectorAll('svg[aria-label^="Flame graph"]').length, 0);
  });

  it('is left out where nothing was profiled', async () => {
    const { text } = await pageOf(() => undefined);
    assert.doesNotMatch(text, /Where the CPU time goes/);
  });
});
