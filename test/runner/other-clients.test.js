import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { amongOthers } from '../../src/runner/other-clients.js';
import { startWorkers } from '../../src/runner/workers.js';
import { childrenOf } from '../helpers/processes.js';
import { until } from '../helpers/until.js';

/** @import { BackgroundPart } from '../../src/plan/types.js' */

/** @type {BackgroundPart} */
const PART = {
  name: 'GET 10 @ 100/s by others',
  command: 'get',
  bytes: 10,
  ms: null,
  perSecond: 100,
  byOthers: true,
};

describe('other clients of the server', () => {
  it('end with the workers of the cell, also while the server keeps them waiting', async () => {
    /** @type {import('node:net').Socket[]} */
    const sockets = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (silent.address());
    const job = {
      ...{ client: 'raw', variant: 'default', clientOptions: {}, entry: null, keyPrefix: 'rpb:test' },
      ...{ keySize: 10, valueSize: 10, shortestValue: 10, keyDistribution: 'sequential', seed: 1 },
      ...{ oneSlot: false, runIds: null, removal: ['DEL'] },
      target: { transport: 'tcp', host: '127.0.0.1', port },
    };
    const workers = startWorkers({ processes: 1, runtime: null }, null, () => {});
    const all = amongOthers(workers, [PART, PART], (given) => given);
    const prepared = assert.rejects(all.call('prepare', job), /SIGKILL/);
    await once(silent, 'connection');
    await all.kill();
    await prepared;
    await until('no worker to be left', () => childrenOf('worker/entry.js').length === 0);
    for (const socket of sockets) socket.destroy();
    silent.close();
    await once(silent, 'close');
  });
});
