import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runCli } from '../../helpers/cli.js';
import { NIGHTLY } from '../../helpers/nightly.js';

const BIN = fileURLToPath(new URL('../../../bin/redis-pipe-bench.js', import.meta.url));

/** Each prints what its shell offers at the end of each line that it is given, as the shell itself asks for it. */
const ASKED = {
  bash: `source <(redis-pipe-bench completion bash)
for LINE; do COMP_LINE=$LINE; COMP_POINT=\${#LINE}; _redis_pipe_bench; printf '%s\\n' "\${COMPREPLY[@]}" ==; done`,
  zsh: `compdef() { }; source <(redis-pipe-bench completion zsh)
_describe() { print -rl -- "\${(@P)2}" | sed -E 's/([^\\\\]):.*/\\1/; s/\\\\:/:/g' }
for LINE; do words=("\${(@s: :)LINE}"); CURRENT=$#words; _redis_pipe_bench; echo '=='; done`,
  fish: 'redis-pipe-bench completion fish | source; for LINE in $argv; complete -C "$LINE"; echo ==; end',
};

/**
 * What bash completes is what follows the last : or =. Each line starts the tool: by day those that a shell's own script
 * treats differently.
 *
 * @type {[typed: string, offered: string[], inBash?: string[]][]}
 */
const LINES = [
  ['--clients ioredis,redis:t', ['ioredis,redis:tuned'], ['tuned']],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['--transport=t', ['--transport=tcp', '--transport=tls'], ['tcp', 'tls']],
];
if (NIGHTLY)
  LINES.push(
    ['bre', ['break']],
    ['--clients redis,io', ['redis,ioredis', 'redis,iovalkey']],
    ['messages --workload st', ['stream']],
    ['break --fault-a', ['--fault-at']],
    [
      'list ',
      'clients scenarios workloads ways pipelining faults encodings suites formats metrics'.split(' '),
    ],
  );

describe('cli/commands/completion', () => {
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-completion-'));
    const tool = join(folder, 'redis-pipe-bench');
    writeFileSync(tool, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
    chmodSync(tool, 0o755);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [shell, script] of Object.entries(ASKED)) {
    it(`offers in ${shell} what the option table has`, async function () {
      if (spawnSync(shell, ['-c', 'true']).status !== 0) return this.skip();
      const env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` };
      const typed = LINES.map(([line]) => `redis-pipe-bench ${line}`);
      const args = ['-c', script, ...(shell === 'fish' ? [] : [shell]), ...typed];
      const { stdout } = await promisify(execFile)(shell, args, { env });
      const offered = stdout
        .split(/^==\n/m)
        .slice(0, -1)
        .map((part) =>
          part
            .trim()
            .split(/\n/)
            .map((line) => line.split('\t')[0]),
        );
      const sorted = (/** @type {string[]} */ all) => [...all].sort();
      assert.deepEqual(
        offered.map(sorted),
        LINES.map(([, each, inBash]) => sorted(shell === 'bash' ? (inBash ?? each) : each)),
      );
    });
  }

  it('refuses another shell, and names the three', async () => {
    for (const args of [['tcsh'], []]) {
      const { code, stdout, stderr } = await runCli(['completion', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /completion: expected one of bash, zsh, fish, got '(tcsh)?'/);
    }
  });

  it('offers values of every option that has a few, and files where one is a file', async () => {
    const offered = async (/** @type {string[]} */ ...words) =>
      (await runCli(['completion', 'next'], { env: { COMPLETE_WORDS: [...words, '.'].join('\n') } })).stdout
        .trim()
        .split('\n');
    assert.deepEqual(await offered('--save', ''), [':files']);
    assert.deepEqual(await offered('report', 'x'), [':files']);
    assert.deepEqual(await offered('--import', './o'), [':files']);
    assert.deepEqual(await offered('--when-full', ''), ['wait', 'drop', 'fail']);
    assert.deepEqual(await offered('--format', 'mark'), ['markdown']);
    assert.deepEqual(await offered('break', 'stall'), ['stall']);
    assert.deepEqual(await offered('--tasks', ''), ['']);
    assert.deepEqual(await offered('no-such-command', ''), ['']);
  });
});
