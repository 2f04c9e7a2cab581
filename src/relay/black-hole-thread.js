import { createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** Listens and never accepts: see black-hole.js. */
const asleep = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

parentPort?.once('message', () => {
  createServer().listen({ ...workerData, backlog: 1 }, () => {
    parentPort?.postMessage('listens');
    Atomics.wait(asleep, 0, 0);
  });
});
parentPort?.postMessage('ready');
