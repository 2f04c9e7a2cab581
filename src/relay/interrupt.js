import { setTimeout as sleep } from 'node:timers/promises';
import { sharedClock } from '../process/shared-clock.js';
import { run } from '../process/spawn.js';

/** @import { Line } from './relay.js' */

/** @param {Line} line */
export function resetLine({ client, upstream }) {
  client.resetAndDestroy();
  upstream.resetAndDestroy();
}

/** Answers the client's next packet with a reset, as many firewalls and load balancers do. @param {Line} line */
export function resetAtNext(line) {
  line.isSilent = true;
  line.client.once('data', () => resetLine(line));
}

/** @param {Line} line */
export function silence(line) {
  line.isSilent = true;
  line.client.pause();
  line.upstream.pause();
}

const LOOK_EVERY_MS = 20;

/**
 * Forgets idle connections as a NAT, firewall or load balancer does.
 * @param {Set<Line>} lines @param {object} how @param {number} how.idleMs @param {number} how.untilMs shared clock
 * @param {(line: Line) => void} how.forget
 */
export async function forgetIdle(lines, { idleMs, untilMs, forget }) {
  /** @type {Map<Line, {bytes: number, sinceMs: number}>} when data last passed */
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

/** Keep-alive probes end at this relay; `ss` shows when one was last acknowledged. @param {Line} line */
async function sinceProbe({ client, upstream }) {
  const ends = [
    [client.remotePort, client.localPort],
    [upstream.remotePort, upstream.localPort],
  ];
  const filter = ends.map(([from, to]) => `( sport = :${from} and dport = :${to} )`).join(' or ');
  return sinceAcknowledged(await run('ss', ['-tinHO', filter]).catch(() => ''));
}

/** @param {string} text of `ss`, one line per socket, without times of 0 @returns {number} the smallest */
export function sinceAcknowledged(text) {
  const sockets = text.split('\n').filter((line) => line.includes(' lastrcv:'));
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...sockets.map((line) => Number(/ lastack:(\d+)/.exec(line)?.[1] ?? 0)),
  );
}
