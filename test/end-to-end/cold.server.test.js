import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderReport } from '../../src/cli/render.js';
import { measure } from '../../src/index.js';
import { endStarted, leftovers, startCli } from '../helpers/cli.js';
import { processesOf } from '../helpers/processes.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { until } from '../helpers/until.js';

/** @import { BenchmarkOptions } from '../../src/commands/benchmark/types.js' */
/** @import { ColdRun } from '../../src/commands/cold/types.js' */

const HELPERS = fileURLToPath(new URL('../helpers/plugins/clients', import.meta.url));
const COLD = /** @type {const} */ ({ seed: 1, runs: 1, iterations: 1 });

/** @param {BenchmarkOptions} options */
async function run(options) {
  const report = await measure('cold', { ...COLD, ...options }, { pluginFolders: { clients: [HELPERS] } });
  assert.deepEqual(schemaErrors(report), []);
  return report;
}

describe('cold start', function () {
  this.timeout(240_000);
  afterEach(endStarted);

  it('the parts of a fresh process add up, and what it loaded is counted', async () => {
    const server = await startRedis();
    try {
      const before = await server.calls('get');
      const report = await run({ clients: 'redis,ioredis,raw', runs: 2, url: server.url });
      assert.equal((await server.calls('get')) - before, 6, 'one GET for each process');
      const colds = report.cells.map(({ client, runs }) => {
        assert.deepEqual(
          runs.map(({ failed, operations }) => [failed, operations]),
          [
            [null, 1],
            [null, 1],
          ],
          client,
        );
        const cold = /** @type {ColdRun} */ (runs[0].cold);
        const parts = ['startMs', 'importMs', 'connectMs', 'replyMs'];
        const sum = parts.reduce((all, part) => all + Number(cold[/** @type {'startMs'} */ (part)]), 0);
        assert.ok(Math.abs(sum - Number(cold.firstReplyMs)) < 1e-6, client);
        assert.equal(
          runs[0].opsPerSecond,
          1000 / Number(cold.firstReplyMs),
          'what is compared is what is shown',
        );
        const known = Object.entries(cold).filter(([, value]) => value !== null);
        for (const [name, value] of known) assert.ok(Number(value) >= 0, `${client}: ${name} is ${value}`);
        return cold;
      });
      const [redis, ioredis, raw] = colds;
      assert.deepEqual([raw.modules, raw.installedBytes], [null, null], 'it has no library');
      for (const { installedBytes, rssBytes } of [redis, ioredis])
        assert.ok(Number(installedBytes) > 100_000 && Number(rssBytes) > 1e7);
      const screen = await renderReport(report, 'table');
      assert.match(screen, /^ +first reply +behind +start +import +connect +reply/m);
      assert.deepEqual(await server.contents(), {}, 'it stores nothing');
    } finally {
      await server.stop();
    }
  });

  it('a distance is in what waits for the server, and a cluster is found', async () => {
    // raw has read nothing when it is connected.
    const far = await run({ clients: 'ioredis,raw', rtt: '300ms' });
    for (const { client, runs } of far.cells) {
      const { replyMs, connectMs } = /** @type {ColdRun} */ (runs[0].cold);
      // The relay waits for less where it is late by itself: by some 10 ms beside other programs.
      assert.ok(Number(replyMs) >= 200, `${client}: a round trip took ${replyMs} ms`);
      assert.ok(Number(connectMs) >= 200, `${client}: and one to connect, at least, ${connectMs} ms`);
    }
    const cluster = await run({ clients: 'ioredis', topology: 'cluster' });
    for (const { client, runs, keys } of cluster.cells)
      assert.deepEqual([runs[0].failed, keys], [null, far.cells[0].keys], client);
  });

  it('a process that goes wrong fails its cell alone, with the reason', async () => {
    const wrongs = {
      refuses: /refused on purpose/,
      hangs: /no first reply within 3 s/,
      exits: /its process ended with exit code 7/,
      killed: /its process was killed by SIGKILL/,
      throws: /its process ended with exit code 1: Error: thrown on purpose/,
    };
    const names = [...Object.keys(wrongs).map((name) => `stubborn:${name}`), 'stubborn:lingers', 'stubborn'];
    const report = await run({ clients: names, runs: 2, runTimeoutMs: 3000 });
    const byVariant = new Map(report.cells.map((cell) => [cell.variant, cell.runs]));
    for (const [name, reason] of Object.entries(wrongs)) {
      const runs = byVariant.get(name) ?? [];
      assert.equal(runs.length, 1, `${name}: the first that fails is the last`);
      assert.match(String(runs[0].failed), reason);
    }
    const [lingering] = byVariant.get('lingers') ?? [];
    assert.equal(lingering.failed, null);
    assert.match(lingering.warnings.join(), /1 of 1 process kept running after its connection was closed/);
    assert.deepEqual(
      byVariant.get('default')?.map(({ failed, warnings }) => [failed, warnings]),
      [
        [null, []],
        [null, []],
      ],
    );
  });

  it('a library that cannot be imported, or not be bundled', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-broken-'));
    try {
      mkdirSync(join(folder, 'redis'));
      const manifest = { name: 'redis', version: '6.0.0', main: 'index.js' };
      writeFileSync(join(folder, 'redis', 'package.json'), JSON.stringify(manifest));
      // It can be where the tool tries it, and no longer where it is measured.
      const code =
        "if (process.argv[1]?.endsWith('cold/child.js')) { require('./native.node'); throw new Error('broken'); }";
      writeFileSync(join(folder, 'redis', 'native.node'), '');
      writeFileSync(join(folder, 'redis', 'index.js'), code);
      const clients = `ioredis,redis@path:${join(folder, 'redis')}`;
      const report = await run({ clients, bundle: 'none,esbuild' });
      const failed = (/** @type {string} */ client) =>
        report.cells.flatMap((cell) => (cell.client === client ? cell.runs[0].failed : []));
      assert.deepEqual(failed('ioredis'), [null, null]);
      const broken = failed('redis');
      assert.match(String(broken[0]), /native\.node/);
      assert.match(
        String(broken[1]),
        /^esbuild cannot bundle it: No loader is configured for "\.node" files/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a library in one file is one module, and the file its size', async () => {
    const report = await run({ clients: 'ioredis,valkey-glide,raw', bundle: 'none,esbuild' });
    const ofIoredis = report.cells.filter(({ client }) => client === 'ioredis');
    const [installed, bundled] = ofIoredis.map(({ runs }) => /** @type {ColdRun} */ (runs[0].cold));
    assert.ok(Number(installed.modules) > 1);
    assert.equal(bundled.modules, 1);
    assert.ok(Number(bundled.installedBytes) > 50_000);
    assert.ok(Number(bundled.installedBytes) < Number(installed.installedBytes));
    assert.deepEqual(
      report.cells.flatMap(({ skipped }) => skipped ?? []),
      [
        ['valkey-glide', 'no way to bundle it: its native part must stay a file of its own'],
        ['raw', 'no library to bundle'],
      ].map(([client, own]) => ({ kind: 'client-lacks', client, own: [own] })),
    );
  });

  it('each Node binary that was asked for starts its processes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpb-node-'));
    try {
      const [other, log] = [join(folder, 'node'), join(folder, 'log')];
      writeFileSync(other, `#!/bin/sh\necho "$*" >> ${log}\nexec ${process.execPath} "$@"\n`, {
        mode: 0o755,
      });
      const report = await run({ clients: 'raw', nodeBin: [process.execPath, other], iterations: 2 });
      assert.deepEqual(
        report.cells.map(({ runs }) => runs[0].failed),
        [null, null],
      );
      const started = readFileSync(log, 'utf8').split('\n');
      assert.equal(started.filter((line) => line.endsWith('cold/child.js')).length, 2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('what runs while the tool ends, however it does, ends too', async () => {
    const hanging = join(mkdtempSync(join(tmpdir(), 'rpb-hanging-')), 'hanging.mjs');
    writeFileSync(
      hanging,
      `export default { connect() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }, package: null, capabilities: [] };`,
    );
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGKILL'])) {
      const cli = startCli(['cold', '--clients', hanging, '--pin', 'off']);
      await until('its process to hang', () =>
        processesOf(cli.temp).some(({ command }) => command.includes('cold/child')),
      );
      cli.signal(signal);
      const { code } = await cli.result;
      assert.equal(code, signal === 'SIGINT' ? 130 : null);
      await until(
        () => `nothing to be left of ${leftovers(cli.temp)}`,
        () => leftovers(cli.temp).every((what) => !what.startsWith('process')),
      );
    }
    rmSync(join(hanging, '..'), { recursive: true });
  });
});
