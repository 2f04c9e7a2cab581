import { dirname, join } from 'node:path';
import { textOf } from '../process/read-file.js';

/** @import { CpuLimited } from './types.js' */

/** Less than this share of the periods hardly changes even a p99. */
const HARDLY = 0.01;

/** @param {...string} path */
const read = (...path) => textOf(...path).trim();

/**
 * The CPU limit of this process's container or service: the tightest of its control group and those above it.
 * @typedef {{setting: string, cpus: number, periods: number, throttled: number}} CpuLimit `cpus`: processors' worth of time;
 *   so far, it ran in so many periods and was stopped in some
 * @param {string} [root] of the file system, for tests @returns {CpuLimit | null} null where there is none, or none is known
 */
export function cpuLimit(root = '/') {
  // cgroups(7): `0::/path` of version 2, `4:cpu,cpuacct:/path` of version 1.
  const groups = read(root, 'proc/self/cgroup')
    .split('\n')
    .map((line) => line.split(':'));
  /** @type {CpuLimit[]} */
  const limits = [];
  for (const line of read(root, 'proc/self/mountinfo').split('\n')) {
    // proc(5): id, parent, device, root, mount point, options, fields … - type, source, options.
    const [own, more = ''] = line.split(' - ');
    const [, , , within, mountPoint] = own.split(' ');
    const [type, , options = ''] = more.split(' ');
    const isFirst = type === 'cgroup' && options.split(',').includes('cpu');
    if (!isFirst && type !== 'cgroup2') continue;
    const group = groups.find(([id, controllers = '']) =>
      isFirst ? controllers.split(',').includes('cpu') : id === '0',
    );
    if (group === undefined) continue;
    const settings = isFirst ? ['cpu.cfs_quota_us', 'cpu.cfs_period_us'] : ['cpu.max'];
    const top = join(root, mountPoint);
    const path = relativeTo(group.slice(2).join(':'), within);
    for (let folder = join(top, path); folder.startsWith(top); folder = dirname(folder)) {
      const [quota, period] = settings.flatMap((setting) => read(folder, setting).split(' ')).map(Number);
      const stat = read(folder, 'cpu.stat');
      const count = (/** @type {string} */ name) =>
        Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
      if (quota > 0)
        limits.push({
          setting: settings[0],
          cpus: quota / period,
          periods: count('nr_periods'),
          throttled: count('nr_throttled'),
        });
    }
  }
  return limits.sort((a, b) => a.cpus - b.cpus)[0] ?? null;
}

/** A container may see its own group as the top of the tree. @param {string} path @param {string} within */
function relativeTo(path, within) {
  if (within === '/') return path.startsWith('/..') ? '/' : path;
  return path === within || path.startsWith(`${within}/`) ? path.slice(within.length) : '/';
}

/**
 * Whether a benchmark ran into the limit: it was stopped in so many of the periods, because it had used all the time of one.
 * @param {CpuLimit | null} before
 * @param {CpuLimit | null} after
 * @returns {CpuLimited | null}
 */
export function limitedBetween(before, after) {
  if (before === null || after === null || before.setting !== after.setting) return null;
  const periods = after.periods - before.periods;
  const throttled = after.throttled - before.throttled;
  if (throttled <= HARDLY * periods) return null;
  const { setting, cpus: limitedTo } = after;
  return { kind: 'cpu-limited', setting, limitedTo, periods, throttled };
}
