import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRelayed } from '../helpers/relayed.js';
import { startTcpServer } from '../helpers/tcp-server.js';

/** @import { Socket } from 'node:net' */

describe('interruptions by the relay', () => {
  /** @type {Awaited<ReturnType<typeof startRelayed>>} */
  let relayed;
  const echo = (/** @type {Socket} */ socket) => {
    socket.on('data', (chunk) => socket.write(chunk));
    socket.on('error', () => {});
  };
  beforeEach(async () => {
    relayed = await startRelayed({}, echo);
  });
  afterEach(() => relayed.stop());

  /** @param {Socket} socket @param {string} text */
  async function ask(socket, text) {
    socket.write(text);
    const [reply] = await once(socket, 'data');
    assert.equal(String(reply), text);
  }

  /** @param {Promise<unknown>} connecting @returns {Promise<string>} why it fails */
  const refusal = (connecting) =>
    connecting.then(
      () => 'nothing',
      (error) => error.code,
    );

  it('cut resets all connections, and new ones pass', async () => {
    const sockets = await Promise.all([relayed.connect(), relayed.connect()]);
    for (const socket of sockets) await ask(socket, 'before');
    const ends = sockets.map((socket) => once(socket, 'error'));
    assert.equal((await relayed.interrupt({ kind: 'cut' })).connections, 2);
    for (const end of ends) assert.equal((await end)[0].code, 'ECONNRESET');
    await ask(await relayed.connect(), 'after');
    assert.equal(
      (await relayed.interrupt({ kind: 'cut' })).connections,
      1,
      'those that are cut count no more',
    );
  });

  it('silence lets nothing more through what is open, tells nobody, and new connections pass', async () => {
    const socket = await relayed.connect();
    await ask(socket, 'before');
    /** @type {string[]} */
    const heard = [];
    for (const event of ['data', 'end', 'error', 'close']) socket.on(event, () => heard.push(event));
    assert.equal((await relayed.interrupt({ kind: 'silence' })).connections, 1);
    socket.write('into the void');
    await ask(await relayed.connect(), 'after');
    await sleep(50);
    assert.deepEqual(heard, []);
    assert.equal(
      (await relayed.interrupt({ kind: 'silence' })).connections,
      1,
      'the silent one counts no more',
    );
  });

  it('close refuses connections until open, which may lead elsewhere', async () => {
    const other = await startTcpServer((socket) => void socket.on('data', () => socket.write('other')));
    try {
      const before = await relayed.connect();
      await ask(before, 'before');
      const end = once(before, 'error');
      await relayed.interrupt({ kind: 'close' });
      assert.equal((await end)[0].code, 'ECONNRESET');
      assert.equal(await refusal(relayed.connect()), 'ECONNREFUSED');
      await relayed.interrupt({ kind: 'open', upstreams: [{ host: '127.0.0.1', port: other.port }] });
      const socket = await relayed.connect();
      socket.write('?');
      assert.equal(String((await once(socket, 'data'))[0]), 'other');
      socket.destroy();
    } finally {
      await other.stop();
    }
  });

  it('delay makes round trips longer until it is taken back, and strikes when it was asked to', async () => {
    const socket = await relayed.connect();
    const asked = Number(process.hrtime.bigint()) / 1e6 + 30;
    const { atMs } = await relayed.interrupt({ kind: 'delay', byMs: 60, atMs: asked });
    assert.ok(atMs >= asked);
    const startedMs = performance.now();
    await ask(socket, 'slow');
    assert.ok(performance.now() - startedMs >= 59);
    await relayed.interrupt({ kind: 'delay', byMs: 0 });
    await ask(socket, 'again');
  });
});
