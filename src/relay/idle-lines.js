import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../process/spawn.js';
import { sharedClock } from '../shared-clock.js';

/** @import { Line } from './types.js' */

const LOOK_EVERY_MS = 20;

/**
 * Forgets connections that are idle for too long, as a NAT, a firewall or a load balancer does.
 * @param {Set<Line>} lines @param {object} how @param {number} how.idleMs @param {number} how.untilMs by the shared clock
 * @param {(line: Line) => void} how.forget @returns {Promise<number>} how many it met
 */
export async function forgetIdle(lines, { idleMs, untilMs, forget }) {
  /** @type {Map<Line, {bytes: number, sinceMs: number}>} when something last passed */
  const known = new Map();
  let met = 0;
  for (; sharedClock() < untilMs; await sleep(LOOK_EVERY_MS)) {
    for (const line of lines) {
      if (line.isSilent) continue;
      const nowMs = sharedClock();
      const bytes = line.client.bytesRead + line.client.bytesWritten;
      const last = known.get(line);
      if (last?.bytes !== bytes) known.set(line, { bytes, sinceMs: nowMs });
      else if (nowMs - last.sinceMs >= idleMs) {
        last.sinceMs = Math.max(last.sinceMs, nowMs - (await sinceProbe(line)));
        if (nowMs - last.sinceMs < idleMs || line.client.destroyed) continue;
        forget(line);
        met++;
      }
    }
  }
  return met;
}

/**
 * The kernel's keep-alive probes end at this relay, and count as traffic in a network. The kernel of a side that sent
 * one knows when it was acknowledged, and `ss` shows that of processes on this machine.
 * @param {Line} line @returns {Promise<number>} milliseconds since the last probe of either side; endless where none is known of
 */
async function sinceProbe({ client, upstream }) {
  const ends = [
    [client.remotePort, client.localPort],
    [upstream.remotePort, upstream.localPort],
  ];
  const filter = ends.map(([from, to]) => `( sport = :${from} and dport = :${to} )`).join(' or ');
  return sinceAcknowledged(await run('ss', ['-tinHO', filter]).catch(() => ''));
}

/** @param {string} text of `ss`, a line for each socket; it leaves out a time of 0 @returns {number} the least of all */
export function sinceAcknowledged(text) {
  const sockets = text.split('\n').filter((line) => line.includes(' lastrcv:'));
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...sockets.map((line) => Number(/ lastack:(\d+)/.exec(line)?.[1] ?? 0)),
  );
}
