import assert from 'node:assert/strict';
import { keepAwake, measureWakeUpCost } from '../../src/machine/keep-awake.js';
import { allowedCpus, canPin } from '../../src/machine/processors.js';
import { childrenOf } from '../helpers/processes.js';

describe('what a wake-up costs', () => {
  it('is measured as the machine is and kept awake, and nothing stays', async function () {
    const cpus = (await allowedCpus()) ?? [];
    const loops = cpus.length < 2 || !(await canPin(cpus)) ? null : await keepAwake(cpus.slice(0, 2));
    if (loops === null || 'reason' in loops) return this.skip();
    loops.pause();
    const cost = await measureWakeUpCost(cpus, loops.pids);
    await loops.stop();
    assert.ok(cost !== null);
    // A thousandth of a microsecond would be no system call, a tenth of a second no wake-up.
    for (const us of [cost.asIsUs, Number(cost.keptAwakeUs)]) assert.ok(us > 0.1 && us < 1e5, `${us}`);
    assert.deepEqual(childrenOf('keep-awake'), []);
    assert.deepEqual(childrenOf('dd'), []);
  });

  it('is unknown with one processor', async () => {
    assert.equal(await measureWakeUpCost([0], []), null);
  });
});
