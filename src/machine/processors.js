import { readdirSync } from 'node:fs';
import { tryOr } from '../errors.js';
import { textOf } from '../process/read-file.js';
import { run } from '../process/spawn.js';
import { succeeds } from '../process/wait.js';

/** @returns {number[] | null} CPUs this process may use; null if unknown */
export function allowedCpus() {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(textOf('/proc/self/status'))?.[1];
  return list === undefined ? null : parseCpuList(list);
}

/** @param {string} list such as `0-2,5` @returns {number[]} */
export function parseCpuList(list) {
  return list.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Some containers have taskset but forbid it. @param {number[] | null} cpus */
export const canPin = async (cpus) =>
  cpus !== null && succeeds(run('taskset', ['-c', cpus.join(','), 'true']));

/** Pins a running process with all its threads. @param {number} pid @param {number[]} cpus */
export async function pinProcess(pid, cpus) {
  await run('taskset', ['-a', '-c', '-p', cpus.join(','), String(pid)]);
}

/** @param {number} pid @param {string} name @param {number[]} cpus */
export async function pinThreads(pid, name, cpus) {
  const ids = tryOr(() => readdirSync(`/proc/${pid}/task`), []);
  const found = ids.filter((id) => textOf(`/proc/${pid}/task/${id}/comm`).trim() === name);
  await Promise.all(found.map((id) => run('taskset', ['-c', '-p', cpus.join(','), id])));
  return found.length > 0;
}

/** Needs a Redis-like name: a pid from INFO in a container means nothing here. @param {number} pid */
export function cpuOfServer(pid) {
  const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(textOf(`/proc/${pid}/stat`)) ?? [];
  if (!name || !/redis|valkey|keydb|dragonfly/i.test(name)) return null;
  // proc(5): `processor` is field 39; `rest` begins with field 3.
  return Number(rest.split(' ')[39 - 3]);
}

/** proc(5): /proc/stat counts clock ticks, 1/100 s on every Linux. */
const TICK_MS = 10;

/**
 * @param {object} of @param {number | undefined} of.worker pid @param {number[]} of.servers pids
 * @param {number[] | null} of.cpus null for all
 * @typedef {ReturnType<typeof readRunQueue>} RunQueue time spent waiting for CPU, in ms, by main threads; null if not known
 */
export function readRunQueue({ worker, servers, cpus }) {
  const { queuedMs, ranMs } = worker === undefined ? UNKNOWN : mainThread(worker);
  const serverQueuedMs = sumOfAll(servers.map((pid) => mainThread(pid).queuedMs));
  return { workerQueuedMs: queuedMs, workerRanMs: ranMs, serverQueuedMs, stolenMs: stolenMs(cpus) };
}

/** @param {(number | null)[]} all @returns {number | null} null where one is unknown, or there are none */
const sumOfAll = (all) =>
  all.length === 0 || all.includes(null) ? null : all.reduce((sum, each) => Number(sum) + Number(each), 0);

/** @param {RunQueue} before @param {RunQueue} after @returns {RunQueue} */
export function queuedBetween(before, after) {
  return {
    workerQueuedMs: minus(after.workerQueuedMs, before.workerQueuedMs),
    workerRanMs: minus(after.workerRanMs, before.workerRanMs),
    serverQueuedMs: minus(after.serverQueuedMs, before.serverQueuedMs),
    stolenMs: minus(after.stolenMs, before.stolenMs),
  };
}

/** @param {number | null} after @param {number | null} before */
export const minus = (after, before) =>
  after === null || before === null ? null : Math.max(0, after - before);

/** @type {{ranMs: number | null, queuedMs: number | null}} */
const UNKNOWN = { ranMs: null, queuedMs: null };

/** @param {number} pid @returns {typeof UNKNOWN} of its main thread */
function mainThread(pid) {
  const [ran, waited] = textOf(`/proc/${pid}/task/${pid}/schedstat`).split(' ');
  return waited === undefined ? UNKNOWN : { ranMs: Number(ran) / 1e6, queuedMs: Number(waited) / 1e6 };
}

/** Waking up a sleeping server costs the sender a system call's worth of CPU. @param {number[]} pids */
export function sleepsOf(pids) {
  const found = pids.map((pid) => /^voluntary_ctxt_switches:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`)));
  return sumOfAll(found.map((match) => match && Number(match[1])));
}

/** @param {number[] | null} cpus */
function stolenMs(cpus) {
  const lines = [...textOf('/proc/stat').matchAll(/^cpu(\d+) (.*)$/gm)];
  if (lines.length === 0) return null;
  return lines
    .filter(([, cpu]) => cpus === null || cpus.includes(Number(cpu)))
    .reduce((sum, [, , figures]) => sum + Number(figures.split(' ')[7] ?? 0) * TICK_MS, 0);
}
