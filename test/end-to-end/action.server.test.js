import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BIN } from '../helpers/cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ONE_CELL =
  '--clients raw --scenarios shared-connection --iterations 50 --runs 6 --starts 1 --warmup-runs 0 --pin off --no-profile';

describe('the action for GitHub', function () {
  this.timeout(120_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-action-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** @param {NodeJS.ProcessEnv} inputs @returns {Promise<{code: number, stderr: string, summary: string}>} */
  function act(inputs) {
    const summary = join(folder, 'summary.md');
    rmSync(summary, { force: true });
    const env = {
      ...process.env,
      BENCH: `${process.execPath} ${BIN}`,
      GITHUB_STEP_SUMMARY: summary,
      XDG_STATE_HOME: folder,
      RESULT: 'new.ndjson',
      ...inputs,
    };
    return new Promise((resolve) =>
      execFile('sh', [join(ROOT, 'bin/action')], { cwd: folder, env }, (error, _stdout, stderr) =>
        resolve({
          code: Number(error?.code ?? 0),
          stderr,
          summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
        }),
      ),
    );
  }

  it('puts the table into the summary, keeps the result and fails by an assertion', async () => {
    const args = `${ONE_CELL} --assert 'raw.opsPerSecond > 1000000000000'`;
    const { code, stderr, summary } = await act({ ARGS: args, RESULT: 'old.ndjson' });
    assert.equal(code, 5, stderr);
    assert.match(stderr, /assertion failed: raw\.opsPerSecond > 1000000000000/);
    assert.match(summary, /^\| .*ops\/s.*\|\n\|[ :|-]+\|\n\| raw, shared connection \| /m);
    assert.match(readFileSync(join(folder, 'old.ndjson'), 'utf8'), /"type":"end"/);
  });

  it('compares with an earlier result, and fails as the comparison does', async () => {
    const inputs = { ARGS: ONE_CELL, COMPARE_WITH: 'old.ndjson', COMPARE_ARGS: '--metric p99Us' };
    const compared = await act(inputs);
    assert.equal(compared.code, 0, compared.stderr);
    assert.match(compared.summary, /raw, shared connection.*ratio: new over base, of p99Us/s);
    const misspelt = await act({ ...inputs, COMPARE_ARGS: '--metric p98Us' });
    assert.equal(misspelt.code, 2);
    assert.match(misspelt.stderr, /p98Us/);
  });

  it('says what the tool says where there is no server, and runs nothing that its options hold', async () => {
    const { code, stderr, summary } = await act({
      ARGS: `${ONE_CELL} --seed '$(touch harm)'`,
      RESULT: 'none.ndjson',
    });
    assert.equal(code, 2);
    assert.match(stderr, /--seed: expected .* got '\$\(touch harm\)'/);
    assert.equal(existsSync(join(folder, 'harm')), false);
    const gone = await act({ ARGS: ONE_CELL, REDIS_URL: 'redis://127.0.0.1:1', RESULT: 'none.ndjson' });
    assert.equal(gone.code, 3);
    assert.match(gone.stderr, /^redis-pipe-bench: .*127\.0\.0\.1:1/m);
    assert.deepEqual([summary, gone.summary], ['', '']);
  });

  it('declares every input that it hands over', () => {
    const text = readFileSync(join(ROOT, 'action.yml'), 'utf8');
    const declared = [...text.matchAll(/^ {2}([a-z-]+):\n {4}description:/gm)].map(([, name]) => name);
    const used = [...text.matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(used)].sort(), declared.sort());
  });
});
