import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cpuLimit, limitedBetween } from '../../src/machine/cpu-limit.js';

const V2 = '30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw,nsdelegate';
const V1 = '33 24 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct';
const STAT = 'usage_usec 9\nnr_periods 237\nnr_throttled 236\nthrottled_usec 4500000';

describe('the CPU limit of a container', () => {
  /** @type {string} */
  let root;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rpb-limit-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** @param {Record<string, string>} files */
  function limitWith(files) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${text}\n`);
    }
    return cpuLimit(root);
  }

  it('is read from cpu.max, with how often it stopped the group', () => {
    const limit = limitWith({
      'proc/self/cgroup': '0::/system.slice/app.service',
      'proc/self/mountinfo': V2,
      'sys/fs/cgroup/system.slice/app.service/cpu.max': '50000 100000',
      'sys/fs/cgroup/system.slice/app.service/cpu.stat': STAT,
    });
    assert.deepEqual(limit, {
      setting: 'cpu.max',
      cpus: 0.5,
      periods: 237,
      throttled: 236,
    });
  });

  it('is that of a group above where that is tighter', () => {
    const limit = limitWith({
      'proc/self/cgroup': '0::/pod/app',
      'proc/self/mountinfo': V2,
      'sys/fs/cgroup/pod/app/cpu.max': 'max 100000',
      'sys/fs/cgroup/pod/cpu.max': '150000 100000',
    });
    assert.equal(limit?.cpus, 1.5);
  });

  it('is found at the top where a container sees its own group there', () => {
    for (const [group, within] of [
      ['0::/', '/'],
      ['0::/docker/c0ffee', '/docker/c0ffee'],
      ['0::/../other', '/'],
    ]) {
      const limit = limitWith({
        'proc/self/cgroup': group,
        'proc/self/mountinfo': V2.replace(' / ', ` ${within} `),
        'sys/fs/cgroup/cpu.max': '200000 100000',
      });
      assert.equal(limit?.cpus, 2, group);
    }
  });

  it('is read from cpu.cfs_quota_us in the first version of control groups', () => {
    const limit = limitWith({
      'proc/self/cgroup': '5:memory:/m\n4:cpu,cpuacct:/box\n0::/',
      'proc/self/mountinfo': `${V1}\n${V2}`,
      'sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us': '50000',
      'sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us': '100000',
      'sys/fs/cgroup/cpu,cpuacct/box/cpu.stat': 'nr_periods 10\nnr_throttled 4\nthrottled_time 2000000',
    });
    assert.deepEqual(limit, {
      setting: 'cpu.cfs_quota_us',
      cpus: 0.5,
      periods: 10,
      throttled: 4,
    });
  });

  it('was reached where it stopped the group in more than a few periods', () => {
    const before = { setting: 'cpu.max', cpus: 0.5, periods: 1000, throttled: 990 };
    const later = (/** @type {number} */ periods, /** @type {number} */ throttled) => ({
      ...before,
      periods: 1000 + periods,
      throttled: 990 + throttled,
    });
    assert.deepEqual(limitedBetween(before, later(240, 237)), {
      ...{ kind: 'cpu-limited', setting: 'cpu.max', limitedTo: 0.5 },
      ...{ periods: 240, throttled: 237 },
    });
    assert.equal(limitedBetween(before, later(240, 2)), null);
    assert.equal(limitedBetween(before, before), null);
    assert.equal(limitedBetween(null, later(240, 237)), null);
    assert.equal(limitedBetween(before, null), null);
  });

  it('is none without a quota, and none where nothing can be read', () => {
    assert.equal(cpuLimit(root), null);
    const groups = { 'proc/self/cgroup': '4:cpu,cpuacct:/\n0::/', 'proc/self/mountinfo': `${V1}\n${V2}` };
    assert.equal(limitWith(groups), null);
    assert.equal(limitWith({ ...groups, 'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1' }), null);
    assert.equal(limitWith({ ...groups, 'sys/fs/cgroup/cpu.max': 'max 100000' }), null);
  });
});
