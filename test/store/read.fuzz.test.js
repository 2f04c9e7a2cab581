import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readReport, renderReport } from '../../src/cli/render.js';
import { createBreaker, slipIn } from '../helpers/broken-files.js';
import { fuzz } from '../helpers/nightly.js';
import { assertOfDamaged, poison, withOther } from '../helpers/poison.js';
import { createLines, goodRun } from '../helpers/report-fixture.js';

/** @import { ResultLine } from '../../src/store/types.js' */

const TRIES = fuzz(150);
/** The same ones each time. */
const SEEDS = fuzz(20).numRuns;
const FIRST_SEED = Number(process.env.FUZZ_SEED ?? 0);

describe('read, whatever a file holds', () => {
  /** @type {string} */
  let folder;
  /** @type {string} */
  let file;
  /** @type {ResultLine[]} */
  let lines;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-fuzz-'));
    file = join(folder, 'result.ndjson');
    lines = await createLines({
      given: { clients: 'redis', scenarios: 'shared-connection', runs: 1 },
      measured: ({ tasks }) => ({
        iterations: 10,
        runs: [goodRun(1, { tasks, iterations: 10, averageMs: 10 })],
      }),
    });
  });
  after(() => rm(folder, { recursive: true }));

  /** @param {string} text @returns {Promise<boolean>} whether it was taken for a result, which can then be shown */
  async function survives(text) {
    writeFileSync(file, text);
    try {
      const report = await readReport(file);
      assert.equal(/** @type {any} */ ({}).polluted, undefined);
      await renderReport(report, 'table');
      return true;
    } catch (error) {
      assert.equal(
        /** @type {Error} */ (error).name,
        'UsageError',
        String(/** @type {Error} */ (error).stack),
      );
      return false;
    }
  }

  const text = (/** @type {unknown[]} */ all) => all.map((line) => `${JSON.stringify(line)}\n`).join('');

  it('with anything in the place of one thing, is a report or refused', async function () {
    this.timeout(600_000);
    const path = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.nat(), path, poison, async (line, where, other) => {
        const index = line % lines.length;
        await survives(text(lines.map((each, at) => (at === index ? withOther(each, where, other) : each))));
      }),
      TRIES,
    );
  });

  it('cut off, doubled, in another order, or with bytes changed, is a report or refused', async function () {
    this.timeout(600_000);
    await assertOfDamaged(text(lines), survives, TRIES);
  });

  it('whatever stands in a result of any kind, every format shows it or it is refused', async function () {
    this.timeout(0);
    const saved = new URL('../corpus/saved/', import.meta.url);
    const all = readdirSync(saved).map((name) =>
      gunzipSync(readFileSync(new URL(name, saved)))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    const donors = all.flat();
    let read = 0;
    /** @type {string[]} */
    const broken = [];
    const hold = (/** @type {unknown} */ report) =>
      JSON.stringify(report, (name, value) =>
        typeof value === 'number' && !Number.isFinite(value) ? `${name} is ${value}: [object Number]` : value,
      );
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const { one, breakLines } = createBreaker(seed, donors);
      writeFileSync(file, breakLines(one(all)));
      const note = (/** @type {string} */ where, /** @type {string | undefined} */ slip) =>
        slip !== undefined && broken.push(`${seed}, ${where}: ${slip}`);
      const report = await readReport(file).catch((error) => {
        note('refused', error.name === 'UsageError' ? slipIn(error.message) : error.stack);
      });
      if (report === undefined) continue;
      read++;
      note('data', slipIn(hold(report)));
      for (const format of ['table', 'html', 'csv', 'lines', 'objects', 'realtime', 'go-bench'])
        await renderReport(report, format, { details: format === 'table' }).then(
          (text) => note(format, slipIn(text)),
          (error) => note(format, error.stack),
        );
    }
    assert.deepEqual(broken.slice(0, 20), []);
    /** @type {Mocha.Runnable} */ (this.test).title += ` (${read} of ${SEEDS} taken)`;
    assert.ok(read > SEEDS / 10, `${read} of ${SEEDS} were taken for results`);
  });

  it('pollutes no prototype', async () => {
    const [header, ...rest] = text(lines).split('\n');
    const evil = header.replace(
      '{',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
    );
    await survives([evil, ...rest].join('\n'));
    assert.equal(/** @type {any} */ ({}).polluted, undefined);
  });

  it('is still read where nothing was changed', async () => assert.equal(await survives(text(lines)), true));
});
