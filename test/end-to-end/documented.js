import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pLimit from 'p-limit';
import { commandsIn, FENCED } from '../docs/commands.js';
import { BIN, CACHE_HOME } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';

/**
 * Every command that README and docs show, as a reader types it, with --smoke. It takes about 15 minutes of CPU time,
 * so it is not part of `npm test`; run it by hand: `npx mocha test/end-to-end/documented.js`, or one page of it with
 * PAGE=docs/results.md before that. AS_IT_STANDS=1 runs each as it is typed, which takes hours, and prints for each its
 * exit code, its time and its first line.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Commands that cannot run here, and why. */
const EXCEPTIONS = [
  {
    command: /\bagents? --queue|--agents redis:|agents clean/,
    why: 'needs other machines; agents.server.test.js has the commands',
  },
  { command: /valkey-server|VADD/, why: 'needs a server that is not on every machine' },
  { command: /--sentinel 10\./, why: 'names hosts of an example; sentinel.server.test.js has its own' },
  { command: /record --/, why: 'waits for a service; record.server.test.js does it with one' },
  { command: /\bCOMMAND\b|RESULT|…/, why: 'is a pattern' },
  { command: /bisect/, why: 'installs every release between two; releases.nightly.test.js bisects' },
  { command: /redis@4,redis@5/, why: 'installs releases; releases.nightly.test.js does' },
  { command: /--kind/, why: 'needs its own profile; profile.server.test.js has both' },
];

/** What examples name, and what stands for it here. @type {[RegExp, string][]} */
const HERE = [
  [/\bFILE\b/g, 'last'],
  [/redis:\/\/(127\.0\.0\.1:6379|10\.\d\.0\.5)/g, '$URL'],
  [/\/opt\/redis-\d\/bin\//g, ''],
  [/~\/node-\d+\/bin\/node|\bPATH\b/g, process.execPath],
];
/** The page shows how it is refused. */
const REFUSED = /--command ('EVAL|FLUSHALL)/;

const AS_IT_STANDS = process.env.AS_IT_STANDS === '1';
/** The longest of them takes half an hour. */
const WITHIN_MS = AS_IT_STANDS ? 3_600_000 : 300_000;

/** A recording, which a reader makes with a service. */
const TRAFFIC = readFileSync(new URL('../corpus/shop.ndjson.gz', import.meta.url));

/** What a reader has: the file that an earlier page makes, and variants of their own. */
const FILES = {
  'variants.json': jsonIn('docs/choices.md'),
};

/** @param {string} page @returns {string} its first block of JSON */
function jsonIn(page) {
  const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(FENCED)];
  return blocks.find(([, language]) => language === 'json')?.[2] ?? '';
}

/** @param {string} command @returns {string} the same in seconds; what is no benchmark stays */
const shrunk = (command) =>
  HERE.reduce(
    (text, [named, here]) => text.replaceAll(named, here),
    AS_IT_STANDS
      ? command
      : command.replaceAll(
          /redis-pipe-bench(?: map)?(?=\s+--|\s*$|\s+&&)/g,
          command.includes('--assert') ? '$& -q --runs 2 --run-time 20ms' : '$& --smoke -q',
        ),
  );

/** @param {{page: string}} of @returns {boolean} */
const isWanted = ({ page }) => !process.env.PAGE || page === process.env.PAGE;

describe('the commands in the documents', function () {
  this.timeout(AS_IT_STANDS ? 0 : 3_600_000);
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].map(
    (page) => ({
      page,
      commands: [...new Set(commandsIn(readFileSync(join(ROOT, page), 'utf8')))],
    }),
  );

  it('are found', () => {
    assert.ok(pages.flatMap(({ commands }) => commands).length > 60);
    const all = pages.flatMap(({ commands }) => commands).join('\n');
    assert.deepEqual(
      EXCEPTIONS.filter(({ command }) => !command.test(all)),
      [],
    );
  });

  // Pages run side by side, the commands of one in the order in which a reader meets them.
  const sideBySide = pLimit(AS_IT_STANDS ? 1 : 3);
  /** @type {Map<string, Promise<string[]>>} */
  const failures = new Map();
  /** @type {string} */
  let base;
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  before(async () => {
    base = mkdtempSync(join(tmpdir(), 'rpb-docs-'));
    mkdirSync(join(base, 'bin'));
    symlinkSync(BIN, join(base, 'bin/redis-pipe-bench'));
    server = await startRedis();
    for (const { page, commands } of pages.filter(isWanted)) {
      const folder = join(base, page.replaceAll('/', '-'));
      failures.set(
        page,
        sideBySide(() => runPage(folder, commands)),
      );
    }
  });
  after(async () => {
    await server.stop();
    rmSync(base, { recursive: true, force: true });
  });

  /** @param {string} folder @param {string} command @returns {Promise<{code: number, said: string, firstLine: string}>} */
  const run = (folder, command) =>
    new Promise((resolve) => {
      const env = {
        ...process.env,
        PATH: `${join(base, 'bin')}${delimiter}${process.env.PATH}`,
        XDG_STATE_HOME: join(folder, 'state'),
        XDG_CACHE_HOME: CACHE_HOME,
        URL: server.url,
      };
      const options = { cwd: folder, env, timeout: WITHIN_MS, maxBuffer: 2 ** 27 };
      execFile('sh', ['-c', command], options, (error, stdout, stderr) =>
        resolve({
          // A command that was killed after its time has no code.
          code: error ? Number(error.code ?? 137) : 0,
          said: `${stderr}\n${stdout}`,
          firstLine: stdout.trim().split('\n')[0],
        }),
      );
    });

  /** @param {string} folder @param {string[]} commands @returns {Promise<string[]>} what is wrong with which */
  async function runPage(folder, commands) {
    mkdirSync(folder);
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'traffic.ndjson.gz'), TRAFFIC);
    writeFileSync(join(folder, 'traffic.ndjson'), gunzipSync(TRAFFIC));
    await run(folder, 'redis-pipe-bench init client our-redis.js');
    // A smoke run is not saved.
    await run(
      folder,
      'redis-pipe-bench -q --profile --clients redis,redis:tuned --scenarios shared-connection --runs 2 --run-time 20ms',
    );
    const wrong = [];
    // A result keeps its assertions, which each report of it decides again.
    let isJudged = false;
    for (const command of commands) {
      if (EXCEPTIONS.some((each) => each.command.test(command))) continue;
      if (/ init client/.test(command)) rmSync(join(folder, 'our-redis.js'));
      const startedAt = performance.now();
      const { code, said, firstLine } = await run(folder, shrunk(command));
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      if (AS_IT_STANDS) process.stdout.write(`${command}\n  exit ${code} after ${seconds} s: ${firstLine}\n`);
      // The figures of a smoke run mean nothing, so neither does an assertion about them, if it can be judged at all.
      isJudged ||= /--assert|--fail-on/.test(command);
      const isRight = code === (REFUSED.test(command) ? 2 : 0) || (isJudged && [5, 6].includes(code));
      const skipped = /^.*\bskipped:(?! no time left).*$/m.exec(said)?.[0];
      if (!isRight || skipped) {
        wrong.push(`${command}: exit ${code}: ${skipped ?? said.trim().split('\n')[0]}`);
        process.stderr.write(`${wrong.at(-1)}\n`);
      }
    }
    return wrong;
  }

  for (const { page } of pages.filter(isWanted)) {
    it(`${page}: each does what it says, and no cell is skipped`, async () => {
      assert.deepEqual(await failures.get(page), []);
    });
  }
});
