import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isTooOld, OLDEST_NODE } from '../../src/oldest-node.js';
import { BIN } from '../helpers/cli.js';

describe('cli/main', () => {
  it('says which Node it needs before it loads anything that an older one does not know', async () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    assert.equal(`${engines.node}.0`, `>=${OLDEST_NODE}`);
    const folder = mkdtempSync(join(tmpdir(), 'rpb-node-'));
    const preload = join(folder, 'older.cjs');
    // What fails while it is loaded there: a global that this Node has and an older one lacks.
    const older = (/** @type {string} */ version) => `
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
      delete require('node:os').availableParallelism;
      require('node:module').syncBuiltinESMExports();`;
    try {
      for (const version of ['16.20.2', '18.20.4', '20.18.3']) {
        writeFileSync(preload, older(version));
        for (const args of [['--help'], ['--version'], ['--clients', 'redis'], []]) {
          const failed = await promisify(execFile)(process.execPath, [
            '--require',
            preload,
            BIN,
            ...args,
          ]).then(
            () => assert.fail(`${version} was not refused`),
            (error) => error,
          );
          assert.equal(failed.code, 2);
          assert.equal(failed.stdout, '');
          assert.ok(
            failed.stderr.startsWith(
              `redis-pipe-bench: expected Node ${OLDEST_NODE} or newer, but ${process.execPath} is ${version}; `,
            ),
            failed.stderr,
          );
          assert.equal(failed.stderr.trim().split('\n').length, 1);
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses no Node from the oldest on', () => {
    for (const version of ['20.19.0', '20.20.2', '22.1.0', '24.0.0-rc.1'])
      assert.equal(isTooOld(version), false);
  });
});
