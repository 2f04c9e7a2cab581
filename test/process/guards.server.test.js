import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startAnswering } from '../../src/process/answering.js';
import { childrenOf, isAlive } from '../helpers/processes.js';
import { until } from '../helpers/until.js';

const ANSWERING = new URL('../../src/process/answering.js', import.meta.url);

describe('a process that the tool has started', () => {
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-outlive-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('does not outlive it, even if it never comes out of a loop and the tool was killed', async () => {
    writeFileSync(
      join(folder, 'endless.mjs'),
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
    );
    writeFileSync(
      join(folder, 'tool.mjs'),
      `import { startAnswering } from '${ANSWERING}';
      const entry = new URL('./endless.mjs', import.meta.url);
      console.log(startAnswering({ name: 'it', entry, graceS: 1 }, null).pid);
      setInterval(() => {}, 1000);`,
    );
    const tool = spawn(process.execPath, [join(folder, 'tool.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = await once(tool.stdout, 'data');
    const pid = Number(printed);
    try {
      tool.kill('SIGKILL');
      await once(tool, 'close');
      assert.ok(isAlive(pid), 'it ended before its time');
      await until('its end', () => !isAlive(pid));
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
  });

  it('is gone together with what guards it', async () => {
    const entry = join(folder, 'waiting.mjs');
    writeFileSync(entry, "setInterval(() => {}, 1000); process.on('disconnect', () => process.exit());");
    for (let time = 0; time < 5; time++) {
      const started = startAnswering({ name: 'it', entry: pathToFileURL(entry) }, null);
      assert.equal(childrenOf('outlive-guard.sh').length, 1);
      await started.kill();
      assert.deepEqual(childrenOf('outlive-guard.sh'), []);
    }
  });
});
