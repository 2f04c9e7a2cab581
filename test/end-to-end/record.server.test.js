import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProfile } from '../../src/commands/traffic/describe-profile.js';
import { record } from '../../src/commands/traffic/record.js';
import { encodeCommand } from '../../src/relay/resp.js';
import { makeCertificates } from '../../src/server/certificates.js';
import { startManagedServer } from '../../src/server/managed.js';
import { locateServer } from '../../src/server/sources.js';
import { endStarted, leftovers, runCli, startCli } from '../helpers/cli.js';
import { freePort } from '../helpers/free-port.js';
import { dial } from '../helpers/recorded.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

const SET = encodeCommand(['SET', 'key', 'value']).toString('latin1');

describe('record', () => {
  /** @type {string} */
  let folder;
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rpb-record-'));
    server = await startRedis();
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });
  afterEach(endStarted);

  /** @param {ReturnType<typeof startCli>} cli @returns {Promise<number>} the port on which it listens */
  async function portOf(cli) {
    let text = '';
    cli.child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    await cli.says(/listening on 127\.0\.0\.1:\d+/);
    return Number(/listening on 127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
  }

  it('ends with Ctrl-C, closes connections, and leaves a whole profile', async () => {
    const output = join(folder, 'traffic.ndjson.gz');
    const cli = startCli(['record', '--url', server.url, '--output', output]);
    const { say, isClosed } = await dial(await portOf(cli));
    await say(SET, '+OK\r\n');
    cli.signal('SIGINT');
    const { code, stderr, temp } = await cli.result;
    assert.equal(code, 0, stderr);
    await until('the connection to be closed', isClosed);
    assert.match(stderr, /recorded 1 command of 1 connection in /);
    assert.match(
      stderr,
      /1 command of 1 connection in .*\n\n.* commands +share +sent p50.*\n.*\n SET +1 +100 %/,
      'and its profile',
    );
    assert.deepEqual(leftovers(temp), []);
    const summary = await describeProfile(output);
    assert.deepEqual([summary.commands, summary.cutOff, summary.reason], [1, 'no', 'interrupted']);
  });

  it('reaches a server by TLS, and ends after --for', async () => {
    const certificates = makeCertificates();
    const secure = await startManagedServer(await locateServer(), { certificates });
    try {
      const { tls } = secure.targets;
      assert.ok(tls);
      const output = join(folder, 'tls.ndjson');
      const url = `rediss://127.0.0.1:${tls.port}`;
      const cli = startCli(['record', '--url', url, '--tls-insecure', '--output', output, '--for', '2s']);
      const { say } = await dial(await portOf(cli));
      await say(SET, '+OK\r\n');
      assert.equal((await cli.result).code, 0);
      assert.equal((await describeProfile(output)).commands, 1);
      const refused = await runCli(['record', '--url', url, '--output', output]);
      assert.equal(refused.code, 3);
      assert.match(refused.stderr, /certificate/);
    } finally {
      await secure.stop();
    }
  });

  it('warns of a node of a cluster, whose clients go past it', async () => {
    // By default the bus takes the port 10,000 higher, which may be in use.
    const busPort = await freePort();
    const node = await startRedis({ args: ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`] });
    try {
      const ofCluster = async (/** @type {string} */ url) => {
        const ending = new AbortController();
        /** @type {unknown[]} */
        const told = [];
        await record(
          { url, output: join(folder, 'node.ndjson') },
          {
            signal: ending.signal,
            onEvent(event) {
              if (event.type === 'listening') told.push(event.ofCluster);
              ending.abort();
            },
          },
        );
        return told;
      };
      assert.deepEqual([await ofCluster(node.url), await ofCluster(server.url)], [[true], [false]]);
    } finally {
      await node.stop();
    }
  });

  it('says what is wrong before it begins', async () => {
    const output = ['--output', join(folder, 'none.ndjson')];
    const wrong = [
      { args: ['--url', 'redis://127.0.0.1:1'], code: 3, says: /nothing answers at 127\.0\.0\.1:1/ },
      { args: ['--url', server.url, '--listen', `${server.port}`], code: 2, says: /--listen: .*EADDRINUSE/ },
      { args: ['--url', server.url, '--listen', 'here'], code: 2, says: /--listen: expected a port/ },
      { args: [], code: 2, says: /expected --url/ },
    ];
    for (const { args, code, says } of wrong) {
      const ended = await runCli(['record', ...args, ...output]);
      assert.equal(ended.code, code, ended.stderr);
      assert.match(ended.stderr, says);
    }
  });

  it('says that the disk is full, goes on, and fails at the end', async () => {
    const cli = startCli(['record', '--url', server.url, '--output', '/dev/full', '--for', '3s']);
    const { say } = await dial(await portOf(cli));
    await say(SET, '+OK\r\n');
    await cli.says(/the recording has stopped.*ENOSPC.*the relay goes on/);
    await say(SET, '+OK\r\n');
    assert.equal((await cli.result).code, 4);
  });
});
