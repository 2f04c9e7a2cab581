import assert from 'node:assert/strict';
import { ServerError } from '../../src/errors.js';
import { freePort } from '../../src/machine/files-and-ports.js';
import { holdPort } from '../helpers/free-port.js';

describe('free ports', () => {
  /** @type {Awaited<ReturnType<typeof holdPort>>[]} */
  const held = [];
  afterEach(() => {
    for (const { close } of held.splice(0)) close();
  });

  /** @param {number} [port] */
  async function take(port) {
    const one = await holdPort(port);
    held.push(one);
    return one.port;
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
