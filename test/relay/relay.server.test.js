import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sumHistograms } from '../../src/statistics/latency.js';
import { startRelayed } from '../helpers/relayed.js';
import { until } from '../helpers/until.js';

/** @import { Socket } from 'node:net' */

const RTT_MS = 60;
/** Two clocks read one after the other. */
const ROUNDING_MS = 0.5;

describe('the relay', () => {
  /** @type {Awaited<ReturnType<typeof startRelayed>>} */
  let relayed;
  afterEach(() => relayed.stop());

  /** @param {Parameters<typeof startRelayed>[0]} distance @param {(socket: Socket) => void} onConnection */
  async function start(distance, onConnection) {
    relayed = await startRelayed(distance, onConnection);
    return relayed.connect();
  }

  /** @param {Socket} socket */
  const echo = (socket) => void socket.on('data', (chunk) => socket.write(chunk));

  /** @param {Socket} socket @param {string} text */
  async function ask(socket, text) {
    const startedMs = performance.now();
    socket.write(text);
    const [reply] = await once(socket, 'data');
    assert.equal(String(reply), text);
    return performance.now() - startedMs;
  }

  for (const distance of [{ rttMs: 0 }, { rttMs: 5 }, { rttMs: 5, jitterPercent: 100 }]) {
    it(`passes on all bytes in their order, ${JSON.stringify(distance)}`, async () => {
      const socket = await start(distance, echo);
      const sent = createHash('sha1');
      const received = createHash('sha1');
      socket.on('data', (chunk) => received.update(chunk));
      for (let count = 0; count < 400; count++) {
        const chunk = randomBytes(1 + Math.floor(Math.random() ** 4 * 200_000));
        sent.update(chunk);
        socket.write(chunk);
        if (count % 7 === 0) await sleep(1);
      }
      socket.end();
      await once(socket, 'end');
      assert.equal(received.digest('hex'), sent.digest('hex'));
    });
  }

  it('holds back the first bytes of a connection for a round trip more', async () => {
    const socket = await start({ rttMs: RTT_MS }, echo);
    assert.ok((await ask(socket, 'first')) >= 2 * RTT_MS - ROUNDING_MS);
    assert.ok((await ask(socket, 'second')) >= RTT_MS - ROUNDING_MS);
  });

  it('holds back the end of the stream, and leaves the other half open', async () => {
    /** @type {Promise<string>[]} */
    const heard = [];
    const socket = await start({ rttMs: RTT_MS }, (upstream) => {
      upstream.allowHalfOpen = true;
      heard.push(once(upstream, 'data').then(String));
      upstream.end('bye');
    });
    const startedMs = performance.now();
    socket.resume();
    await once(socket, 'end');
    assert.ok(performance.now() - startedMs >= RTT_MS / 2 - ROUNDING_MS);
    socket.end('still here');
    assert.equal(await heard[0], 'still here');
  });

  it('resets the other side when one is reset, no sooner than the distance allows', async () => {
    /** @type {(error: any) => void} */
    let tell = () => {};
    const failed = new Promise((resolve) => {
      tell = resolve;
    });
    const socket = await start({ rttMs: RTT_MS }, (upstream) => {
      upstream.on('error', tell);
      echo(upstream);
    });
    await ask(socket, 'hello');
    const startedMs = performance.now();
    socket.resetAndDestroy();
    assert.equal((await failed).code, 'ECONNRESET');
    assert.ok(performance.now() - startedMs >= RTT_MS / 2 - ROUNDING_MS);
  });

  it('resets connections that the server refuses', async () => {
    const socket = await start({ rttMs: 1 }, echo);
    await ask(socket, 'hello');
    await relayed.server.stop();
    const other = await relayed.connect();
    const [error] = await once(other, 'error');
    assert.equal(error.code, 'ECONNRESET');
  });

  it('keeps many connections apart', async () => {
    await start({ rttMs: 2 }, echo);
    const sockets = await Promise.all(Array.from({ length: 300 }, () => relayed.connect()));
    await Promise.all(sockets.map((socket, index) => ask(socket, `text of ${index}`)));
    for (const socket of sockets) socket.destroy();
  });

  it('stops reading when too much waits, and goes on when there is room again', async () => {
    const ALL = 150;
    const chunk = Buffer.alloc(1e6, 'x');
    let received = 0;
    /** @type {Socket | undefined} */
    let upstream;
    const socket = await start({ rttMs: 2 }, (accepted) => {
      upstream = accepted.pause();
      upstream.on('data', (part) => {
        received += part.length;
      });
    });
    await relayed.takeFigures();
    for (let count = 0; count < ALL; count++) socket.write(chunk);
    await until('the relay to stop reading', () => relayed.takeFigures().pauses > 0);
    for (let before = -1; before !== socket.writableLength; await sleep(200)) before = socket.writableLength;
    assert.ok(socket.writableLength > 50e6, `${socket.writableLength} bytes were not taken`);
    upstream?.resume();
    socket.end();
    await once(/** @type {Socket} */ (upstream), 'end');
    assert.equal(received, ALL * chunk.length);
  });

  it('has room for one connection however many others are idle', async () => {
    const REPLY = Buffer.alloc(500_000, 'x');
    const socket = await start(
      { rttMs: 20 },
      (accepted) => void accepted.on('data', () => accepted.write(REPLY)),
    );
    // A share for each would be less than the reply.
    const idle = await Promise.all(Array.from({ length: 150 }, () => relayed.connect()));
    for (const each of idle) each.resume();
    relayed.takeFigures();
    for (let count = 0; count < 3; count++) {
      socket.write('more');
      let received = 0;
      while (received < REPLY.length) received += (await once(socket, 'data'))[0].length;
    }
    assert.equal(relayed.takeFigures().pauses, 0);
  });

  it('moves to another distance with the connections that it has', async () => {
    const socket = await start({ rttMs: 0 }, echo);
    await ask(socket, 'near');
    relayed.move({ rttMs: RTT_MS, jitterPercent: 0 });
    assert.ok((await ask(socket, 'far')) >= RTT_MS - ROUNDING_MS);
    relayed.move({ rttMs: 0, jitterPercent: 0 });
    // One of them may be held up by other work, and the first by what is still on its way; not all.
    const near = [];
    for (let count = 0; count < 10; count++) near.push(await ask(socket, 'near'));
    assert.ok(Math.min(...near) < RTT_MS, `${near}`);
  });

  it('counts how late round trips were', async () => {
    const socket = await start({ rttMs: 2 }, echo);
    for (let count = 0; count < 20; count++) await ask(socket, `${count}`);
    const late = sumHistograms([relayed.takeFigures().lateHdr]);
    assert.equal(late.totalCount, 20);
    assert.equal(sumHistograms([relayed.takeFigures().lateHdr]).totalCount, 0);
  });
});
