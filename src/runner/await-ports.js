import { setTimeout as sleep } from 'node:timers/promises';
import { RunError } from '../errors.js';
import { isLoopback } from '../server/target.js';
import { localPorts, TIME_WAIT_MS } from './limits.js';

const LOOK_EVERY_MS = 500;

/**
 * Waits until this machine has local ports enough for a run that opens connections: each leaves its
 * port taken for a minute, and a run that finds none left fails with EADDRNOTAVAIL.
 *
 * @param {object} run
 * @param {import('../types.js').Target} run.target
 * @param {number} run.connections that it will open
 * @param {number} run.expectedMs
 * @param {AbortSignal} run.signal
 * @param {() => void} run.onWait
 * @throws {RunError} when there never are as many
 */
export async function awaitPorts({ target, connections, expectedMs, signal, onWait }) {
  if (target.transport === 'unix') return;
  // In a longer run its own first ports are free again.
  const atOnce = Math.ceil(connections * Math.min(1, TIME_WAIT_MS / expectedMs));
  const deadline = performance.now() + TIME_WAIT_MS;
  for (let round = 0; ; round++) {
    const ports = await localPorts();
    if (ports === null || ports.reuse === 'always') return;
    if (ports.reuse === 'loopback' && isLoopback(target)) return;
    if (atOnce > ports.all) {
      throw new RunError(
        `the run would open ${atOnce} connections within a minute, but this machine has ${ports.all} local ports ` +
          'and a closed connection keeps its own for a minute; use fewer --iterations, or --transport unix',
      );
    }
    if (atOnce <= ports.all - ports.waiting || performance.now() > deadline || signal.aborted) return;
    if (round === 0) onWait();
    await sleep(LOOK_EVERY_MS);
  }
}
