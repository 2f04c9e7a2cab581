import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { makeCertificates } from '../../src/server/certificates.js';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';

/**
 * @import { Report } from '../../src/store/types.js'
 * @import { ManagedProcess } from '../../src/server/types.js'
 */

const SMALL = [
  ...['--scenarios', 'shared-connection', '--size', '10', '--runs', '1', '--iterations', '50'],
  ...['--warmup-runs', '0'],
  ...['--pin', 'off', '--no-profile'],
];

describe('over TLS', () => {
  afterEach(endStarted);

  it('every client that can is measured beside tcp, the others are skipped with the reason', async () => {
    const args = ['--transport', 'tcp,tls', '--clients', 'redis,ioredis,raw', '--format', 'json', ...SMALL];
    const { code, stdout, stderr, temp } = await runCli(args);
    assert.equal(code, 0, stderr);
    /** @type {Report} */
    const { cells, server, warnings } = JSON.parse(stdout);
    const skipped = cells.filter((cell) => cell.skipped !== null);
    assert.deepEqual(
      skipped.map((cell) => [cell.client, cell.transport, cell.skipped]),
      [['raw', 'tls', { kind: 'client-lacks', client: 'raw', own: ['no tls'] }]],
    );
    for (const cell of cells.filter((each) => !skipped.includes(each))) {
      assert.deepEqual(
        cell.runs.map((run) => [run.failed, run.operations]),
        [[null, 400]],
        cell.id,
      );
    }
    assert.ok(server.transports.includes('tls'));
    assert.deepEqual(
      warnings.filter((text) => !/^too few runs/.test(text)),
      [],
    );
    assert.ok(!/BEGIN|PRIVATE/.test(stdout + stderr));
    assert.deepEqual(leftovers(temp), []);
  });

  describe('an external server', () => {
    /** @type {ManagedProcess} */
    let server;
    /** @type {string} */
    let folder;
    /** @type {string} */
    let authority;
    /** @type {string[]} */
    let args;
    before(async () => {
      const certificates = makeCertificates();
      server = await startManagedServer(await locateServer(), { certificates });
      folder = await mkdtemp(join(tmpdir(), 'rpb-tls-'));
      authority = join(folder, 'ca.pem');
      await writeFile(authority, certificates.ca);
      args = ['--clients', 'ioredis', '--url', `rediss://127.0.0.1:${server.targets.tls?.port}`, ...SMALL];
    });
    after(async () => {
      server.control.close();
      await Promise.all([server.stop(), rm(folder, { recursive: true })]);
    });

    it('is measured where --tls-ca knows its authority', async () => {
      const { code, stdout, stderr } = await runCli([...args, '--tls-ca', authority, '--format', 'json']);
      assert.equal(code, 0, stderr);
      /** @type {Report} */
      const { cells } = JSON.parse(stdout);
      assert.ok(cells.every(({ transport, skipped }) => transport === 'tls' && skipped === null));
      assert.ok(!/warning: --tls/.test(stderr), stderr);
    });

    it('is refused where its certificate does not verify', async () => {
      const { code, stdout, stderr } = await runCli(args);
      assert.equal(code, 3, stderr);
      assert.match(
        stderr,
        /^redis-pipe-bench: the certificate of 127\.0\.0\.1:\d+ does not verify.*--tls-ca/m,
      );
      assert.equal(stdout, '');
    });

    it('is verified by GLIDE too where other advanced options are given', async () => {
      const { cells } = await benchmark({
        ...{ clients: 'valkey-glide', scenarios: 'shared-connection', transport: 'tls', smoke: true },
        config: { 'valkey-glide': { advancedConfiguration: { connectionTimeout: 3000 } } },
      });
      assert.deepEqual([cells[0].skipped, cells[0].runs[0].failed], [null, null]);
    });

    it('is measured unverified with --tls-insecure, which warns', async () => {
      const { code, stderr } = await runCli([...args, '--tls-insecure']);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^warning: --tls-insecure: the certificate of 127\.0\.0\.1:\d+ was not verified/m);
    });
  });
});
