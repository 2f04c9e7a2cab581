import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { sharedClock } from '../../src/process/shared-clock.js';

const CODE = `import('${new URL('../../src/process/shared-clock.js', import.meta.url)}').then(({ sharedClock }) => console.log(sharedClock()))`;

describe('shared-clock', () => {
  it('shows two processes the same time', () => {
    const before = sharedClock();
    const { stdout } = spawnSync(process.execPath, ['-e', CODE], { encoding: 'utf8' });
    const after = sharedClock();
    assert.ok(before < Number(stdout) && Number(stdout) < after, `${before} < ${stdout} < ${after}`);
  });
});
