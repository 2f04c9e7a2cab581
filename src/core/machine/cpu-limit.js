import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../errors.js';

/** @import { CpuLimit, CpuLimited } from './types.js' */

/** Less than this share of the periods hardly changes even a p99. */
const HARDLY = 0.01;

/**
 * The CPU limit of this process's container or service: the tightest of its control group and those above it.
 * @param {string} [root] of the file system, for tests @returns {CpuLimit | null} null where there is none, or none is known
 */
export function cpuLimit(root = '/') {
  const groups = read(join(root, 'proc/self/cgroup'));
  const mounts = read(join(root, 'proc/self/mountinfo'));
  /** @type {CpuLimit[]} */
  const limits = [];
  for (const { mountPoint, within, version } of cpuMounts(mounts)) {
    const path = pathOf(groups, version);
    if (path === undefined) continue;
    const top = join(root, mountPoint);
    for (let folder = join(top, relativeTo(path, within)); folder.startsWith(top); folder = dirname(folder)) {
      const limit = version === 2 ? limitOf2(folder) : limitOf1(folder);
      if (limit !== null) limits.push(limit);
    }
  }
  return limits.sort((a, b) => a.cpus - b.cpus)[0] ?? null;
}

/**
 * Whether a benchmark ran into the limit. @param {CpuLimit | null} before @param {CpuLimit | null} after
 * @returns {CpuLimited | null}
 */
export function limitedBetween(before, after) {
  if (before === null || after === null || before.setting !== after.setting) return null;
  const periods = after.periods - before.periods;
  const throttled = after.throttled - before.throttled;
  return throttled > HARDLY * periods
    ? { kind: 'cpu-limited', setting: after.setting, limitedTo: after.cpus, periods, throttled }
    : null;
}

/** proc(5), mountinfo: id, parent, device, root, mount point, options, fields … - type, source, options. @param {string} text */
function cpuMounts(text) {
  return text.split('\n').flatMap((line) => {
    const [own, more = ''] = line.split(' - ');
    const [, , , within, mountPoint] = own.split(' ');
    const [type, , options = ''] = more.split(' ');
    if (type === 'cgroup2') return [{ mountPoint, within, version: 2 }];
    return type === 'cgroup' && options.split(',').includes('cpu')
      ? [{ mountPoint, within, version: 1 }]
      : [];
  });
}

/** cgroups(7): `0::/path` of version 2, `4:cpu,cpuacct:/path` of version 1. @param {string} text @param {number} version */
function pathOf(text, version) {
  for (const line of text.split('\n')) {
    const [id, controllers = '', ...path] = line.split(':');
    if (version === 2 ? id === '0' : controllers.split(',').includes('cpu')) return path.join(':');
  }
}

/** A container may see its own group as the top of the tree. @param {string} path @param {string} within */
function relativeTo(path, within) {
  if (within === '/') return path.startsWith('/..') ? '/' : path;
  return path === within || path.startsWith(`${within}/`) ? path.slice(within.length) : '/';
}

/** @param {string} folder @returns {CpuLimit | null} */
function limitOf2(folder) {
  const [quota, period] = read(join(folder, 'cpu.max')).split(' ').map(Number);
  const { nr_periods, nr_throttled, throttled_usec } = statOf(folder);
  if (!(quota > 0)) return null;
  return limit('cpu.max', quota / period, nr_periods, nr_throttled, throttled_usec / 1e3);
}

/** @param {string} folder @returns {CpuLimit | null} */
function limitOf1(folder) {
  const quota = Number(read(join(folder, 'cpu.cfs_quota_us')));
  const period = Number(read(join(folder, 'cpu.cfs_period_us')));
  const { nr_periods, nr_throttled, throttled_time } = statOf(folder);
  if (!(quota > 0)) return null;
  return limit('cpu.cfs_quota_us', quota / period, nr_periods, nr_throttled, throttled_time / 1e6);
}

/** @param {string} setting @param {number} cpus @param {number} [periods] @param {number} [throttled] @param {number} [throttledMs] */
const limit = (setting, cpus, periods = 0, throttled = 0, throttledMs = 0) => ({
  setting,
  cpus,
  periods,
  throttled,
  throttledMs,
});

/** @param {string} folder @returns {Record<string, number>} */
const statOf = (folder) =>
  Object.fromEntries(
    [...read(join(folder, 'cpu.stat')).matchAll(/^(\w+) (\d+)$/gm)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  );

/** @param {string} file */
const read = (file) => attempt(() => readFileSync(file, 'utf8'), '').trim();
