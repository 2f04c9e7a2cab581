import assert from 'node:assert/strict';
import { foldServerSamples } from '../../src/results/server-samples.js';

const SERVER = '/usr/bin/redis-check-rdb';
/** As perf 6.1 prints them; Debian's redis-server is a link to redis-check-rdb. */
const PRINTED = `34681.859582:     200000 cpu-clock: 
	    55d300b6e910 processCommand.part.0 (${SERVER})
	    55d300b99999 [unknown] (${SERVER})

34681.859900:     200000 cpu-clock: 
	    7fdb8840abf1 __strcasecmp_l_evex (/usr/lib/x86_64-linux-gnu/libc.so.6)

34681.860100:     200000 cpu-clock: 
	ffffffff82200809 _raw_spin_unlock_irqrestore ([kernel.kallsyms])
	ffffffffc0031bd0 nf_hook ([nf_conntrack])
	ffffffff816b90ea ksys_write ([kernel.kallsyms])
	ffffffff821ecc51 do_syscall_64 ([kernel.kallsyms])
	    7fdb8839d38f __GI___libc_write (/usr/lib/x86_64-linux-gnu/libc.so.6)

34681.860300:     200000 cpu-clock: 
	ffffffff82200809 _raw_spin_unlock_irq ([kernel.kallsyms])
	ffffffff81759d1b __x64_sys_epoll_wait ([kernel.kallsyms])

34681.860500:     200000 cpu-clock: 

34999.000000:     200000 cpu-clock: 
	    55d300b6e910 afterTheRun (${SERVER})
`;

const RUN = { binaries: [SERVER], fromMs: 34_681_000, toMs: 34_682_000 };

/** @param {ReturnType<typeof foldServerSamples>} folded */
const inShort = ({ frames }) =>
  frames.map(({ part, package: owner, file, name, self }) => [part, owner, file, name, Math.round(self)]);

describe('results/server-samples', () => {
  it('tells the server, its libraries and the kernel apart, and what the kernel does it for', () => {
    const folded = foldServerSamples(PRINTED, { ...RUN, cpuUs: 1000 });
    assert.deepEqual(inShort(folded), [
      ['server', null, null, 'processCommand', 200],
      ['library', 'libc.so.6', null, '__strcasecmp_l_evex', 200],
      ['kernel', null, 'write', '_raw_spin_unlock_irqrestore', 200],
      ['kernel', null, 'epoll_wait', '_raw_spin_unlock_irq', 200],
    ]);
    assert.deepEqual([folded.samples, folded.systemShare], [4, 0.5]);
  });

  it('counts for the kernel what the server took besides, where perf may not look into it', () => {
    const ofUser = PRINTED.replaceAll('cpu-clock:', 'cpu-clock:u:').replace(
      /34681\.8601[\s\S]*34999/,
      '34999',
    );
    const folded = foldServerSamples(ofUser, { ...RUN, cpuUs: 1000 });
    assert.deepEqual(inShort(folded)[0], ['kernel', null, 'work', 'hidden from perf', 600]);
    assert.equal(folded.systemShare, 0.6);
  });

  it('keeps no more functions than are read, and the sum of all', () => {
    const many = Array.from(
      { length: 1000 },
      (_, place) => `34681.5: 200000 cpu-clock:\n\t55d300b6e910 f${'x'.repeat(500)}${place} (${SERVER})\n`,
    ).map((text, place) => text.replace(/fx+/, `f${place}${'x'.repeat(300)}`));
    const folded = foldServerSamples(many.join('\n'), { ...RUN, cpuUs: 1 });
    assert.equal(folded.frames.length, 250);
    assert.ok(folded.frames.every(({ name }) => name.length <= 120));
    const all = [...folded.frames, ...folded.rest].reduce((sum, { self }) => sum + self, 0);
    assert.equal(Math.round(all), 200_000);
  });
});
