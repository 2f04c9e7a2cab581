import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { BIN, ENDLESS, endStarted, leftovers, QUICK, runCli, startCli } from '../helpers/cli.js';
import { startFakeRedis } from '../helpers/tcp-server.js';

/** For a shell that has the environment, and so the home, of whoever runs the tests. */
const UNSAVED = [...QUICK, '--no-save'];

/** @param {string} stderr @returns {string} without what is said of one run alone */
const withoutFewRuns = (stderr) => stderr.replace(/^warning: too few runs per cell .*\n/m, '');

/** Redirected by a shell, as a user does it. */
async function inShell(/** @type {string} */ redirection, /** @type {string[]} */ args) {
  const command = `"$0" "$@" ${redirection}`;
  const child = spawn('sh', ['-c', command, process.execPath, BIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (printed.stdout += text));
  child.stderr.on('data', (text) => (printed.stderr += text));
  const [code] = await once(child, 'close');
  return { code, ...printed };
}

describe('output', () => {
  afterEach(endStarted);

  describe('to a full disk', () => {
    before(function () {
      if (!existsSync('/dev/full')) this.skip();
    });
    for (const args of [UNSAVED, ['list']]) {
      it(`${args.slice(-2).join(' ')}: one message that says so, exit 4`, async () => {
        const { code, stdout, stderr } = await inShell('> /dev/full', args);
        assert.equal(code, 4, stderr);
        assert.equal(stdout, '');
        assert.match(
          stderr,
          /^redis-pipe-bench: the results could not be written to stdout: .*ENOSPC.*--output FILE/m,
        );
        assert.doesNotMatch(stderr, /^\s+at |a bug in this tool/m);
      });
    }
    it('--output: the results are on stdout instead, exit 4', async () => {
      const { code, stdout, stderr, temp } = await runCli([...QUICK, '--output', '/dev/full']);
      assert.equal(code, 4);
      assert.match(stdout, /raw, shared connection/);
      assert.match(stderr, /could not be written to '\/dev\/full'/);
      assert.deepEqual(leftovers(temp), []);
    });
    it('stderr: the results come all the same', async () => {
      const { code, stdout } = await inShell('2> /dev/full', UNSAVED);
      assert.equal(code, 0);
      assert.match(stdout, /raw, shared connection/);
    });
  });

  it('| head -1: one line, no complaint', async () => {
    for (const args of [[...UNSAVED, '--format', 'json'], ['--help']]) {
      const { code, stdout, stderr } = await inShell('| head -1', [
        ...args,
        ...(args.includes('--help') ? [] : ['--quiet']),
      ]);
      assert.deepEqual([code, withoutFewRuns(stderr)], [0, '']);
      assert.equal(stdout.trimEnd().split('\n').length, 1);
    }
  });

  it('without home folder, locale, terminal type or a folder of its own', async () => {
    const env = {
      HOME: undefined,
      LANG: undefined,
      LC_ALL: 'C',
      TERM: undefined,
      USER: undefined,
    };
    const { code, stdout, stderr, temp } = await runCli([...QUICK, '--quiet'], { env });
    assert.deepEqual([code, withoutFewRuns(stderr)], [0, '']);
    assert.match(stdout, /raw, shared connection/);
    assert.deepEqual(leftovers(temp), []);
  });

  it('on a terminal of 40 columns fits it, with progress and colours', async function () {
    const script = await runOnTerminal(40, [...UNSAVED, '--runs', '2', '--starts', '1']);
    if (script === null) this.skip();
    const { code, text } = script;
    assert.equal(code, 0, text);
    const lines = stripVTControlCharacters(text).split(/\r?\n|\r/);
    // What the user's own options and the versions of the machine make longer is no single word.
    const tooLong = lines.filter(
      (line) => line.length > 40 && !/^\S+$/.test(line.trim()) && !/cell|warning/.test(line),
    );
    assert.deepEqual(tooLong, []);
    assert.match(text, /[█░]{20} \d+ %/);
  });

  it('shows control sequences from outside as what they are', async () => {
    const evil = '\x1b]0;owned\x07\x1b[2J\x9b31m';
    const server = await startFakeRedis((command) =>
      command === 'SET' ? `-EVIL ${evil} here\r\n` : undefined,
    );
    try {
      for (const format of ['table', 'json']) {
        const { code, stdout, stderr } = await runCli([...QUICK, '--url', server.url, '--format', format]);
        assert.equal(code, 4);
        assert.match(`${stdout}${stderr}`, /EVIL \\{1,2}x1b\]0;owned/);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
        assert.doesNotMatch(`${stdout}${stderr}`, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
      }
    } finally {
      await server.stop();
    }
  });

  it('that nobody reads does not stop an interrupt', async () => {
    const cli = startCli(ENDLESS, { closed: 'stdout' });
    await cli.says(/^round 1 /m);
    cli.signal('SIGINT');
    const { code, temp } = await cli.result;
    assert.equal(code, 130);
    assert.deepEqual(leftovers(temp), []);
  });
});

/**
 * @param {number} columns
 * @param {string[]} args
 * @returns {Promise<{code: number, text: string} | null>} null where there is no script(1) of util-linux
 */
async function runOnTerminal(columns, args) {
  const quoted = [process.execPath, BIN, ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns}; ${quoted}`, '/dev/null'], {
    stdio: [openSync('/dev/null', 'r'), 'pipe', 'ignore'],
    env: { ...process.env, TERM: 'xterm-256color', CI: '', NO_COLOR: undefined, FORCE_COLOR: undefined },
  });
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  const failed = once(child, 'error').then(() => null);
  const closed = once(child, 'close').then(([code]) => ({ code, text }));
  return Promise.race([failed, closed]);
}
