import assert from 'node:assert/strict';
import { allAtOnce } from '../helpers/all-at-once.js';
import { endStarted, QUICK, startCli } from '../helpers/cli.js';
import { startLyingProxy } from '../helpers/lying-proxy.js';
import { startRedis } from '../helpers/redis-server.js';

/** The command that is never answered: the client that sends it, and what it is doing then. */
const HANGS = {
  HELLO: ['redis', 'connecting'],
  CLIENT: ['ioredis', 'connecting'],
  SET: ['raw', 'storing data'],
  GET: ['raw', 'storing data'],
};

describe('a server that answers PING, but never', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    server = await startRedis();
  });
  after(async () => {
    await endStarted();
    await server?.stop();
  });

  /** @param {string} command @param {string} client @param {string} doing */
  async function hangs(command, client, doing) {
    const proxy = await startLyingProxy(server);
    proxy.tell(([name]) => (name === command ? null : undefined));
    try {
      const { code, stderr } = await startCli([
        ...[...QUICK, '--clients', client, '--url', proxy.url, '--run-timeout', '5s'],
      ]).result;
      assert.equal(code, 4, stderr);
      if (process.platform !== 'linux') return;
      assert.match(
        stderr,
        new RegExp(`^warning: .*: no reply for \\d+ s while ${doing}; waiting for the server`, 'm'),
      );
      assert.match(
        stderr,
        new RegExp(
          `^failed: .*: the worker had no reply for \\d+ s while ${doing} \\(--run-timeout\\)$`,
          'm',
        ),
      );
    } finally {
      await proxy.stop();
    }
  }

  allAtOnce(
    Object.fromEntries(
      Object.entries(HANGS).map(([command, [client, doing]]) => [
        `${command}: a warning after 2 s, and an end after --run-timeout, both with what it waits for`,
        () => hangs(command, client, doing),
      ]),
    ),
    async () => undefined,
  );
});
