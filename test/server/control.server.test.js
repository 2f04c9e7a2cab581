import assert from 'node:assert/strict';
import { connectControl } from '../../src/server/control.js';
import { openServer } from '../../src/server/open.js';
import { parseUrl } from '../../src/server/target.js';
import { startRedis } from '../helpers/redis-server.js';
import { until } from '../helpers/until.js';

describe('server/control', () => {
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => server.stop());

  const cut = () => server.query('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  const connections = async () => Number((await server.info()).connected_clients);

  it('is opened again when something has cut it, once for all that is asked', async () => {
    const control = await connectControl(parseUrl(server.url));
    try {
      const before = await connections();
      await cut();
      assert.deepEqual(await Promise.all([control.ping(), control.ping(), control.ping()]), [
        ...['PONG', 'PONG', 'PONG'],
      ]);
      assert.equal(await connections(), before);
    } finally {
      control.close();
    }
  });

  it('is not opened again once it was closed', async () => {
    const control = await connectControl(parseUrl(server.url));
    control.close();
    await assert.rejects(control.ping(), { name: 'ServerError', message: /The client is closed/ });
    await until('no connection but that of the test', async () => (await connections()) === 1);
  });

  it('says that the server is gone when it is', async () => {
    const control = await connectControl(parseUrl(server.url));
    await server.kill();
    await assert.rejects(control.ping(), { name: 'ServerError', message: /is gone \(ECONNREFUSED\)/ });
    control.close();
  });

  it('the server is confirmed as long as it is the same', async () => {
    const opened = await openServer(parseUrl(server.url));
    try {
      await cut();
      await opened.confirm();
      assert.ok(await opened.snapshot());
      await server.restart();
      await assert.rejects(opened.confirm(), { name: 'ServerError', message: /was restarted/ });
      await assert.rejects(opened.snapshot(), { name: 'ServerError', message: /was restarted/ });
    } finally {
      await opened.close();
    }
  });
});
