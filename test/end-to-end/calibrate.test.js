import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ceilingTable } from '../../src/benchmark/report/tables/ceiling-table.js';
import { calibrate } from '../../src/cli/calibrate.js';
import { doctor } from '../../src/cli/doctor.js';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { bulk, startFakeRedis } from '../helpers/tcp-server.js';

const SHORT = ['calibrate', '--runs', '1', '--duration', '30ms', '--connections', '2', '--depth', '1,8'];

describe('calibrate', () => {
  afterEach(endStarted);

  it('gives JSON with verified figures', async () => {
    const { code, stdout, stderr } = await runCli([
      ...SHORT,
      '--transport',
      'tcp',
      '--format',
      'json',
      '--quiet',
    ]);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    const { results } = JSON.parse(stdout);
    assert.deepEqual(
      results.map((/** @type {any} */ each) => [each.transport, each.connections, each.depth, each.verified]),
      [
        ['tcp', 2, 1, true],
        ['tcp', 2, 8, true],
      ],
    );
    for (const { opsPerSecond, p50Us, p99Us, cpuUsPerOp } of results) {
      for (const figure of [opsPerSecond, p50Us, p99Us, cpuUsPerOp]) assert.ok(figure > 0);
    }
  });

  it('measures over TLS, and compares nothing there that speaks none', async () => {
    const shape = { connections: 1, depth: 1, transport: 'tls', runs: 1, durationMs: 30 };
    const { results, notes } = await calibrate({ ...shape, peers: true });
    const [{ transport, verified, opsPerSecond, peers }] = results;
    assert.deepEqual([transport, verified], ['tls', true]);
    assert.ok(opsPerSecond > 0);
    assert.equal(notes.length, Object.keys(peers ?? {}).length);
    for (const note of notes) assert.match(note, /^[\w-]+ was not run: it is compared without TLS only$/);
  });

  it('finds a reply that is wrong by one byte', async () => {
    let gets = 0;
    const server = await startFakeRedis((command) =>
      command === 'GET' && ++gets === 50 ? bulk('xxxxxxxxxy') : undefined,
    );
    try {
      const { code, stderr } = await runCli([...SHORT, '--url', server.url]);
      assert.equal(code, 4, stderr);
      assert.match(stderr, /the server replied .*not what was stored/);
    } finally {
      await server.stop();
    }
  });

  it('a peer that prints nothing usable costs its own figure, and nothing else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rpb-peers-'));
    const path = process.env.PATH;
    process.env.PATH = `${folder}${delimiter}${path}`;
    const peer = (/** @type {string} */ name, /** @type {string} */ script) =>
      writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    try {
      await peer('redis-benchmark', `printf '"test","rps"\\n"GET","4321.00"\\n'`);
      await peer('memtier_benchmark', "case \"$*\" in *'--test-time=2'*) echo 'Totals 0.00 0.00';; esac");
      const shape = { connections: 2, depth: 1, transport: 'tcp', runs: 1, durationMs: 30 };
      const calibration = await calibrate({ ...shape, peers: true });
      assert.ok(calibration.results[0].opsPerSecond > 0);
      assert.deepEqual(calibration.results[0].peers, { 'redis-benchmark': 4321, memtier_benchmark: null });
      assert.deepEqual(calibration.notes, ['memtier_benchmark printed a rate of 0']);
      assert.match(ceilingTable(calibration, 100), /4,321.*\n(.*\n)*memtier_benchmark printed/);
    } finally {
      process.env.PATH = path;
      await rm(folder, { recursive: true });
    }
  });

  it('compares in the database of the URL, and says once why a peer failed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rpb-peers-'));
    const path = process.env.PATH;
    process.env.PATH = `${folder}${delimiter}${path}`;
    const server = await startFakeRedis(() => undefined);
    const peer = (/** @type {string} */ name, /** @type {string} */ script) =>
      writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    try {
      await peer(
        'redis-benchmark',
        `case "$*" in *'--dbnum 3'*) printf '"test","rps"\\n"GET","5.00"\\n';; esac`,
      );
      await peer(
        'memtier_benchmark',
        `case "$*" in *version*) ;; *) printf 'Node h:1\\nNOAUTH Authentication required.\\n' >&2; exit 1;; esac`,
      );
      const shape = { connections: [1, 2], depth: 1, transport: 'tcp', runs: 2, durationMs: 30 };
      const { results, notes } = await calibrate({ ...shape, url: `${server.url}/3`, peers: true });
      for (const { peers } of results)
        assert.deepEqual(peers, { 'redis-benchmark': 5, memtier_benchmark: null });
      assert.deepEqual(notes, ['memtier_benchmark failed: NOAUTH Authentication required.']);
    } finally {
      process.env.PATH = path;
      await Promise.all([server.stop(), rm(folder, { recursive: true })]);
    }
  });

  it('runs no peer where there is a password, which its arguments would show', async () => {
    const server = await startFakeRedis(() => undefined);
    try {
      const shape = { connections: [1, 2], depth: 1, transport: 'tcp', runs: 1, durationMs: 30 };
      const url = server.url.replace('//', '//:s3cret@');
      const { peers, notes } = await calibrate({ ...shape, url, peers: true });
      const why =
        'peers were not run: they take a password only as an argument, which the list of processes shows';
      assert.deepEqual([peers, notes], [[], [why]]);
    } finally {
      await server.stop();
    }
  });
});

describe('doctor', () => {
  afterEach(endStarted);

  it('measures a cell twice, and has advice for what is not fine, and only for that', async () => {
    // As short as that, the cell tells nothing of the machine.
    const short = { iterations: 50, runs: 2, starts: 1, warmupRuns: 0 };
    const found = await doctor(/** @type {object} */ (short));
    const titles = found.map(({ title }) => title);
    for (const title of ['versions', 'clients', 'processors', 'load average', 'server', 'noise (A/A)'])
      assert.ok(titles.includes(title), titles.join());
    for (const { title, ok, advice } of found) assert.equal(ok, advice === null, title);
    const { found: noise } = found[titles.indexOf('noise (A/A)')];
    assert.match(noise, /^the same cell measured twice differs by [\d,.]+ %, its runs by up to [\d,.]+ %$/);
  });

  it('prints a line for each thing it looked at, and tells of a server that it cannot reach', async () => {
    const { code, stdout, temp } = await runCli(['doctor', '--url', 'redis://127.0.0.1:1']);
    assert.equal(code, 0);
    for (const title of ['versions', 'clients', 'processors', 'load average'])
      assert.match(stdout, new RegExp(`^(ok|warn) +${title} `, 'm'));
    const lines = stdout.trimEnd().split('\n');
    lines.forEach((line, index) => {
      assert.equal(line.startsWith('warn'), /^ +→ /.test(lines[index + 1] ?? ''), line);
    });
    assert.deepEqual(leftovers(temp), []);
    assert.match(stdout, /^warn +server +none\n +→ nothing answers at 127\.0\.0\.1:1/m);
  });
});
