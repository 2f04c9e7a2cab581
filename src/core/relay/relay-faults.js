import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { run } from '../process/spawn.js';
import { sharedClock, untilShared } from '../shared-clock.js';

/** @import { Line, RelayFault, Struck, Upstream } from './types.js' */

/**
 * @param {Set<Line>} lines @param {object} relay @param {(ms: number) => void} relay.delay
 * @param {() => void} relay.close @param {() => Promise<void>} relay.open
 * @param {(to: Upstream[]) => void} relay.lead @returns {(fault: RelayFault) => Promise<Struck>}
 */
export function createFaults(lines, relay) {
  /** @type {Record<RelayFault['kind'], (fault: RelayFault) => number | Promise<number>>} */
  const strikes = {
    cut: () => forEach(lines, resetLine),
    // As when a NAT loses an entry: both ends think they are connected, and nothing arrives.
    silence: () => forEach(lines, silence),
    delay({ byMs = 0 }) {
      relay.delay(byMs);
      return lines.size;
    },
    close() {
      relay.close();
      return forEach(lines, resetLine);
    },
    forget: ({ byMs = 0, untilMs = 0, resets }) =>
      forgetIdle(lines, { idleMs: byMs, untilMs, forget: resets ? resetAtNext : silence }),
    async open({ upstreams }) {
      if (upstreams !== undefined) relay.lead(upstreams);
      await relay.open();
      return 0;
    },
  };
  return async (fault) => {
    if (fault.atMs !== undefined) await untilShared(fault.atMs);
    if (fault.kind === 'cut' || fault.kind === 'silence') await untilSome(lines);
    const struckAtMs = sharedClock();
    return { struckAtMs, connections: await strikes[fault.kind](fault) };
  };
}

/** With short connections, none may be open at this moment. */
const WAIT_FOR_ONE_MS = 15;

/** @param {Set<Line>} lines */
async function untilSome(lines) {
  const deadline = sharedClock() + WAIT_FOR_ONE_MS;
  while (lines.size === 0 && sharedClock() < deadline) await setImmediate();
}

/** @param {Set<Line>} lines @param {(line: Line) => void} strike @returns {number} connections affected */
function forEach(lines, strike) {
  const met = [...lines].filter(({ client, isSilent }) => !isSilent && !client.destroyed);
  for (const line of met) strike(line);
  return met.length;
}

/** @param {Line} line */
export function resetLine({ client, upstream }) {
  client.resetAndDestroy();
  upstream.resetAndDestroy();
}

/** As many firewalls and load balancers do: answers the client's next packet with a reset. @param {Line} line */
function resetAtNext(line) {
  line.isSilent = true;
  line.client.once('data', () => resetLine(line));
}

/** @param {Line} line */
function silence(line) {
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
async function forgetIdle(lines, { idleMs, untilMs, forget }) {
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
