import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { BIN, endStarted, ONE_CELL } from '../helpers/cli.js';

/**
 * Runs the tool after some commands of a shell that make its world smaller.
 *
 * @param {string} before
 * @param {string[]} args
 * @param {string[]} [wrapper] a program that runs the shell
 * @param {RegExp} [enough] on stderr, after which it is interrupted
 */
async function runAfter(before, args, wrapper = [], enough) {
  const [command, ...rest] = [
    ...wrapper,
    'sh',
    '-c',
    `${before}; exec "$0" "$@"`,
    process.execPath,
    BIN,
    ...args,
  ];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    printed.stdout += text;
  });
  child.stderr.on('data', (text) => {
    printed.stderr += text;
    if (enough?.test(printed.stderr)) child.kill('SIGINT');
  });
  const [code] = await once(child, 'close');
  return { code, ...printed };
}

const SCENARIOS = [
  ...[
    '--no-save',
    '--runs',
    '1',
    '--warmup-runs',
    '0',
    '--tasks',
    '200',
    '--format',
    'json',
    '--clients',
    'raw',
  ],
  ...['--pin', 'off', '--no-profile'],
];

describe('a limit on open files', () => {
  afterEach(endStarted);

  it('below what the tool itself needs is one sentence, whatever the command', async () => {
    for (const [files, ...args] of [
      ['30', 'report', 'last'],
      ['100', '--smoke', '--no-save'],
      ['191', 'list'],
    ]) {
      const { code, stdout, stderr } = await runAfter(`ulimit -n ${files}`, args);
      assert.equal(
        stderr,
        `redis-pipe-bench: expected 192 or more open files, but this process may have ${files}; raise the limit with: ulimit -n 1024\n`,
      );
      assert.deepEqual([code, stdout], [2, '']);
    }
  });

  it('that Node may raise by itself is none', async () => {
    const { code, stderr } = await runAfter('ulimit -Sn 100', ['--version']);
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('of 192 is enough to measure', async () => {
    const { code, stderr } = await runAfter('ulimit -n 192', [...ONE_CELL, '--smoke', '--no-save']);
    assert.equal(code, 0, stderr);
  });

  it('below what a cell needs is found before the run, with what to do', async () => {
    const scenarios = ['--scenarios', 'shared-connection,connection-per-task', '--iterations', '5'];
    const { code, stdout, stderr } = await runAfter('ulimit -n 200', [...SCENARIOS, ...scenarios]);
    assert.equal(code, 0, stderr);
    const [shared, each] = JSON.parse(stdout).cells;
    assert.deepEqual([shared.skipped, shared.runs[0].failed], [null, null]);
    assert.deepEqual(each.skipped, { kind: 'too-many-files', connections: 200, files: 200, enough: 512 });
    assert.match(stderr, /^1 cell \(1 skipped\)/m);
  });
});

describe('local ports', () => {
  /** A network of its own, with few ports and no reuse of those that wait. */
  const few = (/** @type {number} */ count) =>
    `ip link set lo up; echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse; ` +
    `echo "40000 ${40_000 + count - 1}" > /proc/sys/net/ipv4/ip_local_port_range`;
  const alone = ['unshare', '--net'];

  before(function () {
    const { status } = spawnSync('unshare', ['--net', 'sh', '-c', few(100)]);
    if (status !== 0) this.skip();
  });

  const cells = [
    ...ONE_CELL,
    '--no-save',
    '--scenarios',
    'shared-connection,open-and-close',
    '--runs',
    '1',
    '--format',
    'json',
  ];

  it('fewer than a run opens connections: it says so before it starts', async () => {
    const args = [
      ...[...cells, '--clients', 'ioredis', '--scenarios', 'open-and-close'],
      ...['--iterations', '100', '--warmup-runs', '0'],
    ];
    const message = /open and close.*may run out of local ports: 800 connections .*has 300; --transport unix/;
    // Between slices it would wait for a minute until those of the first are free.
    const { stderr } = await runAfter(few(300), args, alone, message);
    assert.match(stderr, message);
  });

  it('that run out: EADDRNOTAVAIL, with what it means, and the other cells go on', async () => {
    // Fewer than tasks, so that the first slice takes them all, however short: before the next one the tool would wait for
    // a minute until they are free.
    const args = [...cells, '--clients', 'raw', '--tasks', '64', '--duration', '500ms', '--warmup-runs', '0'];
    const { code, stdout, stderr } = await runAfter(few(16), args, alone);
    assert.equal(code, 4, stderr);
    const [shared, opening] = JSON.parse(stdout).cells;
    assert.equal(shared.runs[0].failed, null);
    assert.match(opening.runs[0].failed, /EADDRNOTAVAIL.*run out of local ports.*--transport unix/);
    assert.ok(opening.runs[0].errors.EADDRNOTAVAIL > 0);
  });
});
