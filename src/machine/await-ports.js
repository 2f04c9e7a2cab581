import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback } from '../server/target.js';
import { localPorts, TIME_WAIT_MS } from './open-files-and-ports.js';

/** @import { Target } from '../server/types.js' */

const LOOK_EVERY_MS = 500;

/** Beyond this part of them, connections to other servers and of other programs may need what is left. */
const MOST = 0.5;

/**
 * Foresees that a run which opens connections may use up this machine's local ports, and waits until
 * those of earlier runs are free again: the side that closes a connection keeps its port for a minute,
 * and a run that finds none left fails with EADDRNOTAVAIL.
 *
 * @param {object} run
 * @param {Target} run.target
 * @param {number} run.connections that it will open
 * @param {number} run.expectedMs
 * @param {AbortSignal} run.signal
 * @param {(message: string) => void} run.onNote
 */
export async function awaitPorts({ target, connections, expectedMs, signal, onNote }) {
  if (target.transport === 'unix') return;
  // In a longer run its own first ports are free again.
  const aMinute = Math.ceil(connections * Math.min(1, TIME_WAIT_MS / expectedMs));
  const deadline = performance.now() + TIME_WAIT_MS;
  for (let round = 0; ; round++) {
    const ports = await localPorts();
    if (ports === null || ports.reuse === 'always') return;
    if (ports.reuse === 'loopback' && isLoopback(target)) return;
    const { all, waiting } = ports;
    if (round === 0 && aMinute > all) {
      onNote(
        `may run out of local ports: it opens ${aMinute} connections a minute, and this machine has ${all} ports, ` +
          'each taken for a minute by the side that closes; --transport unix needs none',
      );
    }
    const wanted = Math.min(aMinute, all * MOST);
    if (wanted <= all - waiting || performance.now() > deadline || signal.aborted) return;
    if (round === 0) onNote(`waits until local ports are free again: ${waiting} of ${all} are not yet`);
    await sleep(LOOK_EVERY_MS);
  }
}
