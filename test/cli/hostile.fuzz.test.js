import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { COMMANDS } from '../../src/cli/commands.js';
import { OPTIONS } from '../../src/options/option-table.js';
import { printable, printableDeep } from '../../src/report/escaped.js';
import { assertTame, HOSTILE, hostileText } from '../helpers/hostile.js';
import { runMain } from '../helpers/main.js';
import { fuzz, NIGHTLY } from '../helpers/nightly.js';
import { PROFILE_HEADER, SAMPLE_COMMANDS } from '../helpers/sample-profile.js';

/**
 * What comes from outside, by files, their names, arguments and the environment, acts on no terminal: nothing is printed that
 * controls one, and there are as many lines as for the harmless twin, in which what is hostile is escaped already.
 */
const TRIES = fuzz(30);
const CASES = TRIES.numRuns;
const SAVED = NIGHTLY
  ? [
      'smoke',
      'fault',
      'cold-start',
      'queue',
      'cluster',
      'agents',
      'rate-search',
      'servers',
      'versions',
      'copies-asserted',
      'code',
    ]
  : ['smoke', 'fault', 'cold-start', 'copies-asserted'];
const FORMATS = ['table', 'markdown', 'html', 'csv', 'json', 'lines', 'go-bench', 'objects', 'realtime'];

/** Those that have to be tried one by one. */
const SOME = HOSTILE.filter((_, index) => NIGHTLY || index % 6 === 2);

/** @param {string} name @returns {any[]} */
const linesOf = (name) =>
  gunzipSync(readFileSync(new URL(`../corpus/saved/${name}.ndjson.gz`, import.meta.url)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** @param {unknown[]} lines */
const ndjson = (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/**
 * Puts a text into the name or the value of one of the strings.
 * @param {any} data @param {number} which @param {string} text @returns {any}
 */
function poisoned(data, which, text) {
  const count = stringsIn(data);
  let left = which % count;
  /** @param {any} value @returns {any} */
  const walk = (value) => {
    if (typeof value === 'string')
      return left-- === 0 ? `${value.slice(0, 3)}${text}${value.slice(3)}` : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [left-- === 0 ? `${name}${text}` : name, walk(each)]),
    );
  };
  return walk(data);
}

/** @param {any} data @returns {number} names of fields included */
function stringsIn(data) {
  if (typeof data === 'string') return 1;
  if (typeof data !== 'object' || data === null) return 0;
  const parts = Object.values(data).reduce((sum, each) => sum + stringsIn(each), 0);
  return parts + (Array.isArray(data) ? 0 : Object.keys(data).length);
}

describe('the terminal, whatever comes from outside', function () {
  this.timeout(NIGHTLY ? 3_600_000 : 60_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rpb-hostile-'));
    mkdirSync(join(folder, 'state/redis-pipe-bench'), { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true }));
  /** @param {string} name */
  const at = (name) => join(folder, name);

  /**
   * @param {string[]} args @param {unknown} harmful of what the files hold @param {(data: any) => void} write
   * @param {NodeJS.ProcessEnv} env @returns {Promise<number>} the exit code
   */
  async function assertTwins(args, harmful, write, env) {
    const format = args[args.indexOf('--format') + 1];
    const how = { format, color: env.FORCE_COLOR === '1' };
    write(harmful);
    const run = await runMain(args, env);
    write(printableDeep(harmful));
    const twin = await runMain(args, env);
    const counts = [run, twin].map(({ code, stdout, stderr }) => [
      code,
      assertTame(stdout, how),
      assertTame(stderr),
    ]);
    assert.deepEqual(
      counts[0],
      counts[1],
      `${args.join(' ')}\n${run.stdout}${run.stderr}\n--- twin\n${twin.stdout}${twin.stderr}`,
    );
    assert.notEqual(run.code, 1, run.stderr);
    if (format === 'json' && run.code === 0)
      assert.deepEqual(printableDeep(JSON.parse(run.stdout)), printableDeep(JSON.parse(twin.stdout)));
    return run.code;
  }

  it('by the text of a saved result', async function () {
    const results = SAVED.map(linesOf);
    const commands = [
      ...FORMATS.map((format) => ['report', at('a.ndjson'), '--format', format]),
      ['report', at('a.ndjson'), '--details'],
      ...['table', 'json', 'markdown', 'html', 'csv'].map((format) => [
        ...['compare', at('b.ndjson'), at('a.ndjson'), '--format', format],
      ]),
      ...['table', 'json', 'markdown'].map((format) => ['trend', at('trend'), '--format', format]),
      ...['table', 'json'].map((format) => ['history', '--format', format]),
    ];
    mkdirSync(at('trend'));
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(
        ...[
          fc.nat(results.length - 1),
          fc.nat(),
          fc.nat(),
          hostileText,
          fc.constantFrom(...commands),
          fc.boolean(),
        ],
        async (which, line, place, text, args, color) => {
          const lines = results[which];
          const index =
            line % Math.min(lines.length, 8) === 7 ? lines.length - 1 : line % Math.min(lines.length, 8);
          const harmful = lines.map((each, at) => (at === index ? poisoned(each, place, text) : each));
          writeFileSync(at('b.ndjson'), ndjson(lines));
          writeFileSync(at('trend/b.ndjson'), ndjson(lines));
          const code = await assertTwins(
            args,
            harmful,
            (data) => {
              for (const file of [
                'a.ndjson',
                'trend/a.ndjson',
                'state/redis-pipe-bench/2026-11-20T10-00-00-1.ndjson',
              ])
                writeFileSync(at(file), ndjson(data));
            },
            { XDG_STATE_HOME: at('state'), ...(color ? { FORCE_COLOR: '1' } : {}) },
          );
          if (code === 0) taken++;
        },
      ),
      TRIES,
    );
    const test = /** @type {Mocha.Runnable} */ (this.test);
    test.title += ` (${taken} of ${CASES} taken)`;
    assert.ok(taken > CASES / 4, `${taken} of ${CASES} are read as results`);
  });

  it('by the text of a profile', async () => {
    const profile = [
      PROFILE_HEADER,
      ...SAMPLE_COMMANDS,
      { type: 'end', atUs: 6_000_000, reason: 'interrupted', commands: SAMPLE_COMMANDS.length },
    ];
    await fc.assert(
      fc.asyncProperty(
        ...[
          fc.nat(),
          fc.nat(),
          hostileText,
          fc.constantFrom('table', 'json', 'markdown', 'html'),
          fc.boolean(),
        ],
        async (line, place, text, format, details) => {
          const index = line % profile.length;
          if (stringsIn(profile[index]) === 0) return;
          const harmful = profile.map((each, at) => (at === index ? poisoned(each, place, text) : each));
          const args = ['profile', at('p.ndjson'), '--format', format, ...(details ? ['--details'] : [])];
          await assertTwins(args, harmful, (data) => writeFileSync(at('p.ndjson'), ndjson(data)), {});
        },
      ),
      { ...TRIES, numRuns: Math.ceil(CASES / 3) },
    );
  });

  it('by names of files', async () => {
    const [lines] = SAVED.map(linesOf);
    const names = SOME.filter((text) => !text.includes('\0') && !/\p{Cs}/u.test(text));
    for (const [index, text] of names.entries()) {
      const [state, trend] = [at(`state-${index}/redis-pipe-bench`), at(`trend-${index}`)];
      for (const place of [state, trend]) {
        mkdirSync(place, { recursive: true });
        writeFileSync(join(place, `2026 ${text.replaceAll('/', '')}.ndjson`), ndjson(lines));
      }
      writeFileSync(join(trend, 'b.ndjson'), 'no result');
      const env = { XDG_STATE_HOME: at(`state-${index}`), COLUMNS: '300' };
      const history = await runMain(['history'], env);
      // The head, the rule, one result.
      assert.equal(
        assertTame(history.stdout),
        assertTame((await runMain(['history'], { ...env, XDG_STATE_HOME: at('state-0') })).stdout),
        history.stdout,
      );
      for (const args of [
        ['report', 'last'],
        ['trend', trend],
        ['report', join(trend, text)],
      ]) {
        const { stdout, stderr } = await runMain(args, env);
        assertTame(stdout);
        assertTame(stderr);
      }
    }
  });

  it('by arguments and the environment: a refusal is one line', async () => {
    const { serverConfig: _judgedByServers, ...judgedHere } = OPTIONS;
    const flags = Object.values(judgedHere).map(({ flag }) => flag.split(' ')[0]);
    const shapes = [
      ...flags.map((flag) => (/** @type {string} */ text) => [flag, text]),
      ...Object.keys(COMMANDS).map((name) => (/** @type {string} */ text) => [name, `--${text}`]),
      ...[
        'report',
        'profile',
        'trend',
        'init',
        'check',
        'break',
        'cold',
        'messages',
        'list',
        'doctor',
        'agents',
      ].map((name) => (/** @type {string} */ text) => [name, text]),
      (/** @type {string} */ text) => [text],
      (/** @type {string} */ text) => [`--${text}`],
      (/** @type {string} */ text) => [`--runs=${text}`],
      (/** @type {string} */ text) => ['--format', text],
      (/** @type {string} */ text) => ['--output', `/no/${text}`],
      (/** @type {string} */ text) => ['--save', `/no/${text}`],
      (/** @type {string} */ text) => ['--assert', `${text} > 1`],
      (/** @type {string} */ text) => ['--clients', `redis:${text}`],
      (/** @type {string} */ text) => ['--clients', `./${text}.js`],
      (/** @type {string} */ text) => ['--command', `GET ${text}`],
      (/** @type {string} */ text) => ['--command', `${text} {key}`],
      (/** @type {string} */ text) => ['--url', `redis://${text}`],
      (/** @type {string} */ text) => ['--url', `redis://127.0.0.1:1/${text}`],
      (/** @type {string} */ text) => ['compare', text, 'last'],
      (/** @type {string} */ text) => ['compare', 'a', 'b', '--fail-on', text],
      (/** @type {string} */ text) => ['why', text, 'a', 'b'],
      (/** @type {string} */ text) => ['init', text, 'a.js'],
      (/** @type {string} */ text) => ['init', 'client', `/no/${text}.js`],
      (/** @type {string} */ text) => ['check', `/no/${text}.js`],
      (/** @type {string} */ text) => ['clean', '--url', 'redis://127.0.0.1:1', '--prefix', text],
      (/** @type {string} */ text) => ['agents', '--queue', text],
      (/** @type {string} */ text) => ['agent', '--queue', 'redis://127.0.0.1:1', '--allow', text],
      (/** @type {string} */ text) => ['bisect', '--client', text, '--from', '1', '--to', '2'],
    ];
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...shapes), hostileText, async (shape, text) => {
        // Else it could be taken, and something would start.
        const args = shape(`no ${text}`.replaceAll('\0', '\x01'));
        const { code, stdout, stderr } = await runMain(args, {
          REDIS_URL: 'redis://no\x1b[2J',
          RPB_QUEUE: `no${text}`,
        });
        assertTame(stdout);
        assert.notEqual(code, 0, JSON.stringify(args));
        assert.equal(assertTame(stderr), 2, stderr);
        if (code === 2) refused++;
      }),
      TRIES,
    );
    assert.ok(refused > CASES / 2);
    for (const text of SOME)
      for (const name of [
        'REDIS_URL',
        'RPB_QUEUE',
        'XDG_STATE_HOME',
        'HOME',
        'COLUMNS',
        'TERM',
        'NO_COLOR',
        'FORCE_COLOR',
        'CI',
      ])
        for (const args of [['history'], ['agents'], ['report'], ['clean']]) {
          const { stdout, stderr } = await runMain(args, { [name]: `/no ${text}` });
          assertTame(stdout);
          assert.ok(assertTame(stderr) <= 2, stderr);
        }
  });

  it('and the twin is one: escaped text prints as it is', () => {
    for (const text of HOSTILE) assert.equal(printable(printable(text)), printable(text));
  });
});
