import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS, loadCommand } from '../../src/cli/commands.js';
import { loadOptions } from '../../src/options/catalogue.js';
import { BIN, endStarted, leftovers, QUICK, runCli } from '../helpers/cli.js';
import { clientReleases } from '../helpers/client-releases.js';
import { NIGHTLY } from '../helpers/nightly.js';
import { startRedis } from '../helpers/redis-server.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/** What makes each command short. A command that is not listed here makes its example's test fail. */
const SHORT = {
  // Unpinned, workers start on all processors, which is what most of the time is spent on.
  run: ['--smoke', '--runs', '1', '--iterations', '20', '--pin', 'off'],
  // A single run of each decides nothing.
  compare: ['--allow-undecided'],
  report: [],
  history: [],
  calibrate: ['--runs', '1', '--duration', '20ms', '--connections', '1', '--depth', '1'],
  list: [],
  bisect: [],
};

/** @param {string[]} args @returns {string[]} one value for each axis of which an example says nothing */
const fewCells = (args) =>
  Object.entries({
    ...{ '--tasks': '2', '--size': '10', '--scenarios': 'shared-connection' },
    // The client that starts first; the shortest example measures those of the default.
    ...(args.length > 0 && { '--clients': 'raw' }),
  })
    .filter(([flag]) => !args.includes(flag))
    .flat();

// Older releases are installed with npm, once; offline, what needs them is skipped.
const { missing } = await clientReleases();

// Read when the tests are set up, so that each example is a test of its own.
const [HELP, FULL_HELP] = [['--help'], ['--help', 'all']].map((args) =>
  execFileSync(process.execPath, [BIN, ...args], { encoding: 'utf8' }),
);
const EXAMPLES = [...(HELP + FULL_HELP).matchAll(/^ {2}\$ redis-pipe-bench(.*?)(?: {2,}.*)?$/gm)].map(
  ([, args]) => args.split(' ').filter(Boolean),
);

/** @param {string} text */
const headingsOf = (text) => text.match(/^[A-Z][^:\n]*:$/gm) ?? [];

describe('help', () => {
  afterEach(endStarted);

  it('has what is wanted first on one page of 60 lines, grouped by what it is wanted for', async () => {
    assert.ok(HELP.split('\n').length <= 60 + 1, HELP);
    assert.deepEqual(headingsOf(HELP), [
      ...['Examples:', 'What to compare:', 'What to send:', 'Where the server is:'],
      ...['How long and how to measure:', 'What to print:', 'Commands:'],
    ]);
    assert.doesNotMatch(HELP, /default: \)|object Object/);
    for (const [, flag] of HELP.matchAll(/^ {2}(?:-\w, )?(--\S+)/gm)) {
      assert.match(FULL_HELP, new RegExp(`^  (-\\w, )?${flag} `, 'm'));
    }
  });

  it('of all explains every option with all of its text, in the same groups', async () => {
    const options = Object.values(await loadOptions());
    assert.ok(options.length > 50);
    const explained = FULL_HELP.replaceAll(/\s+/g, ' ');
    for (const { flag, help } of options) {
      assert.ok(explained.includes(` ${flag} ${help.replaceAll(/\s+/g, ' ')}`), flag);
    }
    for (const flag of ['--suite', '--format', '--output', '--save', '--no-save', '-q, --quiet']) {
      assert.ok(explained.includes(` ${flag} `), flag);
    }
    const groups = (/** @type {string} */ text) => headingsOf(text).filter((each) => each !== 'Examples:');
    assert.deepEqual(groups(FULL_HELP), groups(HELP));
  });

  it('is the same wherever it is asked for, but of a command', async () => {
    for (const args of [
      ['run', '--help'],
      ['-h', 'all'],
      ['--tasks', '8', '--help', 'all'],
    ]) {
      assert.equal((await runCli(args)).stdout, FULL_HELP, args.join(' '));
    }
    for (const args of [['-h'], ['--tasks', '8', '--help'], ['--help', '--tasks', 'many']]) {
      assert.equal((await runCli(args)).stdout, HELP, args.join(' '));
    }
  });

  it('has every command with its summary, and a file that has it', async () => {
    const text = FULL_HELP.replaceAll(/\s+/g, ' ');
    for (const [name, [, summary]] of Object.entries(COMMANDS).filter(([name]) => name !== 'run')) {
      assert.ok(await loadCommand(name), name);
      assert.ok(text.includes(` ${name} ${summary} `), name);
      assert.match(HELP, new RegExp(`^  (also [^\\n]*(\\n  [^\\n]*)?)?${name}\\b`, 'm'), name);
    }
  });

  it('tells the exit codes, and has at most 100 columns', () => {
    for (const exit of [
      '0 done',
      '2 wrong options',
      '3 no server',
      '4 runs failed',
      '5 an assertion failed',
      '130 interrupted',
    ]) {
      assert.ok(FULL_HELP.replaceAll(/\s+/g, ' ').includes(exit), exit);
    }
    assert.deepEqual(
      (HELP + FULL_HELP).split('\n').filter((line) => line.length > 100),
      [],
    );
  });

  it('of a command is about that command', async () => {
    const { code, stdout, stderr } = await runCli(['calibrate', '--help']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Usage: redis-pipe-bench calibrate/);
    assert.match(stdout, /--depth/);
    assert.doesNotMatch(stdout, /--suite|--scenarios/);
    assert.match((await runCli(['agents', '--help'])).stdout, /^Where the server is:\n {2}--queue /m);
    assert.match(
      (await runCli(['record', '--help'])).stdout,
      /^Where the server is:\n {2}--url .*\n(.*\n)+ {2}--listen /m,
    );
  });

  it('--version is that of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    const { code, stdout, stderr } = await runCli(['--version']);
    assert.deepEqual([code, stdout, stderr], [0, `${version}\n`, '']);
  });

  describe('its examples run:', () => {
    /** @type {Awaited<ReturnType<typeof startRedis>>} */
    let server;
    /** @type {string} the folder of the results that examples read */
    let folder;
    /** Where there is a saved result. @type {NodeJS.ProcessEnv} */
    let env;
    before(async () => {
      server = await startRedis();
      folder = mkdtempSync(join(tmpdir(), 'rpb-help-'));
      env = { XDG_STATE_HOME: folder };
      for (const save of [['--save', join(folder, 'before.ndjson')], []]) {
        assert.equal((await runCli([...QUICK, ...save], { env })).code, 0);
      }
    });
    after(async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    // doctor.server.test.js runs doctor, which takes ten seconds. What installs releases, and more than one that
    // measures, are run at night.
    const measuring = EXAMPLES.filter(([command = '--']) => command.startsWith('--'));
    const isTested = (/** @type {string[]} */ args) =>
      NIGHTLY || !(/@|^bisect/.test(args.join(' ')) || measuring.includes(args, 1));
    for (const args of EXAMPLES.filter((each) => each[0] !== 'doctor' && isTested(each))) {
      it(['redis-pipe-bench', ...args].join(' '), async function () {
        this.timeout(240_000);
        if (missing.length > 0 && args.some((arg) => arg.includes('@'))) this.skip();
        const command = args[0]?.startsWith('--') ? 'run' : (args[0] ?? 'run');
        assert.ok(command in SHORT, `say in this test how to make '${command}' short`);
        const here = args.map((arg) =>
          arg === 'before.ndjson' ? join(folder, arg) : arg.replace('redis://127.0.0.1:6379', server.url),
        );
        const short = SHORT[/** @type {keyof typeof SHORT} */ (command)];
        const { code, stdout, stderr, temp } = await runCli(
          [...here, ...short, ...(command === 'run' ? fewCells(args) : [])],
          { env, inTemp: true, withinMs: 120_000 },
        );
        assert.equal(code, 0, stderr);
        const output = args[args.indexOf('--output') + 1];
        const results = args.includes('--output') ? await readFile(join(temp, output), 'utf8') : stdout;
        assert.ok(results.trim().length > 0);
        if (args.includes('json')) assert.deepEqual(schemaErrors(JSON.parse(results)), []);
        assert.deepEqual(
          leftovers(temp).filter((name) => name !== `file ${output}`),
          [],
        );
        assert.deepEqual(await server.contents(), {});
      });
    }
  });
});
