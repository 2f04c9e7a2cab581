import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStarted, runCli } from '../../helpers/cli.js';
import { startRegistry } from '../../helpers/npm-registry.js';

describe('commands/history/bisect', () => {
  /** @type {Awaited<ReturnType<typeof startRegistry>>} */
  let registry;
  /** @type {string} */
  let cache;
  before(async () => {
    cache = mkdtempSync(join(tmpdir(), 'rpb-bisect-'));
    registry = await startRegistry('ioredis', { '5.8.0': {}, '5.8.1': {}, '5.9.0': {} });
  });
  afterEach(endStarted);
  after(async () => {
    await registry.stop();
    rmSync(cache, { recursive: true });
  });

  /** @param {string[]} args */
  const run = (...args) =>
    runCli(['bisect', '--client', 'ioredis', '--from', '5.8.0', '--to', '5.9.0', '--dry-run', ...args], {
      env: { ...registry.env, XDG_CACHE_HOME: cache },
    });

  it('lists the releases that it would measure', async () => {
    const { code, stdout, stderr } = await run();
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      stdout,
      '3 releases of ioredis, of which about 3 would be measured\n\n5.8.0, 5.8.1, 5.9.0\n',
    );
  });

  for (const args of [
    ['--tasks', '1,8'],
    ['--workload', 'fetch:20'],
    ['--command', 'GET {key}', '--command', 'TTL {key}'],
    ['--command', 'GET {key} ; TTL {key}'],
    ['--server-config', 'none', '--server-config', 'io-threads 4'],
    ['--url', 'redis://:secret@127.0.0.1:1,redis://127.0.0.1:2'],
  ]) {
    it(`refuses ${args.join(' ')}, which makes several cells, and shows no secret`, async () => {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(
        stderr,
        /^redis-pipe-bench: expected options of one cell, .* these make \d+, such as '.*' and '.*'$/m,
      );
      assert.doesNotMatch(stderr, /secret/);
    });
  }
});
