import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCpuList, sleepsOf } from '../../../src/core/machine/processors.js';

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
      const code = ['setInterval(() => {}, 5)', 'while (true);'];
      const children = code.map((each) => spawn(process.execPath, ['-e', each], { stdio: 'ignore' }));
      try {
        await sleep(500);
        const pids = children.map(({ pid }) => Number(pid));
        const before = pids.map((pid) => Number(sleepsOf([pid])));
        await sleep(500);
        const [sleeps, computes] = pids.map((pid, index) => Number(sleepsOf([pid])) - before[index]);
        assert.ok(sleeps > 10, `${sleeps}`);
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
