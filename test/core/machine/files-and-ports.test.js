import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ServerError } from '../../../src/core/errors.js';
import { freePort } from '../../../src/core/machine/files-and-ports.js';

const HOST = '127.0.0.1';

describe('free ports', () => {
  /** @type {import('node:net').Server[]} */
  const servers = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** @param {number} [port] any that is free, by default @returns {Promise<number>} */
  async function take(port = 0) {
    const server = createServer().listen({ host: HOST, port });
    servers.push(server);
    await once(server, 'listening');
    return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
  }

  it('are found, one that nobody listens on', async () => {
    const port = await freePort();
    assert.equal(await take(port), port);
  });

  it('are not found where all are in use, which is an error of the server', async () => {
    const port = await take();
    const range = { lowest: port, highest: port };
    await assert.rejects(freePort(0, range), (error) => {
      assert.ok(error instanceof ServerError);
      assert.equal(error.exitCode, 3);
      assert.match(error.message, /^no free port was found for a managed server: .* were in use/);
      return true;
    });
  });

  it('of a node of a cluster must be two, so far apart', async () => {
    const port = await take();
    const range = { lowest: port - 1, highest: port };
    await assert.rejects(freePort(1, range), { message: /^no free pair of ports, 1 apart, was found/ });
  });
});
