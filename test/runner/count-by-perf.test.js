import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

  it('counts an event of the kernel during the work, and nothing before and after it', async () => {
    const events = ['task-clock', 'context-switches'];
    const countIn = (/** @type {number} */ ms) =>
      countEvents(Number(busy.pid), [events[0]], () => sleep(ms, 'done'));
    const short = await countIn(20);
    await sleep(300);
    const long = await countIn(600);
    assert.equal(long.done, 'done');
    assert.ok(long.counts[0] > 3 * short.counts[0], `${short.counts[0]} and ${long.counts[0]} ms`);
  });

  it('says why where perf does not know the process', async () => {
    await assert.rejects(
      countEvents(2 ** 22 + 1, ['task-clock'], () => sleep(0)),
      /monitor|threads|process/i,
    );
  });

  it('says why where perf is ended meanwhile, and leaves no process', async () => {
    await assert.rejects(
      countEvents(Number(busy.pid), ['no-such-event'], () => sleep(0)),
      /event syntax error/,
    );
  });
});
