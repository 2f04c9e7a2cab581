import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  linesOf,
  parseJson,
  readBounded,
  readBoundedSync,
  withoutMark,
} from '../../src/process/read-file.js';

describe('files', () => {
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-read-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'file'), 'content');
    symlinkSync('/dev/zero', join(folder, 'link'));
    symlinkSync('loop', join(folder, 'loop'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [name, found] of /** @type {[string, RegExp][]} */ ([
    ['pipe', /^is a pipe, not a regular file$/],
    ['link', /^is a device, not a regular file$/],
    ['.', /^is a folder, not a regular file$/],
    ['loop', /^ELOOP/],
    ['none', /^ENOENT/],
    ['file/none', /^ENOTDIR/],
    ['x'.repeat(300), /^ENAMETOOLONG/],
  ])) {
    it(`are refused at once, and not waited for: ${name.slice(0, 10)}`, async () => {
      await assert.rejects(readBounded(join(folder, name)), { message: found });
      assert.throws(() => readBoundedSync(join(folder, name)), { message: found });
    });
  }

  it('are read up to their bound, which may be asked for', async () => {
    const file = join(folder, 'file');
    for (const read of [readBounded, async (/** @type {[any, any]} */ ...of) => readBoundedSync(...of)]) {
      assert.equal(`${await read(file, { largestBytes: 7 })}`, 'content');
      await assert.rejects(read(file, { largestBytes: 6 }), /^Error: is too large .*; at most 0 MB/);
      // It says that it has no content.
      await assert.rejects(read('/proc/self/status', { largestBytes: 6 }), /^Error: is too large/);
    }
  });

  it('may be pipes where that is said: read as they come, and given up when nothing comes', async () => {
    const pipe = join(folder, 'pipe');
    const writer = spawn('sh', ['-c', 'echo one; sleep 0.1; echo two'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    writer.stdout.pipe(spawn('tee', [pipe], { stdio: ['pipe', 'ignore', 'ignore'] }).stdin);
    assert.equal(`${await readBounded(pipe, { pipes: true })}`, 'one\ntwo\n');
    const silent = readBounded(pipe, { pipes: true, silentMs: 50 });
    await assert.rejects(silent, /^Error: is a pipe that gave nothing for 0.05 s$/);
  });
});

describe('json', () => {
  for (const [text, line, column] of /** @type {[string, number, number][]} */ ([
    ['{nope', 1, 2],
    ['{"a":hunter2}', 1, 6],
    ['{"password": "hunter2",\n x}', 2, 2],
    ['{"password":\n  "hunter2"\n  "b": 1}', 3, 3],
    ['[1,2,]', 1, 6],
    ['{"a": "hunter2', 1, 15],
    ['{"a": -}', 1, 8],
    ['{} hunter2', 1, 4],
    ['', 1, 1],
  ])) {
    it(`names the place of an error and quotes nothing: ${JSON.stringify(text)}`, () =>
      assert.throws(() => parseJson(text), {
        message: `expected JSON, but there is an error in line ${line}, column ${column}`,
      }));
  }

  it('refuses what would overflow the stack of its readers', () =>
    assert.throws(() => parseJson(`${'['.repeat(9000)}${']'.repeat(9000)}`), /more than 100 levels/));
});

describe('lines of chunks', () => {
  /** @param {string[]} chunks @param {number} longest */
  async function split(chunks, longest) {
    /** @type {string[]} */
    const told = [];
    async function* bytes() {
      for (const chunk of chunks) yield Buffer.from(chunk);
    }
    for await (const lines of linesOf(bytes(), longest, () => new Error(`too long after ${told}`)))
      for (const { text, whole } of lines) told.push(`${text}${whole ? '' : ' torn'}`);
    return told.join(' ');
  }

  it('are put together, wherever the chunks end', async () => {
    const text = 'one\n\nthree and more\nlast';
    for (let size = 1; size <= text.length; size++) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      assert.equal(await split(chunks, 100), 'one  three and more last torn', `chunks of ${size}`);
    }
  });

  it('are refused when they are too long, as soon as they are', async () => {
    assert.equal(await split(['abcd\nab', 'cd\nx'], 4), 'abcd abcd x torn');
    await assert.rejects(split(['abcd\n', 'abcde\n'], 4), /too long after abcd$/);
    await assert.rejects(split(['ab', 'cde'], 4), /too long after $/);
    assert.equal(withoutMark('\uFEFF{}'), '{}');
  });
});
