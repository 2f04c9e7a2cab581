import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateFolder, removeAbandonedFolders } from '../../src/server/private-folder.js';
import { isAlive } from '../helpers/processes.js';
import { until } from '../helpers/until.js';

describe('server/private-folder', () => {
  /** @type {string | undefined} */
  let usualTemp;
  /** @type {string} */
  let temp;
  beforeEach(async () => {
    usualTemp = process.env.TMPDIR;
    temp = await mkdtemp(join(tmpdir(), 'rpb-folders-'));
    process.env.TMPDIR = temp;
  });
  afterEach(async () => {
    if (usualTemp === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usualTemp;
    await rm(temp, { recursive: true });
  });

  it('says what to do where TMPDIR is of no use', async () => {
    const long = join(temp, 'x'.repeat(100));
    await mkdir(long);
    await writeFile(join(temp, 'file'), '');
    for (const [folder, message] of /** @type {const} */ ([
      [join(temp, 'none'), /'.*none', cannot be used \(ENOENT.*set TMPDIR/],
      [join(temp, 'file'), /'.*file', cannot be used \(ENOTDIR.*set TMPDIR/],
      [long, /too long a path.*set TMPDIR/],
    ])) {
      process.env.TMPDIR = folder;
      await assert.rejects(createPrivateFolder(), { name: 'UsageError', message });
    }
    assert.deepEqual(readdirSync(long), []);
  });

  /** @param {(owner: string) => string} change @returns {Promise<string>} a folder with another owner */
  async function folderOf(change) {
    const folder = await createPrivateFolder();
    const file = join(folder, 'owner');
    await writeFile(file, change(await readFile(file, 'utf8')));
    return folder;
  }

  /** @returns {Promise<number>} the id of a process that has ended */
  async function deadPid() {
    const child = spawn('true');
    await once(child, 'exit');
    return Number(child.pid);
  }

  it('can be entered by this user only', async () => {
    const { mode } = await stat(await createPrivateFolder());
    assert.equal(mode & 0o777, 0o700);
  });

  it('is removed by a later start when its owner is dead', async () => {
    const pid = await deadPid();
    const folder = await folderOf((owner) => owner.replace(/^\d+/, `${pid}`));
    await writeFile(join(folder, 'redis.sock'), '');
    await removeAbandonedFolders();
    assert.equal(existsSync(folder), false);
  });

  it('is removed when its owner is dead and another process has its number', async () => {
    const folder = await folderOf((owner) => owner.replace(/^(\d+) \S+/, '$1 1'));
    await removeAbandonedFolders();
    assert.equal(existsSync(folder), process.platform !== 'linux');
  });

  it('takes the server with it that still works there', async function () {
    if (process.platform !== 'linux') this.skip();
    const pid = await deadPid();
    const folder = await folderOf((owner) => owner.replace(/^\d+/, `${pid}`));
    const orphan = spawn('sleep', ['60'], { cwd: folder });
    await once(orphan, 'spawn');
    await removeAbandonedFolders();
    await until('the orphan to end', () => !isAlive(Number(orphan.pid)));
    assert.equal(existsSync(folder), false);
  });

  it('stays while its owner lives', async () => {
    const folder = await createPrivateFolder();
    await removeAbandonedFolders();
    assert.equal(existsSync(folder), true);
  });

  it('stays where nobody can know: another machine or container, no owner named, no folder, of another user', async () => {
    const pid = await deadPid();
    const elsewhere = await folderOf(() => `${pid} 1 other-machine pid:[1]\n`);
    const unnamed = join(temp, 'redis-pipe-bench-unnamed');
    await mkdir(unnamed);
    const link = join(temp, 'redis-pipe-bench-link');
    await symlink(unnamed, link);
    const file = join(temp, 'redis-pipe-bench-file');
    await writeFile(file, 'of somebody');
    const stays = [elsewhere, unnamed, link, file];
    if (process.getuid?.() === 0) {
      const foreign = await folderOf((owner) => owner.replace(/^\d+/, `${pid}`));
      await chown(foreign, 12_345, 12_345);
      stays.push(foreign);
    }
    await removeAbandonedFolders();
    for (const path of stays) assert.equal(existsSync(path), true, path);
  });
});
