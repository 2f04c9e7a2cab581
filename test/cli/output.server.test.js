import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkWritable, writeResults } from '../../src/cli/output.js';
import { readBounded } from '../../src/process/read-file.js';
import { runMain } from '../helpers/main.js';

const UNPRINTED = { rendered: () => assert.fail('printed') };

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
    let isFull = true;
    const results = {
      *[Symbol.iterator]() {
        yield 'res';
        if (isFull) {
          isFull = false;
          throw new Error('the disk is full');
        }
        yield 'ults';
      },
    };
    let printed = '';
    const stdout = {
      rendered(/** @type {string} */ text) {
        printed += text;
      },
    };
    await assert.rejects(writeResults(path, results, stdout), /the disk is full/);
    assert.deepEqual(await readdir(folder), ['there.json']);
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
  it('writes a file whole or not at all, through links, and as it may be read', async () => {
    const path = join(folder, 'whole.json');
    await symlink('whole.json', join(folder, 'link'));
    await writeResults(join(folder, 'link'), ['one', ' two'], UNPRINTED);
    assert.equal(await readFile(path, 'utf8'), 'one two');
    await chmod(path, 0o640);
    await writeResults(join(folder, 'link'), ['three'], UNPRINTED);
    assert.equal(await readFile(path, 'utf8'), 'three');
    assert.equal((await stat(path)).mode & 0o777, 0o640);
    assert.ok((await lstat(join(folder, 'link'))).isSymbolicLink());
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('.')),
      [],
    );
  });
  it('gives to a pipe what it can, and prints the results where nobody reads it', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    checkWritable(path);
    const whole = ['x'.repeat(500_000), 'end'];
    const read = readBounded(path, { pipes: true });
    await writeResults(path, whole, UNPRINTED);
    assert.equal(`${await read}`, whole.join(''));
    let printed = '';
    const stdout = {
      rendered(/** @type {string} */ text) {
        printed += text;
      },
    };
    await assert.rejects(writeResults(path, whole, stdout), /could not be written to '.*pipe'.* ENXIO/);
    assert.equal(printed, whole.join(''));
  });
  for (const [path, why] of /** @type {[string, RegExp][]} */ ([
    ['.', /is a folder$/],
    ['missing/result.json', /the folder '.*missing' does not exist$/],
    ['there.json/result.json', /'.*there\.json' is not a folder$/],
    ['x'.repeat(300), /is too long a name$/],
    ['loop', /is a link that leads in a circle$/],
    ['dangling', /is a link to a folder that does not exist$/],
  ])) {
    it(`refuses before anything is measured: ${path.slice(0, 30)}`, async () => {
      if (path === 'loop') await symlink('loop', join(folder, path));
      if (path === 'dangling') await symlink('/nowhere/else', join(folder, path));
      for (const flag of ['--output', '--save']) {
        const message = new RegExp(`^${flag}: expected .*${why.source}`);
        assert.throws(() => checkWritable(join(folder, path), { flag }), { name: 'UsageError', message });
      }
    });
  }
  it('refuses for what grows: a pipe, and where the results are printed', async () => {
    const path = join(folder, 'grows');
    execFileSync('mkfifo', [path]);
    const more = { flag: '--save', grows: true };
    assert.throws(() => checkWritable(path, more), /--save: .* is a pipe$/);
    const there = join(folder, 'there.json');
    for (const [file, printed] of [
      [there, join(folder, '.', 'there.json')],
      [join(folder, 'new'), join(folder, 'new')],
    ])
      assert.throws(() => checkWritable(file, { ...more, printed }), /--save: .* the results are printed to/);
    checkWritable(there, { ...more, printed: '/dev/stdout' });
  });
});
