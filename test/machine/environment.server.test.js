import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describeEnvironment } from '../../src/machine/environment.js';
import { processorsText } from '../../src/report/origin-facts.js';

const MODULE = new URL('../../src/machine/environment.js', import.meta.url);
const MEMORY = new URL('../../src/run/memory-check.js', import.meta.url);

describe('machine/environment', () => {
  it('counts processors and memory where there is no /proc', function () {
    const code = `
      import { describeEnvironment } from '${MODULE}';
      import { capacityOf } from '${MEMORY}';
      const { cpuCount, cpuModel } = describeEnvironment({});
      console.log(JSON.stringify({ cpuCount, cpuModel, bytes: capacityOf({ files: null, servers: {} }).bytes }));`;
    const hidden = 'mount -t tmpfs none /proc && exec "$@"';
    const node = [process.execPath, '--input-type=module', '-e', code];
    let printed = '';
    try {
      printed = execFileSync('unshare', ['-m', 'sh', '-c', hidden, 'sh', ...node], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (/** @type {any} */ error) {
      // Not for everyone, and not on every system.
      if (/not permitted|permission denied|must be superuser|ENOENT/i.test(error.message)) this.skip();
      throw error;
    }
    const { cpuCount, cpuModel, bytes } = JSON.parse(printed);
    assert.ok(cpuCount > 0 && bytes > 0, printed);
    assert.equal(cpuModel, 'unknown');
  });

  it('does not print a model that is unknown', () => {
    const environment = describeEnvironment({});
    assert.equal(processorsText({ ...environment, cpuCount: 2, cpuModel: 'unknown' }), '2 CPUs');
    assert.equal(processorsText({ ...environment, cpuCount: 2, cpuModel: 'Xeon' }), '2x Xeon');
  });
});
