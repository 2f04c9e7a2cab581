import { until } from '../process/wait.js';
import { localPorts, TIME_WAIT_MS } from './open-files-and-ports.js';

const LOOK_EVERY_MS = 500;

/** The rest is left to other programs. */
const MOST = 0.5;

/**
 * Waits until enough local ports are free for a run that opens connections over TCP, and says so when
 * the machine does not have enough. The side that closes a connection keeps its port for a minute, and
 * a run that finds none left fails with EADDRNOTAVAIL.
 *
 * @param {object} run
 * @param {boolean} run.loopback whether the server is on this machine
 * @param {number} run.connections that it will open
 * @param {number} run.expectedMs
 * @param {AbortSignal} run.signal
 * @param {(message: string) => void} run.onNote
 */
export async function awaitPorts({ loopback, connections, expectedMs, signal, onNote }) {
  // A run of more than a minute gets its own first ports back.
  const aMinute = Math.ceil(connections * Math.min(1, TIME_WAIT_MS / expectedMs));
  let looks = 0;
  const look = async () => {
    const ports = await localPorts();
    if (ports === null || ports.reuse === 'always') return true;
    if (ports.reuse === 'loopback' && loopback) return true;
    const { all, waiting } = ports;
    const isFirst = looks++ === 0;
    if (isFirst && aMinute > all) {
      onNote(
        `may run out of local ports: it opens ${aMinute} connections a minute, and this machine has ${all} ports, ` +
          'each taken for a minute by the side that closes; --transport unix needs none',
      );
    }
    if (Math.min(aMinute, all * MOST) <= all - waiting || signal.aborted) return true;
    if (isFirst) onNote(`waits until local ports are free again: ${waiting} of ${all} are not yet`);
    return false;
  };
  await until(look, { everyMs: LOOK_EVERY_MS, withinMs: TIME_WAIT_MS, signal });
}
