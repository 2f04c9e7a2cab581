import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BIN } from '../helpers/cli.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { startRegistry, writePackage } from '../helpers/npm-registry.js';

const EXAMPLES = fileURLToPath(new URL('../../examples/ci', import.meta.url));
const HERE = createRequire(import.meta.url).resolve('ioredis');
const WORKS = { 'index.js': `module.exports = require(${JSON.stringify(HERE)})` };
/** Ten times the CPU of a command: no noise hides it. */
const SLOW = {
  'index.js': `${WORKS['index.js']};
const { prototype } = module.exports;
const { sendCommand } = prototype;
prototype.sendCommand = function (...args) {
  const until = process.hrtime.bigint() + 300_000n;
  while (process.hrtime.bigint() < until);
  return sendCommand.apply(this, args);
};`,
};
const SMALL = [
  ...['--scenarios', 'shared-connection', '--tasks', '2', '--size', '10', '--pin', 'off', '--no-profile'],
  ...['--runs', '6', '--starts', '1', '--warmup-runs', '0', '--iterations', '50'],
].join(' ');

describe('the examples for CI', function () {
  this.timeout(240_000);
  /** @type {Awaited<ReturnType<typeof startRegistry>>} */
  let registry;
  /** @type {string} */
  let temp;
  before(async () => {
    registry = await startRegistry('ioredis', { '5.9.0': WORKS, '5.10.0': WORKS });
  });
  after(() => registry.stop());
  beforeEach(() => {
    temp = mkdtempSync(join(tmpdir(), 'rpb-ci-'));
  });
  afterEach(() => rmSync(temp, { recursive: true, force: true, maxRetries: 5 }));

  /** @param {string[]} args @param {Record<string, string>} [more] */
  async function run(args, more = {}) {
    const [script, ...rest] = args;
    const env = {
      ...process.env,
      ...registry.env,
      ...{ XDG_CACHE_HOME: join(temp, 'cache'), XDG_STATE_HOME: join(temp, 'state') },
      ...{ BENCH: `${process.execPath} ${BIN}`, OPTIONS: SMALL, REDIS_URL: '', ...more },
    };
    const child = spawn('sh', [join(EXAMPLES, script), ...rest], { cwd: temp, env });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        printed += text;
      });
    const [code] = await once(child, 'close');
    return { code, printed };
  }
  const comment = () => readFileSync(join(temp, 'comment.md'), 'utf8');

  // Each installs releases and measures them: half a minute of CPU.
  const measured = NIGHTLY ? it : it.skip;

  measured('fails a pull request that two benchmarks show to cost more, and says what it costs', async () => {
    writePackage(join(temp, 'fork'), { name: 'ioredis', version: '5.10.1' }, SLOW);
    const { code, printed } = await run(['pull-request.sh', 'ioredis', 'fork']);
    assert.equal(code, 5, printed);
    assert.match(
      comment(),
      /More than 1\.05 times the cpuUsPerOp of ioredis@5\.10\.0, confirmed by a second benchmark/,
    );
    assert.match(comment(), /client CPU per operation/);
    for (const name of ['first.ndjson', 'second.ndjson']) assert.ok(readdirSync(temp).includes(name));
  });

  // The tool is not the point here, but what the script makes of its exit codes.
  for (const [codes, expected, said] of /** @type {[number[], number, RegExp][]} */ ([
    [[5], 0, /No more than 1\.05 times/],
    [[0, 5], 0, /a second one did not confirm it/],
    [[0, 0], 5, /confirmed by a second benchmark/],
    [[2], 2, /^report\n$/],
  ])) {
    it(`exits ${expected} where judging exits ${codes.join(', then ')}`, async () => {
      const stub = join(temp, 'stub');
      writeFileSync(join(temp, 'codes'), codes.map((code) => `${code}\n`).join(''));
      writeFileSync(
        stub,
        `#!/bin/sh
case "$*" in
  *--assert*) code=$(head -n 1 codes); sed -i 1d codes; exit "$code" ;;
  report*) echo report ;;
esac
`,
      );
      chmodSync(stub, 0o755);
      const { code, printed } = await run(['pull-request.sh', 'ioredis', 'fork'], { BENCH: stub });
      assert.equal(code, expected, printed);
      assert.match(comment(), said);
    });
  }

  measured('adds releases and makes pages of them', async () => {
    const { code, printed } = await run(['weekly.sh', 'ioredis'], {
      OPTIONS: `${SMALL} --newest 1 --runs 1`,
    });
    assert.equal(code, 0, printed);
    assert.deepEqual(readdirSync(join(temp, 'results')), ['ioredis-5.10.0.ndjson']);
    assert.ok(readdirSync(join(temp, 'public')).includes('index.html'));
  });
});
