import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  latestSaved,
  listSaved,
  savedFiles,
  savedSummary,
} from '../../src/commands/history/saved-results.js';
import { lockFile } from '../../src/process/lock-file.js';
import { ownIdentity } from '../../src/process/owner.js';
import { sweepLeftovers } from '../../src/server/stored-keys.js';
import { readRecords } from '../../src/store/read.js';
import { createBreaker } from '../helpers/broken-files.js';
import { fuzz, NIGHTLY } from '../helpers/nightly.js';

/** The tool's own files, damaged: nothing that is whole is overlooked for them, and no key of others is removed. */

/** The same ones each time. */
const SEEDS = fuzz(80).numRuns;
const HOUR_MS = 3_600_000;

/** @param {Buffer} bytes @returns {any} undefined where it is no JSON */
function parsed(bytes) {
  try {
    return JSON.parse(`${bytes}`);
  } catch {
    return undefined;
  }
}

const isText = (/** @type {unknown} */ value) => typeof value === 'string';

describe('the state folder, whatever its files hold', function () {
  this.timeout(NIGHTLY ? 3_600_000 : 30_000);
  /** @type {string} */
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-state-fuzz-'));
    mkdirSync(join(folder, 'stored-keys'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('stored keys: those of whole entries are removed, of living owners and damaged ones none', async function () {
    const own = ownIdentity();
    const dead = { pid: 4_000_000, start: '1', place: own.place };
    const at = new Date(Date.now() - HOUR_MS).toISOString();
    const place = { server: '127.0.0.1:6379', database: 0, runIds: ['a0'] };
    const whole = { prefix: 'rpb:dead', ...place, at, owner: dead };
    const donors = [
      { ...whole, prefix: 'rpb:1a2b', database: 3, owner: null },
      { prefix: '', server: hostname(), database: -1, runIds: null, at: '2020-01-01', owner: own },
      { prefix: 'rpb:', owner: { pid: -1, start: '', place: own.place } },
      { prefix: 'user:1', runIds: [1, null], owner: { pid: process.pid, start: own.start } },
      { prefix: 'rpb:????', at: '9999-12-31T23:59:59.999Z', runIds: [], owner: {} },
    ];
    const server = /** @type {any} */ ({
      targets: { tcp: { transport: 'tcp', host: '127.0.0.1', port: 6379 } },
      runIds: ['a0'],
      removeKeys: async (/** @type {string[]} */ prefixes) => {
        asked = prefixes;
        return new Map(prefixes.map((prefix) => [prefix, 1]));
      },
    });
    /** @type {string[]} */
    let asked = [];

    /** What the file format promises, written down once more. @param {any} entry */
    const isWhole = (entry) =>
      [entry?.prefix, entry?.server, entry?.at].every(isText) &&
      /^rpb:[0-9a-z]{4}$/.test(entry.prefix) &&
      Date.now() - Date.parse(entry.at) < 30 * 24 * HOUR_MS &&
      typeof entry.database === 'number' &&
      (entry.runIds === null || (Array.isArray(entry.runIds) && entry.runIds.every(isText))) &&
      (entry.owner === null ||
        (Number.isInteger(entry.owner?.pid) &&
          entry.owner.pid > 0 &&
          isText(entry.owner.start) &&
          isText(entry.owner.place)));

    let taken = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const bytes = createBreaker(seed, donors).breakLines([whole]);
      for (const [name, content] of /** @type {[string, any][]} */ ([
        ['dead', JSON.stringify({ ...whole, prefix: 'rpb:good' })],
        ['live', JSON.stringify({ ...whole, prefix: 'rpb:live', owner: own })],
        ['torn', bytes],
      ])) {
        const file = join(folder, 'stored-keys', `${name}.json`);
        writeFileSync(file, content);
        utimesSync(file, new Date(at), new Date(at));
      }
      const swept = await sweepLeftovers(server, folder);
      const entry = parsed(bytes);
      const isHere =
        isWhole(entry) &&
        entry.database === 0 &&
        (entry.server === place.server || entry.runIds?.includes('a0'));
      const isLive =
        isHere && entry.owner !== null && entry.owner.pid === own.pid && entry.owner.start === own.start;
      const expected = ['rpb:good', ...(isHere && !isLive ? [entry.prefix] : [])];
      assert.deepEqual(asked.toSorted(), expected.toSorted(), `${seed}: ${bytes}`);
      assert.equal(swept.find(({ prefix }) => prefix === 'rpb:live')?.inUse, true, `${seed}`);
      if (isHere) taken++;
    }
    /** @type {Mocha.Runnable} */ (this.test).title += ` (${taken} of ${SEEDS} taken)`;
    assert.ok(taken > SEEDS / 20 && taken < SEEDS, `${taken}`);
  });

  it('locks: a damaged one counts by its age alone', () => {
    const file = join(folder, 'mine.ndjson');
    const lock = join(folder, '.mine.ndjson.lock');
    const own = ownIdentity();
    const donors = [{ pid: process.pid, start: '0', place: 'x' }, { pid: 0 }, { pid: -1, start: own.start }];
    for (let seed = 0; seed < SEEDS; seed++) {
      const bytes = createBreaker(seed, donors).breakLines([own]);
      const owner = parsed(bytes);
      const isOurs = owner?.pid === own.pid && owner.start === own.start && owner.place === own.place;
      // Nobody has touched it for an hour.
      writeFileSync(lock, bytes);
      const old = new Date(Date.now() - HOUR_MS);
      utimesSync(lock, old, old);
      let unlock = () => {};
      const take = () => {
        unlock = lockFile(file, '--save');
      };
      if (isOurs) assert.throws(take, { name: 'UsageError' }, `${seed}: ${bytes}`);
      else take();
      unlock();
      rmSync(lock, { force: true });
    }
  });

  it('results: history names each, and the last whole one is found', async function () {
    const lines = ['smoke', 'fault', 'queue'].map((name) =>
      gunzipSync(readFileSync(new URL(`../corpus/saved/${name}.ndjson.gz`, import.meta.url)))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    const whole = join(folder, '2026-11-20.ndjson');
    writeFileSync(whole, lines[0].map((line) => `${JSON.stringify(line)}\n`).join(''));
    const torn = join(folder, '2026-11-21.ndjson');
    const tries = Math.ceil(SEEDS / 4);
    let taken = 0;
    for (let seed = 0; seed < tries; seed++) {
      const { one, breakLines } = createBreaker(seed, lines.flat());
      writeFileSync(torn, breakLines(one(lines)));
      const [first, second] = await listSaved(folder);
      assert.deepEqual([first.file, second.file, second.complete], [torn, whole, true], `${seed}`);
      const summary = savedSummary(first);
      const read = await readRecords(torn).catch((error) => {
        assert.equal(error.name, 'UsageError', `${seed}: ${error.stack}`);
        return null;
      });
      if (read !== null) {
        taken++;
        const { header, records, ending } = read;
        assert.deepEqual(
          [summary.startedAt, summary.suite, summary.cells, summary.complete],
          [header.startedAt, header.suite.id, header.cells.length, !ending.partial],
          `${seed}`,
        );
        assert.equal(summary.runs, records.filter(({ type }) => type === 'run').length, `${seed}`);
      }
      const last = await latestSaved(await savedFiles(folder));
      if (read !== null) assert.equal(last, torn, `${seed}`);
      else assert.ok(last === torn || last === whole, `${seed}`);
    }
    /** @type {Mocha.Runnable} */ (this.test).title += ` (${taken} of ${tries} taken)`;
    assert.ok(taken > tries / 10 && taken < tries, `${taken}`);
  });
});
