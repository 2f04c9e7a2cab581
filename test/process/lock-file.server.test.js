import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '../../src/process/lock-file.js';
import { ownIdentity } from '../../src/process/owner.js';

describe('process/lock-file', () => {
  /** @type {string} */
  let folder;
  /** @type {string} */
  let file;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-lock-'));
    file = join(folder, 'mine.ndjson');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const lock = () => lockFile(file, '--save');
  const refused = { name: 'UsageError', message: /^--save: another run is writing '.*mine\.ndjson'; wait/ };

  it('keeps a second run away until the first has ended, and leaves nothing', () => {
    const unlock = lock();
    assert.throws(lock, refused);
    unlock();
    lock()();
    assert.deepEqual(readdirSync(folder), []);
  });

  /** @param {object} owner @param {number} [agoMs] */
  function leaveLock(owner, agoMs = 0) {
    const left = join(folder, '.mine.ndjson.lock');
    writeFileSync(left, JSON.stringify(owner));
    const when = new Date(Date.now() - agoMs);
    utimesSync(left, when, when);
  }

  it('is taken from a run that was killed, or whose id another process has by now', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    for (const owner of [
      { ...ownIdentity(), pid: child.pid },
      { ...ownIdentity(), start: '1' },
    ]) {
      leaveLock(owner);
      lock()();
      assert.deepEqual(readdirSync(folder), []);
    }
  });

  it('is taken from another container after a minute without a sign of life', () => {
    for (const owner of [{ ...ownIdentity(), place: 'another' }, { torn: true }, {}]) {
      leaveLock(owner);
      assert.throws(lock, refused);
      leaveLock(owner, 61_000);
      lock()();
    }
  });

  it('is none where a folder takes no file, and for what has no content', () => {
    lockFile('/proc/self/mine.ndjson', '--save')();
    lockFile('/nowhere/mine.ndjson', '--save')();
    for (const unlock of [lockFile('/dev/null', '--save'), lockFile('/dev/null', '--save')]) unlock();
  });
});
