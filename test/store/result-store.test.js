import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore } from '../../src/store/result-store.js';
import { createLines, goodRun } from '../helpers/report-fixture.js';

/** @import { ResultLine } from '../../src/store/types.js' */

describe('store', () => {
  /** @type {string} */
  let folder;
  /** @type {ResultLine[]} */
  let lines;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-store-'));
    lines = await createLines({
      given: { clients: 'redis', scenarios: 'pool', runs: 1 },
      measured: ({ tasks }) => ({
        iterations: 1,
        runs: [goodRun(1, { tasks, iterations: 1, averageMs: 1 })],
      }),
    });
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** @param {string} file @param {boolean} [replace] */
  function open(file, replace = true) {
    /** @type {string[]} */
    const failures = [];
    const store = createStore(file, { replace, onFailure: (message) => failures.push(message) });
    return { ...store, failures };
  }

  it('makes the file and its folders with the first line, for the owner alone', async () => {
    const file = join(folder, 'a', 'b', 'result.ndjson');
    const store = open(file);
    assert.equal(existsSync(join(folder, 'a')), false);
    store.append(lines[0]);
    assert.equal((await stat(join(folder, 'a'))).mode & 0o777, 0o700);
  });

  it('has each line in the file when it was appended', async () => {
    const file = join(folder, 'result.ndjson');
    const store = open(file);
    for (const [index, line] of lines.entries()) {
      store.append(line);
      const texts = (await readFile(file, 'utf8')).split('\n');
      assert.equal(texts.pop(), '', 'ends with a line feed');
      assert.equal(texts.length, index + 1);
      assert.deepEqual(JSON.parse(texts[index]), JSON.parse(JSON.stringify(line)));
    }
    assert.deepEqual(store.failures, []);
  });

  it('overwrites a file or leaves it, as asked', async () => {
    const file = join(folder, 'result.ndjson');
    await writeFile(file, 'old');
    const careful = open(file, false);
    for (const line of lines) careful.append(line);
    assert.equal(await readFile(file, 'utf8'), 'old');
    assert.equal(careful.failures.length, 1);
    assert.match(careful.failures[0], /EEXIST/);
    const bold = open(file);
    for (const line of lines) bold.append(line);
    assert.match(await readFile(file, 'utf8'), /^\{"type":"header"/);
  });

  it('tells once when the disk is full, and goes on without', () => {
    const store = open('/dev/full');
    for (const line of lines) store.append(line);
    assert.equal(store.failures.length, 1);
    assert.match(store.failures[0], /ENOSPC/);
  });

  it('tells once when the folder cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    const store = open(join(folder, 'file', 'result.ndjson'));
    for (const line of lines) store.append(line);
    assert.equal(store.failures.length, 1);
  });

  it('tells where another program writes to the file, or removes it', async () => {
    const file = join(folder, 'result.ndjson');
    for (const [disturb, message] of /** @type {[() => Promise<void>, RegExp][]} */ ([
      [() => writeFile(file, 'x'), /another program wrote to the file/],
      [() => rm(file), /the file was removed or replaced/],
    ])) {
      const store = open(file);
      store.append(lines[0]);
      await disturb();
      for (const line of lines.slice(1)) store.append(line);
      assert.equal(store.failures.length, 1);
      assert.match(store.failures[0], message);
    }
  });

  it('writes to what cannot be flushed', () => {
    const store = open('/dev/null');
    for (const line of lines) store.append(line);
    assert.deepEqual(store.failures, []);
  });
});
