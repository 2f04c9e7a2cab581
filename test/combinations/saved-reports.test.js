import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { reportFrom } from '../../src/run/conclude.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { subjectOf } from './check-pairs.js';
import { OF_EQUAL_STARTS, RULES } from './rules.js';

/** @import { ResultRecord } from '../../src/store/types.js' */

const FOLDERS = (NIGHTLY ? ['../corpus/saved/', '../docs/'] : ['../corpus/saved/']).map(
  (path) => new URL(path, import.meta.url),
);
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson.gz'))
    .map((name) => new URL(name, folder)),
);

const STARTS = NIGHTLY ? [1, 2, Number.POSITIVE_INFINITY] : [1];
const FORMATS = NIGHTLY ? ['table', 'markdown', 'html'] : ['markdown'];

/** As if there had been time for fewer starts. @param {ResultRecord[]} records @param {number} most */
const withStarts = (records, most) =>
  records.filter((record) => record.type !== 'run' || record.run.start <= most);

describe('what holds of saved results, and of their first starts alone', function () {
  this.timeout(60_000);
  for (const file of FILES)
    it(file.pathname.split('/').slice(-2).join('/'), async () => {
      const [header, ...rest] = gunzipSync(readFileSync(file))
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const [records, ending] = [rest.slice(0, -1), rest[rest.length - 1]];
      const broken = [];
      for (const most of header.command === undefined ? STARTS : []) {
        const report = await reportFrom(header, withStarts(records, most), ending);
        const subject = await subjectOf(report, FORMATS);
        for (const [rule, breaks] of Object.entries(RULES).filter(([name]) => name !== OF_EQUAL_STARTS))
          for (const text of breaks(subject)) broken.push(`${most} starts: ${rule}: ${text}`);
      }
      assert.deepEqual(broken.slice(0, 5), []);
    });
});
