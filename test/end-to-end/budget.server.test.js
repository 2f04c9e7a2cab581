import assert from 'node:assert/strict';
import { MEASURING } from '../../src/method.js';
import { endStarted, leftovers, runCli } from '../helpers/cli.js';
import { until } from '../helpers/until.js';

/** @param {any[]} cells @returns {number} the exit code: which cells there is time for, this machine decides */
const codeFor = (cells) => {
  const late = cells.filter(({ skipped }) => skipped?.kind === 'no-time').length;
  return late > 0 && late >= cells.length - late ? 6 : 0;
};

const CELLS = ['--clients', 'raw', '--scenarios', 'shared-connection,pool', '--tasks', '1,2'];

describe('end to end: --budget', function () {
  this.timeout(120_000);
  afterEach(endStarted);

  it('measures what there is time for, in the order asked for, and names the rest', async () => {
    const { code, stdout, stderr, temp } = await runCli([...CELLS, '--budget', '2s', '--format', 'json']);
    const { cells } = JSON.parse(stdout);
    assert.equal(code, codeFor(cells), stderr);
    assert.match(stderr, /cells? .*, (?:at most )?about 2 s\n/);
    // How many, this machine decides.
    const measured = cells.filter((/** @type {any} */ { runs }) => runs.length > 0);
    assert.ok(measured.length > 0);
    for (const [index, { runs, skipped }] of cells.entries()) {
      assert.equal(skipped?.kind ?? null, index < measured.length ? null : 'no-time');
      assert.ok(
        runs.every((/** @type {any} */ { start }) => start < MEASURING.fixedStarts),
        'a cell alone, too',
      );
      assert.ok(runs.every((/** @type {any} */ { failed, averageMs }) => failed === null && averageMs > 0));
    }
    await until('the end of what kept processors awake', () => leftovers(temp).length === 0);
  });

  it('leaves out cells where a single batch takes too long, and says how long all would need', async () => {
    const { code, stdout, stderr } = await runCli([
      ...['--clients', 'raw', '--scenarios', 'shared-connection,pool', '--size', '10', '--tasks', '1'],
      ...['--keys', '1000', '--pipelining', 'explicit:400000', '--latency', 'off', '--no-profile'],
      ...['--budget', '3s', '--format', 'json'],
    ]);
    assert.equal(code, 6, stderr);
    assert.match(
      stderr,
      /not decided: --budget left out half of the cells or more \(--allow-undecided: exit 0\)\n/,
    );
    const [first, second] = JSON.parse(stdout).cells;
    assert.deepEqual([first.skipped, first.runs.length], [null, 1]);
    assert.deepEqual([second.skipped.kind, second.runs.length], ['no-time', 0]);
    // By what a batch took: the plan alone had time for both.
    assert.ok(second.skipped.needMs > 3000);
  });

  it('says before it measures what there is no time for, and afterwards what there was none for', async () => {
    const { code, stdout, stderr } = await runCli([...CELLS, '--budget', '1.6s', '--format', 'json']);
    assert.equal(code, codeFor(JSON.parse(stdout).cells), stderr);
    const [before, after] = stderr
      .split('\n')
      .flatMap((line) => /^warning: (.*): no time left/.exec(line)?.[1] ?? []);
    assert.match(before, /^the last \d cells? will not be measured$/);
    assert.match(after, /^\d of 4 cells not measured$/);
  });

  it('leaves out most of what was asked, which a script must not take for success unless it says so', async () => {
    const args = [
      'cold',
      '--clients',
      'raw,raw,raw,raw',
      '--iterations',
      '1',
      '--budget',
      '1ms',
      '--pin',
      'off',
    ];
    const most = [
      '--clients',
      'raw',
      '--scenarios',
      'shared-connection',
      '--tasks',
      '1,2,3,4,5,6,7,8,9,10,11,12',
    ];
    const { code, stdout, stderr } = await runCli([...most, '--budget', '1s', '--format', 'json']);
    const { cells } = JSON.parse(stdout);
    const measured = cells.filter((/** @type {any} */ { runs }) => runs.length > 0);
    assert.ok(measured.length > 0 && measured.length <= 6, `${measured.length} of 12`);
    assert.equal(code, 6, stderr);
    const allowed = await runCli([...most, '--budget', '1s', '--allow-undecided', '--format', 'json']);
    assert.equal(allowed.code, 0, allowed.stderr);
    assert.doesNotMatch(allowed.stderr, /not decided/);
    assert.equal((await runCli([...args, '--allow-undecided'])).code, 4);
  });

  for (const command of [
    ['cold', '--clients', 'raw', '--iterations', '1'],
    ['messages', '--clients', 'redis', '--workload', 'queue'],
  ])
    it(`measures nothing in no time, which is an error and no result: ${command[0]}`, async () => {
      const { code, stderr, temp } = await runCli([...command, '--budget', '1ms']);
      assert.equal(code, 4, stderr);
      assert.match(
        stderr,
        /\nwarning: 1 of 1 cell not measured: no time left: .*\nredis-pipe-bench: nothing was measured\n$/s,
      );
      assert.doesNotMatch(stderr, /saved as/);
      await until('the end of what was started', () => leftovers(temp).length === 0);
    });

  for (const args of [
    ['cold', '--clients', 'raw', '--iterations', '1', '--budget', '2s'],
    ['messages', '--clients', 'redis,redis:tuned,ioredis', '--workload', 'queue', '--budget', '2s'],
  ])
    it(`bounds what runs apart, within a round too: ${args[0]}`, async () => {
      const { code, stdout, stderr } = await runCli([...args, '--pin', 'off', '--format', 'json']);
      assert.match(stderr, /up to 20 runs.*at most about/);
      const { cells } = JSON.parse(stdout);
      assert.equal(code, codeFor(cells), stderr);
      const measured = cells.filter((/** @type {any} */ { runs }) => runs.length > 0);
      assert.ok(measured.length > 0 && cells[0].runs.length <= 20, `${cells[0].runs.length} runs`);
      for (const [index, { skipped }] of cells.entries())
        assert.equal(skipped?.kind ?? null, index < measured.length ? null : 'no-time');
    });
});

describe('end to end: --cpus both', () => {
  afterEach(endStarted);

  it('takes each run as the machine is and with processors kept awake, and ends with what keeps them so', async () => {
    const args = ['--clients', 'raw', '--scenarios', 'shared-connection,pool', '--iterations', '50'];
    const { code, stdout, stderr, temp } = await runCli([
      ...[...args, '--cpus', 'both', '--starts', '2', '--runs', '2'],
      ...['--warmup-runs', '0', '--no-profile', '--format', 'json'],
    ]);
    assert.equal(code, 0, stderr);
    const { cells, findings } = JSON.parse(stdout);
    for (const { runs, summary } of cells) {
      assert.deepEqual(
        runs.map((/** @type {any} */ { start, awake }) => [start, awake ?? false]),
        [
          [1, false],
          [1, true],
          // No state is always first.
          [2, true],
          [2, false],
        ],
      );
      // The table shows the machine as it is.
      assert.equal(summary.runs, 2);
    }
    assert.ok(findings.some((/** @type {any} */ { kind }) => kind === 'kept-awake'));
    // Killed processes of idle priority are gone when the machine has a moment for them.
    await until('the end of what kept them awake', () => leftovers(temp).length === 0);
  });
});
