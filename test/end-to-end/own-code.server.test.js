import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPlugin } from '../../src/cli/commands/own.js';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { endStarted, QUICK, runCli, startCli } from '../helpers/cli.js';
import { assertRefused } from '../helpers/main.js';
import { assertSound, runsOf } from '../helpers/sound.js';

const OPENS = `
import { createServer } from 'node:net';
createServer(() => {}).listen(0, '127.0.0.1');
setInterval(() => {}, 1000);
export default { async iterate(redis, { key }) { await redis.get(key); } };`;
const SCRIPT = `export default {
  async iterate(redis, { key, index }) {
    const script = "redis.call('SET', KEYS[1], '1') if ARGV[1] == '1' then redis.call('INCR', KEYS[1]) end return 1";
    await redis.command(['EVAL', script, '1', key, String(index % 2)]);
    return (await redis.get(key)) !== null;
  },
};`;
const THROWS = `export default {
  async iterate(redis, { key }) {
    const cart = await redis.get(\`\${key}:cart\`);
    return cart.items.length === 1;
  },
};`;
const SMALL = { clients: 'raw', scenarios: 'shared-connection', smoke: true, starts: 1, pin: 'off' };

describe('code of the user’s own', function () {
  this.timeout(120_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-own-code-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(endStarted);
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  describe('that opens something when it is loaded', () => {
    const STAYED =
      /^warning: done, but (a timer and a server that listens|a server that listens and a timer) was still open/m;

    it('does not keep check from ending, which says so', async () => {
      const { code, stdout, stderr } = await startCli(['check', write('opens.mjs', OPENS)]).result;
      assert.match(
        stdout,
        /FAIL {2}opens nothing when it is loaded\n.*expected none, got a .*(server|timer)/,
      );
      assert.match(stderr, STAYED);
      assert.equal(code, 4);
    });

    it('does not keep a benchmark from ending, with its results and its exit code', async () => {
      const args = [...QUICK, '--workload', write('opens.mjs', OPENS), '--format', 'json', '--no-save'];
      const { code, stdout, stderr } = await startCli(args).result;
      assert.equal(runsOf(JSON.parse(stdout))[0].failed, null);
      assert.match(stderr, STAYED);
      assert.equal(code, 0);
    });
  });

  it('that runs scripts is accounted for: what they send is nobody’s mistake', async () => {
    const workload = write('script.mjs', SCRIPT);
    const report = await benchmark({ ...SMALL, workload });
    assertSound(report);
    const [run] = runsOf(report);
    assert.equal(run.commands, 2 * run.operations);
    const { checks } = await checkPlugin(workload);
    assert.deepEqual(
      checks.filter(({ failed }) => failed !== null),
      [],
    );
  });

  describe('that throws', () => {
    it('in a run is named with its file and line', async () => {
      const [run] = runsOf(await benchmark({ ...SMALL, workload: write('throws.mjs', THROWS) }));
      assert.match(
        String(run.failed),
        /Cannot read properties of null \(reading 'items'\) \(throws\.mjs:4\)/,
      );
    });

    it('when it is loaded, a mistake of its syntax included', async () => {
      await assertRefused(
        ['check', write('loads.mjs', 'const nothing = null;\n\nnothing.x();\nexport default {};')],
        /it cannot be loaded: Cannot read properties of null \(reading 'x'\) \(loads\.mjs:3\)/,
      );
      await assertRefused(
        ['check', write('syntax.mjs', 'export default {\n  iterate: (redis) => redis.get(key;\n};')],
        /it cannot be loaded: missing \) after argument list \(syntax\.mjs:2\)/,
      );
    });

    it('while cells are planned, is no bug of this tool', async () => {
      const text =
        'export default {\n  connections: (tasks, { none }) => none.length,\n  async open() {},\n};';
      const scenario = write('plans.mjs', text);
      const { code, stderr } = await runCli(['--smoke', '--no-save', '--scenarios', scenario]);
      assert.match(stderr, /a file of your own failed: Cannot read .*\(reading 'length'\) \(plans\.mjs:2\)/);
      assert.equal(code, 2);
    });
  });
});
