import { readdir, readFile } from 'node:fs/promises';
import { run } from '../process/spawn.js';

/** @returns {Promise<number[] | null>} the processors that this process may use; null where unknown */
export async function allowedCpus() {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1];
  return list === undefined ? null : parseCpuList(list);
}

/** @param {string} list as Linux writes it: `0-2,5` @returns {number[]} */
export function parseCpuList(list) {
  return list.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/**
 * @param {number[] | null} cpus that this process may use
 * @returns {Promise<boolean>} whether processes can be pinned; some containers have taskset but forbid it
 */
export const canPin = async (cpus) =>
  cpus !== null &&
  run('taskset', ['-c', cpus.join(','), 'true']).then(
    () => true,
    () => false,
  );

/** Pins a running process with all of its threads. @param {number} pid @param {number[]} cpus */
export async function pinProcess(pid, cpus) {
  await run('taskset', ['-a', '-c', '-p', cpus.join(','), String(pid)]);
}

/**
 * Lets threads of a process run on processors besides those of the others.
 *
 * @param {number} pid @param {string} name of the threads, as the system shows it @param {number[]} cpus
 * @returns {Promise<boolean>} whether there was one
 */
export async function pinThreads(pid, name, cpus) {
  const ids = await readdir(`/proc/${pid}/task`).catch(() => []);
  const names = await Promise.all(
    ids.map((id) => readFile(`/proc/${pid}/task/${id}/comm`, 'utf8').catch(() => '')),
  );
  const found = ids.filter((_, place) => names[place].trim() === name);
  await Promise.all(found.map((id) => run('taskset', ['-c', '-p', cpus.join(','), id])));
  return found.length > 0;
}

/**
 * The processor on which a local server last ran. The process must have a Redis-like name, because a
 * process id from INFO in a container means nothing here.
 *
 * @param {number} pid from INFO
 * @returns {Promise<number | null>} null where there is no such process
 */
export async function cpuOfServer(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
  if (!name || !/redis|valkey|keydb|dragonfly/i.test(name)) return null;
  // proc(5): `processor` is field 39; `rest` begins with field 3.
  return Number(rest.split(' ')[39 - 3]);
}
