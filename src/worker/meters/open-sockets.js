import { readdirSync, readlinkSync } from 'node:fs';
import { tryOr } from '../../errors.js';
import { textOf } from '../../process/read-file.js';

/** @import { Target } from '../../server/types.js' */

/** The state in /proc/net/tcp of a connection that both sides have opened. */
const ESTABLISHED = '01';

/**
 * Counts the connections that this process has to a server and its nodes, also those that a client opens itself: it may have
 * one for each node, or several for one. Those to Sentinels do not count.
 * @param {Pick<Target, 'transport' | 'host' | 'port' | 'nodes' | 'replicas' | 'addressMap'>} target
 * @returns {() => number | null} null where the system does not tell: over a unix socket, or without /proc
 */
export function createSocketCount({ transport, port, nodes = [], replicas = [], addressMap = {} }) {
  const addresses = [...nodes, ...replicas, ...Object.values(addressMap)];
  const ports = new Set([port, ...addresses.map((address) => address.port)]);
  let counted = '';
  /** @type {number | null} */
  let count = null;
  return () => {
    if (transport === 'unix') return null;
    const sockets = ownSockets();
    // Reading all sockets of a machine takes milliseconds after many connections were opened and closed.
    if (sockets.join() === counted) return count;
    counted = sockets.join();
    count = openTo(ports, new Set(sockets));
    return count;
  };
}

/** @returns {string[]} inodes of this process's sockets */
const ownSockets = () =>
  tryOr(() => readdirSync('/proc/self/fd'), []).flatMap((fd) => {
    const link = tryOr(() => readlinkSync(`/proc/self/fd/${fd}`), '');
    return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [];
  });

/** @param {Set<number | undefined>} ports @param {Set<string>} inodes @returns {number | null} */
function openTo(ports, inodes) {
  const tables = ['tcp', 'tcp6'].map((name) => textOf(`/proc/self/net/${name}`));
  if (tables.every((table) => table === '')) return null;
  const rows = tables.flatMap((table) => table.split('\n').slice(1)).map((line) => line.trim().split(/\s+/));
  return rows.filter(
    ([, , remote, state, , , , , , inode]) =>
      state === ESTABLISHED && inodes.has(inode) && ports.has(Number.parseInt(remote.split(':')[1], 16)),
  ).length;
}
