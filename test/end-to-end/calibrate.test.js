import assert from 'node:assert/strict';
import { measureCeilings } from '../../src/cli/commands/calibrate.js';
import { examine } from '../../src/cli/commands/doctor.js';
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

  it('measures over TLS', async () => {
    const shape = { connections: 1, depth: 1, transport: 'tls', runs: 1, durationMs: 30 };
    const { results } = await measureCeilings(shape);
    const [{ transport, verified, opsPerSecond }] = results;
    assert.deepEqual([transport, verified], ['tls', true]);
    assert.ok(opsPerSecond > 0);
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
});

describe('doctor', () => {
  afterEach(endStarted);

  it('measures a cell twice, and has advice for what is not fine, and only for that', async () => {
    // As short as that, the cell tells nothing of the machine.
    const short = { iterations: 50, runs: 2, starts: 1, warmupRuns: 0 };
    const found = await examine(/** @type {object} */ (short));
    const titles = found.map(({ title }) => title);
    for (const title of ['versions', 'processors', 'load average', 'server', 'noise (A/A)'])
      assert.ok(titles.includes(title), titles.join());
    const { found: noise } = found[titles.indexOf('noise (A/A)')];
    assert.match(noise, /^the same cell measured twice differs by [\d,.]+ %, its runs by up to [\d,.]+ %$/);
  });

  it('prints a line for each thing it looked at, and tells of a server that it cannot reach', async () => {
    const { code, stdout, temp } = await runCli(['doctor', '--url', 'redis://127.0.0.1:1']);
    assert.equal(code, 0);
    for (const title of ['versions', 'processors', 'load average'])
      assert.match(stdout, new RegExp(`^(ok|warn) +${title} `, 'm'));
    const lines = stdout.trimEnd().split('\n');
    lines.forEach((line, index) => {
      assert.equal(line.startsWith('warn'), /^ +→ /.test(lines[index + 1] ?? ''), line);
    });
    assert.deepEqual(leftovers(temp), []);
    assert.match(stdout, /^warn +server +none\n +→ nothing answers at 127\.0\.0\.1:1/m);
  });
});
