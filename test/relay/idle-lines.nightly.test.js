import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedClock } from '../../src/process/shared-clock.js';
import { sinceAcknowledged } from '../../src/relay/interrupt.js';
import { startRelayed } from '../helpers/relayed.js';
import { timed } from '../helpers/timed.js';

/** @import { Socket } from 'node:net' */

describe('connections that a network forgets', () => {
  /** @type {Awaited<ReturnType<typeof startRelayed>>} */
  let relayed;
  beforeEach(async () => {
    relayed = await startRelayed({}, (socket) => {
      socket.on('data', (chunk) => socket.write(chunk));
      socket.on('error', () => {});
    });
  });
  afterEach(() => relayed.stop());

  /** @param {number} byMs @param {number} forMs @param {boolean} [resets] @returns {Promise<number>} how many it met */
  async function forget(byMs, forMs, resets) {
    const untilMs = sharedClock() + forMs;
    return (await relayed.interrupt({ kind: 'forget', byMs, untilMs, resets })).connections;
  }

  /** @param {Socket} socket @param {string} text */
  async function ask(socket, text) {
    socket.write(text);
    const [reply] = await once(socket, 'data');
    assert.equal(String(reply), text);
  }

  for (const resets of [false, true])
    it(`are ${resets ? 'reset at the next packet' : 'silent'}, and new ones pass`, async () => {
      const socket = await relayed.connect();
      /** @type {string[]} */
      const heard = [];
      for (const event of ['data', 'end', 'error', 'close']) socket.on(event, () => heard.push(event));
      assert.equal(await forget(100, 300, resets), 1);
      assert.deepEqual(heard, [], 'nobody is told');
      socket.write('next');
      if (resets) await new Promise((resolve) => socket.once('close', resolve));
      await ask(await relayed.connect(), 'after');
      assert.deepEqual(heard, resets ? ['error', 'close'] : []);
    });

  it('are not those whose probe has just been acknowledged, a time that ss leaves out', () => {
    const line = 'ESTAB 0 0 127.0.0.1:40000 127.0.0.1:6390 cubic rto:204 lastsnd:4012 lastrcv:4012';
    assert.equal(sinceAcknowledged(`${line} lastack:4012 rcv_space:65495`), 4012);
    assert.equal(sinceAcknowledged(`${line} lastack:4012\n${line} rcv_space:65495\n`), 0);
    assert.equal(sinceAcknowledged(''), Number.POSITIVE_INFINITY, 'no such socket on this machine');
  });

  timed('are not those on which something passes', async () => {
    const [busy, idle] = [await relayed.connect(), await relayed.connect()];
    let heard = '';
    const timer = setInterval(() => busy.write('.'), 20);
    const isHeard = new Promise((resolve) => {
      busy.on('data', (chunk) => {
        heard += chunk;
        if (heard.endsWith('still there')) resolve(null);
      });
    });
    try {
      assert.equal(await forget(500, 800), 1);
    } finally {
      clearInterval(timer);
    }
    busy.write('still there');
    await isHeard;
    idle.destroy();
  });

  timed('are not those whose kernel sends probes, where ss shows them', async function () {
    const [probing, idle] = [await relayed.connect(), await relayed.connect()];
    await ask(probing, 'before');
    await sleep(100);
    const { stdout } = spawnSync('ss', ['-tinHO', `sport = :${probing.localPort}`], { encoding: 'utf8' });
    if (!stdout?.includes(' lastrcv:')) this.skip();
    probing.setKeepAlive(true, 1000);
    assert.equal(await forget(1500, 2200), 1);
    await ask(probing, 'still there');
    idle.destroy();
  });
});
