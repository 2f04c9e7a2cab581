import assert from 'node:assert/strict';
import { calibrate } from '../../src/index.js';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { bulk, startFakeRedis } from '../helpers/tcp-server.js';

const SHORT = ['calibrate', '--runs', '1', '--duration', '30ms', '--connections', '2', '--depth', '1,8'];

describe('calibrate', () => {
  afterEach(endStarted);

  it('prints a table with a row for each shape', async () => {
    const { code, stdout, stderr, temp } = await runCli(SHORT);
    assert.equal(code, 0, stderr);
    for (const row of [/^ tcp +2 +1 /m, /^ tcp +2 +8 /m, /^ unix +2 +1 /m, /^ unix +2 +8 /m])
      assert.match(stdout, row);
    assert.deepEqual(leftovers(temp), []);
  });

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

  it('refuses a transport that the server does not have', async () => {
    const server = await startFakeRedis(() => undefined);
    try {
      await assert.rejects(calibrate({ url: server.url, transport: 'unix' }), /--transport: .* has no unix/);
    } finally {
      await server.stop();
    }
  });
});

describe('doctor', () => {
  afterEach(endStarted);

  it('has a line for each thing it looked at, and advice where it is not fine', async () => {
    const { code, stdout, temp } = await runCli(['doctor']);
    assert.equal(code, 0);
    for (const title of ['versions', 'clients', 'processors', 'load average', 'server', 'noise']) {
      assert.match(stdout, new RegExp(`^(ok|look) +${title}`, 'm'));
    }
    const lines = stdout.trimEnd().split('\n');
    lines.forEach((line, index) => {
      assert.equal(line.startsWith('look'), /^ +→ /.test(lines[index + 1] ?? ''), line);
    });
    assert.deepEqual(leftovers(temp), []);
  });

  it('tells of a server that it cannot reach', async () => {
    const { code, stdout } = await runCli(['doctor', '--url', 'redis://127.0.0.1:1']);
    assert.equal(code, 0);
    assert.match(stdout, /^look +server +none\n +→ nothing answers at 127\.0\.0\.1:1/m);
  });
});
