import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { ServerError } from '../../../src/core/errors.js';
import { freePort } from '../../../src/core/machine/files-and-ports.js';
import { freePort as anyPort } from '../../helpers/free-port.js';

const HOST = '127.0.0.1';

describe('free ports', () => {
  /** @type {import('node:net').Server[]} */
  const servers = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** @param {number} port */
  const take = (port) =>
    new Promise((resolve) => servers.push(createServer().listen({ host: HOST, port }, () => resolve(port))));

  it('are found, one that nobody listens on', async () => {
    const port = await freePort();
    assert.equal(await take(port), port);
  });

  it('are not found where all are in use, which is an error of the server', async () => {
    const port = await anyPort();
    await take(port);
    const range = { lowest: port, highest: port };
    await assert.rejects(freePort(0, range), (error) => {
      assert.ok(error instanceof ServerError);
      assert.equal(error.exitCode, 3);
      assert.match(error.message, /^no free port was found for a managed server: .* were in use/);
      return true;
    });
  });

  it('of a node of a cluster must be two, so far apart', async () => {
    const port = await anyPort();
    await take(port + 1);
    const range = { lowest: port, highest: port + 1 };
    await assert.rejects(freePort(1, range), { message: /^no free pair of ports, 1 apart, was found/ });
  });
});
