import { readFile } from 'node:fs/promises';
import { run } from '../process/spawn.js';

/** Linux keeps the port of a connection that we closed for a minute (TIME_WAIT). */
export const TIME_WAIT_MS = 60_000;

/**
 * @returns {Promise<number | null>} how many files, sockets among them, a process of this tool may
 *   have open; null where there is no limit or it is unknown
 */
export async function openFilesLimit() {
  const limits = await readOr('/proc/self/limits');
  const known =
    /^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? (await run('sh', ['-c', 'ulimit -n']).catch(() => ''));
  return /^\d+\s*$/.test(known) ? Number(known) : null;
}

/**
 * @returns {Promise<{all: number, waiting: number, reuse: 'never' | 'always' | 'loopback'} | null>} local
 *   ports, how many of them are still in TIME_WAIT, and where Linux reuses those at once
 *   (tcp_tw_reuse); null where that is unknown
 */
export async function localPorts() {
  const [low, high] = (await readOr('/proc/sys/net/ipv4/ip_local_port_range')).split(/\s+/).map(Number);
  if (!high) return null;
  const waiting = /^TCP:.* tw (\d+)/m.exec(await readOr('/proc/net/sockstat'))?.[1] ?? 0;
  const setting = (await readOr('/proc/sys/net/ipv4/tcp_tw_reuse')).trim();
  const reuse = setting === '1' ? 'always' : setting === '2' ? 'loopback' : 'never';
  return { all: high - low + 1, waiting: Number(waiting), reuse };
}

/** @param {string} path @returns {Promise<string>} empty where there is none */
const readOr = (path) => readFile(path, 'utf8').catch(() => '');
