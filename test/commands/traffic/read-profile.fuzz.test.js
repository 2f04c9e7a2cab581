import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describeProfile } from '../../../src/commands/traffic/describe-profile.js';
import { trafficReport } from '../../../src/commands/traffic/traffic-report.js';
import { fuzz } from '../../helpers/nightly.js';
import { assertOfDamaged, poison, withOther } from '../../helpers/poison.js';
import { profileText, SAMPLE_LINES } from '../../helpers/sample-profile.js';

/** New ones each time; as many as take about a second. */
const TRIES = fuzz(25);

/** What breaks careless readers of profiles besides. */
const anyPoison = fc.oneof(
  poison,
  fc.constantFrom(4194303, 2 ** 53, 'GET', 'EX', '-', [0, 1], ['$', 5], { toString: 1 }, { length: -1 }),
);

describe('traffic/read-profile, whatever a file holds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rpb-profile-fuzz-'));
  const file = join(folder, 'traffic.ndjson');
  after(() => rmSync(folder, { recursive: true }));

  /** @param {string} text @returns {Promise<boolean>} whether it was taken for a profile, which can then be shown */
  async function survives(text) {
    writeFileSync(file, text);
    try {
      const summary = await describeProfile(file);
      assert.doesNotMatch(JSON.stringify(trafficReport(summary)), /NaN|undefined/);
      return true;
    } catch (error) {
      assert.equal(/** @type {Error} */ (error).name, 'UsageError', `${/** @type {Error} */ (error).stack}`);
      return false;
    } finally {
      assert.equal(/** @type {any} */ ({}).polluted, undefined);
    }
  }

  const whole = profileText(SAMPLE_LINES);

  it('with anything in the place of one thing, is described or refused', async function () {
    this.timeout(600_000);
    const path = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.nat(), path, anyPoison, async (line, where, other) => {
        const index = line % SAMPLE_LINES.length;
        const changed = SAMPLE_LINES.map((each, at) => (at === index ? withOther(each, where, other) : each));
        await survives(profileText(changed));
      }),
      TRIES,
    );
  });

  it('cut off, doubled, in another order, or with bytes changed, is described or refused', async function () {
    this.timeout(600_000);
    await assertOfDamaged(whole, survives, TRIES);
  });

  it('pollutes no prototype', async () => {
    const evil = whole.replace(
      '{',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
    );
    assert.equal(await survives(evil), false);
  });

  it('is described where nothing was changed', async () => assert.equal(await survives(whole), true));
});
