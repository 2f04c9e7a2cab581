import assert from 'node:assert/strict';
import { examine } from '../../src/cli/commands/doctor.js';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';

describe('doctor', () => {
  afterEach(endStarted);

  it('measures a cell twice, and has advice for what is not fine, and only for that', async () => {
    // As short as that, the cell tells nothing of the machine.
    const short = { iterations: 50, runs: 2, starts: 1, warmupRuns: 0 };
    const found = await examine(/** @type {object} */ (short));
    const titles = found.map(({ title }) => title);
    for (const title of ['versions', 'processors', 'load average', 'server', 'noise (A/A)'])
      assert.ok(titles.includes(title), titles.join());
    const { found: noise } = found[titles.indexOf('noise (A/A)')];
    assert.match(noise, /^the same cell measured twice differs by [\d,.]+ %, its runs by up to [\d,.]+ %$/);
  });

  it('prints a line for each thing it looked at, and tells of a server that it cannot reach', async () => {
    const { code, stdout, temp } = await runCli(['doctor', '--url', 'redis://127.0.0.1:1']);
    assert.equal(code, 0);
    for (const title of ['versions', 'processors', 'load average'])
      assert.match(stdout, new RegExp(`^(ok|warn) +${title} `, 'm'));
    const lines = stdout.trimEnd().split('\n');
    lines.forEach((line, index) => {
      assert.equal(line.startsWith('warn'), /^ +→ /.test(lines[index + 1] ?? ''), line);
    });
    assert.deepEqual(leftovers(temp), []);
    assert.match(stdout, /^warn +server +none\n +→ nothing answers at 127\.0\.0\.1:1/m);
  });
});
