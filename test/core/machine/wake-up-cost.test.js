import assert from 'node:assert/strict';
import { allowedCpus } from '../../../src/core/machine/processors.js';
import { measureWakeUpCost } from '../../../src/core/machine/wake-up-cost.js';
import { childrenOf } from '../../helpers/processes.js';

describe('what a wake-up costs', () => {
  it('is measured as the machine is and kept awake, and nothing stays', async function () {
    const cpus = await allowedCpus();
    if (cpus === null || cpus.length < 2) this.skip();
    const cost = await measureWakeUpCost(cpus);
    assert.ok(!('unavailable' in cost), JSON.stringify(cost));
    // A thousandth of a microsecond would be no system call, a tenth of a second no wake-up.
    for (const us of [cost.asIsUs, cost.keptAwakeUs ?? cost.asIsUs]) assert.ok(us > 0.1 && us < 1e5, `${us}`);
    assert.deepEqual(childrenOf('keep-awake'), []);
    assert.deepEqual(childrenOf('dd'), []);
  });

  it('is unknown with one processor, or where processes cannot be pinned', async () => {
    assert.deepEqual(await measureWakeUpCost([0]), { unavailable: 'it takes two CPUs' });
    assert.deepEqual(await measureWakeUpCost([4094, 4095]), {
      unavailable: 'processes cannot be pinned to CPUs here',
    });
  });
});
