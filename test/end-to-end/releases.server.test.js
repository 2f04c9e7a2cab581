import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { OFFLINE } from '../helpers/npm-registry.js';
import { schemaErrors } from '../helpers/report-shapes.js';

const SHORT = [
  ...['--scenarios', 'shared-connection', '--size', '10', '--pin', 'off', '--no-profile'],
  ...['--runs', '2', '--starts', '1', '--warmup-runs', '0', '--iterations', '50'],
];

describe('releases side by side', () => {
  afterEach(endStarted);

  it('workers run on the Node binary that is named, and the results say so', async () => {
    const args = ['--clients', 'ioredis', '--node-bin', process.execPath, ...SHORT];
    const { code, stdout, stderr } = await runCli([...args, '--format', 'json']);
    assert.equal(code, 0, stderr);
    const report = JSON.parse(stdout);
    assert.deepEqual(schemaErrors(report), []);
    const { node, runtime } = report.cells[0];
    assert.deepEqual([node, runtime.path], [process.versions.node, undefined]);
  });

  it('no path of this machine is kept: of a Node, a module, a profile, or files of code', async () => {
    const home = mkdtempSync(join(tmpdir(), 'rpb-secret-home-'));
    try {
      const file = (/** @type {string} */ name) => join(home, name);
      symlinkSync(process.execPath, file('node-link'));
      writeFileSync(file('tracer.mjs'), 'export {};');
      copyFileSync('test/corpus/shop.ndjson.gz', file('shop.ndjson.gz'));
      copyFileSync('src/plugins/templates/own-workload.js', file('checkout.js'));
      const folders = dirname(resolve('node_modules'));
      for (const [index, args] of [
        ['--node-bin', `${process.execPath},${file('node-link')}`],
        ['--import', `none,${file('tracer.mjs')}`],
        ['--workload', `profile:${file('shop.ndjson.gz')}`],
        ['--workload', file('checkout.js')],
        ['--clients', `ioredis@path:${resolve('node_modules/ioredis')}`],
      ].entries()) {
        const saved = file(`${index}.ndjson`);
        const smoke = ['--smoke', '--clients', 'ioredis', ...SHORT, '--save', saved];
        const { code, stderr } = await runCli([...smoke, ...args]);
        assert.equal(code, 0, stderr);
        const found = [home, folders].filter((path) => readFileSync(saved, 'utf8').includes(path));
        assert.deepEqual(found, [], args.join(' '));
        const again = await runCli(['report', saved]);
        assert.equal(again.code, 0, again.stderr);
      }
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  describe('bad input: one message, exit 2, and nothing is measured', () => {
    for (const [args, message, env] of /** @type {[string[], RegExp, NodeJS.ProcessEnv?][]} */ ([
      [
        ['--clients', 'redis,redis@5'],
        /redis@5: the npm registry cannot be reached/,
        { ...OFFLINE, XDG_CACHE_HOME: '/tmp/rpb-none' },
      ],
      [
        ['--clients', 'redis@path:/no/such/fork'],
        /redis@path:\/no\/such\/fork: expected a folder or a tarball.*no such file/,
      ],
      [['--node-bin', '/no/node'], /--node-bin: expected the path of a Node binary.*does not exist/],
      [['bisect', '--client', 'raw', '--from', '5', '--to', '6'], /no releases/],
    ])) {
      it(args.map((arg) => arg.replace(process.cwd(), '.')).join(' '), async () => {
        const { code, stdout, stderr, temp: used } = await runCli(args, { env });
        assert.match(stderr, /^redis-pipe-bench: [^\n]+\n$/, 'one line');
        assert.match(stderr, message);
        assert.deepEqual([code, stdout], [2, '']);
        assert.deepEqual(leftovers(used), []);
      });
    }
  });
});
