import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { ServerError, UsageError } from '../../src/errors.js';
import { locateServer } from '../../src/server/sources.js';

describe('server/locate', () => {
  /** @type {string} */
  let folder;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-path-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /**
   * @param {string} name
   * @param {string} [prints]
   * @param {{mode?: number, status?: number}} [options]
   * @returns {Promise<string>} the path of a program
   */
  async function program(name, prints = 'Redis server v=7.0.15', { mode = 0o755, status = 0 } = {}) {
    const path = join(folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, `#!/bin/sh\necho '${prints}'\nexit ${status}\n`);
    await chmod(path, mode);
    return path;
  }

  /** @param {...string} folders of the test's folder */
  const onPath = (...folders) =>
    locateServer({ env: { PATH: folders.map((name) => join(folder, name)).join(delimiter) } });

  describe('on PATH', () => {
    it('finds redis-server', async () => {
      const path = await program('a/redis-server');
      assert.equal(await onPath('a'), path);
    });
    it('finds valkey-server', async () => {
      const path = await program('a/valkey-server');
      assert.equal(await onPath('a'), path);
    });
    it('takes redis-server before valkey-server, wherever they are', async () => {
      await program('a/valkey-server');
      const path = await program('b/redis-server');
      assert.equal(await onPath('a', 'b'), path);
    });
    it('takes the first of two', async () => {
      const first = await program('a/redis-server');
      await program('b/redis-server');
      assert.equal(await onPath('missing', 'a', 'b'), first);
    });
    it('passes over what is not executable', async () => {
      await program('a/redis-server', '', { mode: 0o644 });
      const path = await program('b/redis-server');
      assert.equal(await onPath('a', 'b'), path);
    });
    it('passes over a folder of that name', async () => {
      await mkdir(join(folder, 'c', 'redis-server'), { recursive: true });
      const path = await program('b/redis-server');
      assert.equal(await onPath('c', 'b'), path);
    });
    for (const [name, PATH] of /** @type {const} */ ([
      ['PATH has none', tmpdir()],
      ['PATH is empty', ''],
      ['there is no PATH', undefined],
    ])) {
      it(`says what to do where ${name}`, async () => {
        await assert.rejects(locateServer({ env: { PATH } }), (error) => {
          assert.ok(error instanceof ServerError);
          assert.match(error.message, /redis-server.*valkey-server.*PATH/);
          assert.match(error.message, /[Ii]nstall/);
          assert.match(error.message, /--url/);
          return true;
        });
      });
    }
  });

  describe('--server-bin', () => {
    it('is taken, whatever is on PATH', async () => {
      const path = await program('my-redis');
      assert.equal(await locateServer({ serverBin: path, env: { PATH: '' } }), path);
    });
    it('may be relative', async () => {
      const path = await program('my-redis');
      assert.equal(await locateServer({ serverBin: relative('.', path) }), path);
    });
    it('may be Valkey', async () => {
      const path = await program('valkey', 'Valkey server v=8.0.1');
      assert.equal(await locateServer({ serverBin: path }), path);
    });

    /** @param {string} serverBin @param {RegExp} found */
    const refused = (serverBin, found) =>
      assert.rejects(locateServer({ serverBin }), (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, /^--server-bin: expected the path of a redis-server, but /);
        assert.match(error.message, found);
        return true;
      });

    it('must exist', () => refused(join(folder, 'none'), /does not exist/));
    it('must be executable', async () => {
      await refused(await program('text', '', { mode: 0o644 }), /not executable/);
    });
    it('must be a program', () => refused(folder, /not executable/));
    it('must be a server', async () =>
      refused(await program('ls', 'ls (GNU coreutils) 9.1'), /GNU coreutils/));
    it('must tell its version', async () => refused(await program('bad', '', { status: 1 }), /failed/));
  });
});
