import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { endStarted, QUICK, startCli } from '../helpers/cli.js';

describe('NODE_OPTIONS', function () {
  this.timeout(60_000);
  /** @type {string} */
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-e2e-'));
  });
  afterEach(async () => {
    await endStarted();
    rmSync(folder, { recursive: true });
  });

  it('reaches the workers, none of the helpers, and is a condition of the result', async () => {
    const tracer = join(folder, 'tracer.cjs');
    const log = join(folder, 'started');
    writeFileSync(tracer, `require('fs').appendFileSync(${JSON.stringify(log)}, process.argv[1] + '\\n')`);
    const env = { NODE_OPTIONS: `--require ${tracer}` };
    const { code, stdout, stderr } = await startCli([...QUICK, '--rtt', '1ms', '--cpus', 'awake'], { env })
      .result;
    assert.equal(code, 0, stderr);
    const started = new Set(
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((path) => basename(path)),
    );
    assert.deepEqual([...started].sort(), ['entry.js', 'redis-pipe-bench.js']);
    assert.ok(stdout.replace(/\s+/g, ' ').includes(`NODE_OPTIONS --require ${tracer}`), stdout);
  });
});
