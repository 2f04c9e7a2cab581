import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { countEvents, readCounts } from '../../src/runner/count-by-perf.js';

const EVENT = 'instructions:u';

/** As perf 6.1 prints them. */
const PRINTED = {
  counted: '1318442,,instructions:u,2028451,100.00,,',
  'not counted': '<not counted>,,instructions:u,0,100.00,,',
  'not supported': '<not supported>,,instructions:u,0,100.00,,',
  zero: '0,,instructions:u,2028451,100.00,,',
  multiplexed: '1318442,,instructions:u,1014225,50.00,,',
  hybrid: '700000,,cpu_core/instructions:u/,1,100.00,,\n600000,,cpu_atom/instructions:u/,1,100.00,,',
};

describe('what perf has counted', () => {
  it('is read where it is the whole count', () => {
    assert.deepEqual(readCounts(`sampling\nEvents enabled\n${PRINTED.counted}\n`, [EVENT]), [1318442]);
  });

  for (const [title, reason] of /** @type {[keyof typeof PRINTED, RegExp][]} */ ([
    ['not counted', /perf says '<not counted>' of instructions:u/],
    ['not supported', /perf says '<not supported>' of instructions:u/],
    ['zero', /has counted 0 instructions:u/],
    ['multiplexed', /for 50\.00 % of the time only/],
    ['hybrid', /has 2 counts of instructions:u, expected one/],
  ])) {
    it(`is refused, with the reason: ${title}`, () => {
      assert.throws(() => readCounts(PRINTED[title], [EVENT]), reason);
    });
  }

  it('is refused where perf prints nothing of it', () => {
    assert.throws(() => readCounts('', [EVENT]), /has 0 counts of instructions:u/);
  });
});

/** @param {number} pid @returns {number} what its main thread has used until now */
const cpuMsOf = (pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

describe('counting by perf', function () {
  this.timeout(30_000);
  /** @type {import('node:child_process').ChildProcess} */
  let busy;
  before(async function () {
    if (spawnSync('perf', ['stat', '-e', 'task-clock', 'true']).status !== 0) {
      this.test?.parent?.tests.forEach((test) => {
        test.title += ' (skipped: no perf here)';
      });
      this.skip();
    }
    busy = spawn(process.execPath, ['-e', 'console.log(0); for (;;);'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (busy.stdout) await once(busy.stdout, 'data');
  });
  after(async () => {
    if (!busy) return;
    busy.kill('SIGKILL');
    await once(busy, 'exit');
  });

  it('counts an event during the work, no more than the process has done by then', async () => {
    const { done, counts } = await countEvents(Number(busy.pid), ['task-clock'], () => sleep(500, 'done'));
    assert.equal(done, 'done');
    // In milliseconds; the process was busy before.
    assert.ok(counts[0] > 0 && counts[0] < cpuMsOf(Number(busy.pid)), `${counts[0]} ms`);
  });

  it('says why where perf does not know the process', async () => {
    await assert.rejects(
      countEvents(2 ** 22 + 1, ['task-clock'], () => sleep(0)),
      /monitor|thread|process/i,
    );
  });

  it('says why where perf does not know the event', async () => {
    await assert.rejects(
      countEvents(Number(busy.pid), ['no-such-event'], () => sleep(0)),
      /event syntax error/,
    );
  });
});
