import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseCpuList, sleepsOf } from '../../src/machine/processors.js';
import { until } from '../helpers/until.js';

describe('machine/processors', () => {
  describe('parseCpuList', () => {
    for (const [list, cpus] of /** @type {[string, number[]][]} */ ([
      ['0', [0]],
      ['0-3', [0, 1, 2, 3]],
      ['0-2,5', [0, 1, 2, 5]],
      ['1,3,9-11', [1, 3, 9, 10, 11]],
      ['0-1,4-5', [0, 1, 4, 5]],
    ])) {
      it(`reads ${list}`, () => assert.deepEqual(parseCpuList(list), cpus));
    }
  });

  describe('sleepsOf', () => {
    it('counts a process that wakes up and sleeps again, not one that computes', async () => {
      const code = ['setInterval(() => {}, 5);', 'while (true);'].map(
        (each) => `require('fs').writeSync(1, 'begins'); ${each}`,
      );
      const children = code.map((each) =>
        spawn(process.execPath, ['-e', each], { stdio: ['ignore', 'pipe', 'ignore'] }),
      );
      try {
        await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
        const pids = children.map(({ pid }) => Number(pid));
        const before = pids.map((pid) => Number(sleepsOf([pid])));
        const increases = () => pids.map((pid, index) => Number(sleepsOf([pid])) - before[index]);
        await until('the first to sleep', () => increases()[0] > 50);
        const [sleeps, computes] = increases();
        assert.ok(computes < sleeps / 2, `${computes} of ${sleeps}`);
        assert.ok(Number(sleepsOf(pids)) >= sleeps + computes);
      } finally {
        for (const child of children) child.kill('SIGKILL');
      }
    });

    it('knows nothing of processes that it does not see', () => {
      assert.equal(sleepsOf([]), null);
      assert.equal(sleepsOf([process.pid, 2 ** 22 + 1]), null);
    });
  });
});
