import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BIN } from '../helpers/cli.js';

describe('cli/main', () => {
  it('says how many open files the tool needs where there are too few to load it', async function () {
    if (process.platform !== 'linux') this.skip();
    for (const limit of [20, 40, 64, 80, 100, 110, 128, 191]) {
      const failed = await promisify(execFile)('sh', [
        ...['-c', `ulimit -n ${limit} && exec "$0" "$1" list`, process.execPath, BIN],
      ]).then(
        () => assert.fail('it ended with 0'),
        (error) => error,
      );
      assert.equal(failed.code, 2);
      assert.match(
        failed.stderr,
        new RegExp(`^redis-pipe-bench: .*limit here is ${limit};.*ulimit -n 1024\n$`),
      );
    }
  });
});
