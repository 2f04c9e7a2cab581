import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkWritable, writeResults } from '../../src/cli/output.js';
import { runMain } from '../helpers/main.js';

describe('cli/output', () => {
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-out-'));
    await writeFile(join(folder, 'there.json'), 'old');
  });
  after(() => rm(folder, { recursive: true }));

  it('takes a new file in a folder that is there, without making it', async () => {
    const path = join(folder, 'new.json');
    checkWritable(path);
    await assert.rejects(stat(path), { code: 'ENOENT' });
  });
  it('leaves no torn file where there was none, and prints the results instead', async () => {
    const path = join(folder, 'torn.json');
    const results = {
      *[Symbol.iterator]() {
        yield 'res';
        yield 'ults';
      },
      // What the file is written from.
      async *[Symbol.asyncIterator]() {
        yield 'res';
        throw new Error('the disk is full');
      },
    };
    let printed = '';
    const stdout = /** @type {any} */ ({ rendered: (/** @type {unknown} */ text) => (printed += text) });
    await assert.rejects(writeResults(path, /** @type {any} */ (results), stdout), /the disk is full/);
    await assert.rejects(stat(path), { code: 'ENOENT' });
    assert.equal(printed, 'results');
  });
  it('refuses to write over what is read, by any path or link', async () => {
    const read = join(folder, 'read.json');
    const other = join(folder, 'other.json');
    await writeFile(read, 'read');
    await symlink(read, other);
    for (const [output, from] of [
      [read, read],
      [other, read],
      [read, other],
    ]) {
      assert.throws(() => checkWritable(output, { reads: [from] }), /--output: .*'.*' is also read/);
    }
    checkWritable(join(folder, 'there.json'), { reads: [read] });
    checkWritable('/dev/null', { reads: ['/dev/null'] });
    for (const args of [
      ['report', read],
      ['compare', 'last', read],
      ['profile', read],
      ['why', read, 'a', 'b'],
    ]) {
      const { code, stderr } = await runMain([
        ...args.map((each) => each.replace('last', read)),
        '--output',
        other,
      ]);
      assert.deepEqual([code, /is also read/.test(stderr)], [2, true], stderr);
    }
    assert.equal(await readFile(read, 'utf8'), 'read');
  });
  it('takes a file that is there, and leaves what it holds', async () => {
    const path = join(folder, 'there.json');
    checkWritable(path);
    assert.equal(await readFile(path, 'utf8'), 'old');
  });
  for (const [what, path] of [
    ['a folder', '.'],
    ['a file in a folder that is not there', 'missing/result.json'],
    ['a file in what is no folder', 'there.json/result.json'],
  ]) {
    it(`refuses ${what}`, () => {
      assert.throws(() => checkWritable(join(folder, path)), {
        name: 'UsageError',
        message: /^--output: expected /,
      });
    });
  }
});
