import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { renderReport } from '../../src/cli/render.js';
import { benchmark, measure } from '../../src/index.js';
import { endStarted, startCli } from '../helpers/cli.js';
import { assertRefused } from '../helpers/main.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/** @import { Report } from '../../src/store/types.js' */

/** What tracers do: replace methods as a module is required, or listen to the channels of its own. */
const REPLACES = `
  const Module = require('node:module');
  const { require: load } = Module.prototype;
  Module.prototype.require = function (name) {
    const exported = load.call(this, name);
    const { prototype } = name === './Redis' ? exported.default : {};
    if (prototype && !prototype.sendCommand.original) {
      const original = prototype.sendCommand;
      prototype.sendCommand = Object.assign(function (...given) { return original.apply(this, given); }, { original });
    }
    return exported;
  };
`;
const LISTENS = `
  import { tracingChannel } from 'node:diagnostics_channel';
  for (const name of ['node-redis:command', 'ioredis:command']) tracingChannel(name).subscribe({ start() {}, asyncEnd() {} });
`;
/** Opens a timer, prints as much as it likes, and is loaded by nothing but workers and the trial. */
const LOUD = (/** @type {string} */ log) => `
  require('node:fs').appendFileSync(${JSON.stringify(log)}, (process.argv[1] ?? '') + '\\n');
  setInterval(() => console.log('{"id":1,"result":{}}'), 5);
  console.error('x'.repeat(100_000));
`;

const QUICK = /** @type {const} */ ({
  ...{ scenarios: 'shared-connection', size: 10, pin: 'off', profile: false, seed: 1 },
  ...{ runs: 1, starts: 1, warmupRuns: 0, iterations: 20 },
});

/** @param {Report} report @returns {unknown[][]} */
const instrumentsIn = ({ cells }) =>
  cells.map(({ client, imported }) => [client, imported?.name, imported?.instruments]);

describe('--import', function () {
  this.timeout(120_000);
  /** @type {string} */
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-e2e-'));
  });
  afterEach(async () => {
    await endStarted();
    rmSync(folder, { recursive: true });
  });

  /** @param {string} name @param {string} text @returns {string} its path */
  function write(name, text) {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  }

  it('makes cells with and without a module, and proves what it did to which client', async () => {
    const files = [write('replaces.js', REPLACES), write('listens.mjs', LISTENS)];
    if (NIGHTLY) files.push(write('idle.cjs', ''));
    /** @type {(string | undefined)[]} */
    let flags = [];
    const report = await benchmark(
      { ...QUICK, clients: 'redis,ioredis', import: ['none', ...files] },
      {
        onEvent(event) {
          if (event.type === 'plan') flags = event.plan.cells.map(({ imported }) => imported?.args?.[0]);
        },
      },
    );
    assert.deepEqual(schemaErrors(report), []);
    assert.ok(!JSON.stringify(report).includes(folder), 'where a module lies is not in the result');
    assert.deepEqual(instrumentsIn(report), [
      ['redis', undefined, undefined],
      ['ioredis', undefined, undefined],
      ['redis', 'replaces.js', []],
      ['ioredis', 'replaces.js', ['Redis.sendCommand']],
      ['redis', 'listens.mjs', ['node-redis:command']],
      ['ioredis', 'listens.mjs', ['ioredis:command']],
      ...(NIGHTLY
        ? [
            ['redis', 'idle.cjs', []],
            ['ioredis', 'idle.cjs', []],
          ]
        : []),
    ]);
    assert.ok(report.cells.every(({ runs }) => runs.length === 1 && runs[0].failed === null));
    assert.equal(new Set(report.cells.map(({ group }) => group)).size, 1, 'they are compared');
    const requires = ['--require', '--require'];
    assert.deepEqual(flags.slice(2), [...requires, '--import', '--import', ...(NIGHTLY ? requires : [])]);
    const text = await renderReport(report, 'table', { width: 100 });
    assert.match(text, /redis, no import/);
    assert.match(text.replaceAll(/\s+/g, ' '), /listens\.mjs instruments redis, ioredis/);
    assert.match(
      text.replaceAll(/\s+/g, ' '),
      /redis, replaces\.js, shared connection.* replaces\.js changes nothing in this client/,
    );
  });

  it('runs the module in workers alone, whatever it prints and leaves open', async () => {
    const log = join(folder, 'started');
    const module = write('loud.cjs', LOUD(log));
    const args = ['--clients', 'raw', '--scenarios', 'shared-connection', '--pin', 'off', '--no-profile'];
    const short = ['--runs', '1', '--warmup-runs', '0', '--iterations', '20', '--rtt', '1ms'];
    const { code, stdout, stderr } = await startCli([...args, ...short, '--import', module]).result;
    assert.equal(code, 0, stderr);
    const started = new Set(
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((path) => basename(path)),
    );
    assert.deepEqual([...started].sort(), ['entry.js', 'loud.cjs'], 'workers, and the trial');
    assert.match(stderr, /loud\.cjs kept a process with nothing to do alive for \d\.\d s/);
    assert.doesNotMatch(stdout + stderr, /xxx|"result"/);
  });

  it('a module that makes replies wrong is found out', async () => {
    const wrong = write(
      'wrong.cjs',
      REPLACES.replace(
        'return original.apply(this, given)',
        'return original.apply(this, given)?.then(() => "x")',
      ),
    );
    const { cells } = await benchmark({ ...QUICK, clients: 'ioredis', import: ['none', wrong] });
    assert.deepEqual(
      cells.map(({ runs: [{ failed }] }) => failed === null),
      [true, false],
    );
  });

  (NIGHTLY ? it : it.skip)('finds packages from the folder of the user', async () => {
    const own = join(folder, 'node_modules', 'our-apm');
    mkdirSync(own, { recursive: true });
    writeFileSync(
      join(own, 'package.json'),
      '{"name":"our-apm","version":"1.0.0","exports":{"./init":"./init.js"}}',
    );
    writeFileSync(join(own, 'init.js'), LISTENS.replace(/import (.*) from (.*);/, 'const $1 = require($2);'));
    const args = ['--clients', 'redis', '--scenarios', 'shared-connection', '--smoke', '--format', 'json'];
    const { code, stdout, stderr } = await startCli([...args, '--import', 'our-apm/init'], { folder }).result;
    assert.equal(code, 0, stderr);
    const [cell] = JSON.parse(stdout).cells;
    assert.deepEqual(
      [cell.imported.name, cell.imported.args],
      ['our-apm/init', ['--require', join(own, 'init.js')]],
    );
    assert.deepEqual(cell.imported.instruments, ['node-redis:command']);
  });

  it('one that cannot be loaded is refused before anything is measured', async () => {
    const throws = write('throws.cjs', 'throw new Error("no license\\nkey")');
    const newer = write('newer.mjs', 'import { future } from "node:fs";');
    const ends = write('ends.cjs', 'process.exit(0)');
    const answers = write('answers.cjs', 'require("node:fs").writeSync(3, "{}")');
    await assertRefused(
      ['--import', throws],
      /--import: '.*throws\.cjs' cannot be loaded by Node \d.*: Error: no license/,
    );
    await assertRefused(['--import', `none,${newer}`], /newer\.mjs' cannot be loaded .*'future'/);
    await assertRefused(
      ['--import', ends],
      /ends\.cjs' cannot be loaded by Node .*: its process ended with exit code 0/,
    );
    await assertRefused(['--import', answers], /answers\.cjs' cannot be loaded by Node/);
    await assertRefused(
      ['cold', '--import', './nope.mjs'],
      /'\.\/nope\.mjs' cannot be loaded .* Cannot find module/,
    );
    await assertRefused(
      ['break', '--import', 'no-such-apm'],
      /'no-such-apm' cannot be loaded .*Cannot find module/,
    );
    const env = { NODE_OPTIONS: `--max-old-space-size=4000 --require ${write('tracer.cjs', '')}` };
    const { code, stderr } = await startCli(['--import', 'none'], { env }).result;
    assert.equal(code, 2);
    assert.match(stderr, /--import: NODE_OPTIONS loads modules into every worker already/);
  });

  it('is a choice of cold starts too', async () => {
    const module = write('listens.mjs', LISTENS);
    const report = await measure('cold', {
      clients: 'redis',
      import: ['none', module],
      runs: 1,
      iterations: 1,
    });
    assert.deepEqual(schemaErrors(report), []);
    assert.deepEqual(
      report.cells.map(({ imported, runs: [run] }) => [
        imported?.name,
        imported?.instruments?.length,
        run.failed,
      ]),
      [
        [undefined, undefined, null],
        ['listens.mjs', 1, null],
      ],
    );
  });
});
