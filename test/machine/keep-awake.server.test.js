import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepAwake } from '../../src/machine/keep-awake.js';
import { allowedCpus } from '../../src/machine/processors.js';
import { isAlive } from '../helpers/processes.js';
import { until } from '../helpers/until.js';

const MODULE = new URL('../../src/machine/keep-awake.js', import.meta.url);
const IDLE_POLICY = '5';
const NO_SUCH_CPU = 4095;

describe('processors kept awake', () => {
  /** @type {number[]} */
  let cpus;
  before(async function () {
    const probe = await keepAwake((await allowedCpus())?.slice(0, 1) ?? []);
    if ('reason' in probe) this.skip();
    await probe.stop();
    cpus = /** @type {number[]} */ (await allowedCpus()).slice(0, 2);
  });

  /** @param {number[]} on @param {NodeJS.ProcessEnv} [env] */
  async function awake(on, env) {
    const started = await keepAwake(on, env);
    assert.ok(!('reason' in started), JSON.stringify(started));
    return started;
  }
  const stateOf = (/** @type {number} */ pid) =>
    /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];

  it('have a loop of idle priority each, pinned to it, which never sleeps', async () => {
    const { pids, stop } = await awake(cpus);
    try {
      const places = pids.map(
        (pid) => /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
      );
      assert.deepEqual(places.sort(), cpus.map(String).sort());
      for (const pid of pids) {
        // proc(5): `policy` is field 41; what follows the name begins with field 3.
        assert.equal(
          readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[41 - 3],
          IDLE_POLICY,
        );
        assert.equal(stateOf(pid), 'R');
      }
    } finally {
      await stop();
    }
    await until('their end', () => !pids.some(isAlive));
  });

  it('may sleep while it is paused', async () => {
    const { pids, pause, resume, stop } = await awake(cpus);
    try {
      for (let time = 0; time < 3; time++) {
        pause();
        await until('a pause', () => pids.every((pid) => stateOf(pid) === 'T'));
        resume();
        await until('the loops', () => pids.every((pid) => stateOf(pid) === 'R'));
      }
      pause();
    } finally {
      await stop();
    }
    await until('their end', () => !pids.some(isAlive));
  });

  it('are all let go where one loop ends, and no other process gets its signals', async () => {
    const { pids, pause, resume, stop, ended } = await awake(cpus);
    process.kill(pids[0], 'SIGKILL');
    assert.equal(await ended, 'was killed by SIGKILL');
    await until('their end', () => !pids.some(isAlive));
    pause();
    resume();
    await stop();
  });

  it('are let go where what guards them is ended during a pause, as pkill does', async () => {
    const { pids, pause, stop, ended } = await awake(cpus);
    pause();
    await until('a pause', () => pids.every((pid) => stateOf(pid) === 'T'));
    const processes = execFileSync('ps', ['-eo', 'pid=,pgid='], { encoding: 'utf8' }).trim().split('\n');
    const groups = new Map(
      processes.map((line) => /** @type {[number, number]} */ (line.trim().split(/\s+/).map(Number))),
    );
    const guards = [...groups.keys()].filter(
      (pid) => groups.get(pid) === groups.get(pids[0]) && !pids.includes(pid),
    );
    assert.ok(guards.length >= 2, `${guards}`);
    for (const pid of guards) process.kill(pid, 'SIGTERM');
    await ended;
    await until('their end', () => !pids.some(isAlive));
    await stop();
  });

  for (const paused of [false, true]) {
    it(`are let go when the tool is killed${paused ? ' during a pause' : ''}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'rpb-awake-'));
      const file = join(folder, 'tool.mjs');
      writeFileSync(
        file,
        `import { keepAwake } from '${MODULE}';
        const { pids, pause } = await keepAwake([${cpus}]);
        if (${paused}) pause();
        console.log(JSON.stringify(pids));
        setInterval(() => {}, 1000);`,
      );
      const tool = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        const [printed] = await once(tool.stdout, 'data');
        const pids = JSON.parse(printed);
        assert.equal(pids.length, cpus.length);
        tool.kill('SIGKILL');
        await until('their end', () => !pids.some(isAlive));
      } finally {
        tool.kill('SIGKILL');
        rmSync(folder, { recursive: true });
      }
    });
  }

  it('are not where that cannot be done, and it says why', async () => {
    assert.match(
      JSON.stringify(await keepAwake([cpus[0], NO_SUCH_CPU])),
      /^{"reason":"refused","why":"taskset: failed to set pid \d+'s affinity: /,
    );
    const folder = mkdtempSync(join(tmpdir(), 'rpb-awake-'));
    try {
      for (const name of ['sh', 'taskset']) {
        const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
        symlinkSync(path, join(folder, name));
      }
      assert.deepEqual(await keepAwake(cpus, { PATH: folder }), {
        ...{ reason: 'no-program', program: 'chrt' },
      });
      rmSync(join(folder, 'taskset'));
      assert.deepEqual(await keepAwake(cpus, { PATH: folder }), {
        ...{ reason: 'no-program', program: 'taskset' },
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
