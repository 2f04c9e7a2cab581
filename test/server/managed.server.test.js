import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServerError } from '../../src/errors.js';
import { connectControl } from '../../src/server/control.js';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';
import { isAlive } from '../helpers/processes.js';
import { until } from '../helpers/until.js';

/** @import { ManagedProcess } from '../../src/server/types.js' */
/** @import { Control, Target } from '../../src/server/types.js' */

const STARTER = fileURLToPath(new URL('../helpers/start-managed-server.js', import.meta.url));

/** @param {Target} target @returns {Promise<boolean>} whether a server listens */
const listens = ({ host, port, path }) =>
  new Promise((resolve) => {
    const socket = path === undefined ? connect(Number(port), host) : connect(path);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** @param {Control} control */
const factsOf = async (control) => (await control.info())?.fields ?? {};

describe('server/managed', () => {
  /** @type {string} */
  let binary;
  before(async () => {
    binary = await locateServer();
  });

  describe('while it runs', () => {
    /** @type {ManagedProcess} */
    let server;
    before(async () => {
      server = await startManagedServer(binary);
    });
    after(async () => {
      server.control.close();
      await server.stop();
    });

    it('answers PING', async () => assert.equal(await server.control.ping(), 'PONG'));

    it('is the same server over TCP on 127.0.0.1 and over its unix socket', async () => {
      const { tcp, unix } = server.targets;
      assert.equal(tcp.host, '127.0.0.1');
      const ids = [];
      for (const target of [tcp, unix]) {
        const control = await connectControl(target);
        ids.push((await factsOf(control)).run_id);
        control.close();
      }
      assert.match(String(ids[0]), /^[0-9a-f]{40}$/);
      assert.equal(ids[0], ids[1]);
    });

    it('has its socket in a folder of its own that nobody else may enter', async () => {
      const path = String(server.targets.unix.path);
      const folder = await stat(dirname(path));
      assert.ok(folder.isDirectory());
      assert.equal(folder.mode & 0o777, 0o700);
      assert.equal((await stat(path)).mode & 0o077, 0);
    });

    it('keeps everything in memory, without limit', async () => {
      const { config } = server.control;
      assert.equal(await config('save'), '');
      assert.equal(await config('appendonly'), 'no');
      assert.equal(await config('maxmemory'), '0');
    });

    it('can be reached from this machine alone, loads no modules, and writes over no configuration', async () => {
      const { config, command } = server.control;
      assert.equal(await config('bind'), '127.0.0.1');
      assert.equal(await config('protected-mode'), 'yes');
      await assert.rejects(command('MODULE', 'LIST'), /unknown command/);
      await assert.rejects(command('CONFIG', 'REWRITE'), /without a config file/);
    });

    it('does not disturb a second one', async () => {
      const second = await startManagedServer(binary);
      try {
        assert.notEqual(second.targets.tcp.port, server.targets.tcp.port);
        assert.notEqual(second.targets.unix.path, server.targets.unix.path);
        assert.equal(await second.control.ping(), 'PONG');
      } finally {
        second.control.close();
        await second.stop();
      }
      assert.equal(await server.control.ping(), 'PONG');
    });
  });

  it('is gone with its folder once stop has resolved', async () => {
    const server = await startManagedServer(binary);
    const pid = Number((await factsOf(server.control)).process_id);
    const wasAlive = isAlive(pid);
    server.control.close();
    await server.stop();
    assert.equal(wasAlive, true);
    assert.equal(isAlive(pid), false);
    assert.equal(existsSync(dirname(String(server.targets.unix.path))), false);
    assert.equal(await listens(server.targets.tcp), false);
  });

  it('is gone with its folder within 2 s after kill -9 of the process that started it', async () => {
    const starter = spawn(process.execPath, [STARTER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(starter, 'exit');
    try {
      const [line] = await once(starter.stdout, 'data');
      const { pid, folder } = JSON.parse(String(line));
      assert.equal(isAlive(pid), true);
      assert.equal(existsSync(folder), true);
      starter.kill('SIGKILL');
      await exited;
      await until('server and folder to be gone', () => !isAlive(pid) && !existsSync(folder));
    } finally {
      starter.kill('SIGKILL');
    }
  });

  describe('a program that does not become a server', () => {
    /** @type {string} */
    let folder;
    /** @type {string | undefined} */
    let usualTemp;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rpb-broken-'));
      usualTemp = process.env.TMPDIR;
    });
    after(() => rm(folder, { recursive: true }));

    it('is reported with its own last words, and leaves no folder', async () => {
      const path = join(folder, 'broken-redis');
      await writeFile(path, '#!/bin/sh\necho starting\necho "Fatal: no luck today" >&2\nexit 1\n');
      await chmod(path, 0o755);
      process.env.TMPDIR = folder;
      try {
        await assert.rejects(startManagedServer(path), (error) => {
          assert.ok(error instanceof ServerError);
          assert.ok(error.message.includes(path), error.message);
          assert.match(error.message, /did not become ready.*Fatal: no luck today/);
          return true;
        });
      } finally {
        if (usualTemp === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = usualTemp;
      }
      assert.deepEqual(await readdir(folder), ['broken-redis']);
    });
  });
});
