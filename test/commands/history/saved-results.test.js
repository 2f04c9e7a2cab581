import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  historyTable,
  latestSaved,
  savedFiles,
  savedSummary,
} from '../../../src/commands/history/saved-results.js';

const SAVED = gunzipSync(readFileSync(new URL('../../corpus/saved/cluster.ndjson.gz', import.meta.url)));

describe('saved-results', () => {
  /** @type {string} */
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-saved-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('the last result is the newest that has a beginning: a full disk leaves empty and torn files', async () => {
    const inFolder = (/** @type {string} */ name) => join(folder, `${name}.ndjson`);
    writeFileSync(inFolder('1'), SAVED);
    writeFileSync(inFolder('2'), SAVED);
    writeFileSync(inFolder('3'), SAVED.subarray(0, 200));
    writeFileSync(inFolder('4'), '');
    assert.equal(await latestSaved(await savedFiles(folder)), inFolder('2'));
  });

  it('there is none without one', async () => {
    writeFileSync(join(folder, '1.ndjson'), '');
    assert.equal(await latestSaved(await savedFiles(folder)), undefined);
  });
});

describe('commands/history/saved-results', () => {
  it('says that something broke in a run', () => {
    const cell = { client: 'redis', variant: 'default', scenario: 'pool', workload: 'append', tasks: 8 };
    const textOf = (/** @type {object} */ more) =>
      savedSummary(
        /** @type {any} */ ({ file: 'a', header: { suite: {}, cells: [{ ...cell, ...more }] }, runs: 1 }),
      );
    assert.equal(textOf({}).measured, 'redis; pool; append; 8 tasks');
    const broken = textOf({ fault: { name: 'cut' } });
    assert.match(historyTable([broken], '/here', 200), /append; 8 tasks; fault cut/);
  });
});
