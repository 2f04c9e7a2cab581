/**
 * Runs the tests in parts and ends with one line for all of them:
 *
 *     node test/helpers/run.js             fast and server, on each commit (npm test)
 *     node test/helpers/run.js all         everything: all parts, and all variants, releases and transports of clients
 *     node test/helpers/run.js PART…       only these parts
 *
 * A file's name says which part it belongs to: `x.server.test.js` starts servers or processes, `x.nightly.test.js` runs at
 * night, and any other `x.test.js` is fast.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { howToGetBrowser } from './browser.js';

/** @typedef {{passes: number, pending: number, failures: number, busy: number, files: Record<string, number>}} Counts */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MOCHA = fileURLToPath(new URL('../../node_modules/mocha/bin/mocha.js', import.meta.url));

/**
 * The parts in the order in which they run, how many files each runs at once, and after how long a test
 * is taken to hang.
 */
const PARTS = {
  // Waits nearly half of the time, for processes to start and connections to close: with two files more than processors,
  // two of them were in use for 93 % of the time, with one more for 80 %.
  server: { files: availableParallelism() + 2, timeoutMs: 120_000 },
  // Computes all of the time: beside the servers in what they leave idle, which is little on a busy machine.
  fast: { files: availableParallelism(), timeoutMs: 300_000 },
  // One after the other: some watch the clock (helpers/timed.js), others take both processors for minutes.
  nightly: { files: 1, timeoutMs: 600_000 },
};
/** @type {Part[]} */
const ON_EACH_COMMIT = ['server', 'fast'];
/** The servers' niceness is 0: the fast ones take what these leave idle, and a tenth of a processor that both want. */
const NICENESS_BESIDE = 10;

/** @typedef {keyof typeof PARTS} Part */

/** @param {string} file @returns {Part} */
const partOf = (file) => /** @type {Part} */ (/\.(server|nightly)\.test\.js$/.exec(file)?.[1] ?? 'fast');

/**
 * About how long a file takes, to begin with the longest: one that begins last would run on alone. What takes long
 * gives itself more time than others have.
 *
 * @param {string} file
 * @returns {number} of no unit
 */
function lengthOf(file) {
  const code = readFileSync(`${ROOT}/${file}`, 'utf8');
  const limitsMs = [...code.matchAll(/\.timeout\(([\d_]+)\)/g)].map(([, ms]) =>
    Number(ms.replaceAll('_', '')),
  );
  return 1000 * Math.max(0, ...limitsMs) + code.length;
}

/**
 * @param {Part} part
 * @param {boolean} isBeside another part, which prints meanwhile
 * @returns {Promise<Counts>}
 */
async function run(part, isBeside = false) {
  const files = allFiles.filter((file) => partOf(file) === part);
  const { files: jobs, timeoutMs } = PARTS[part];
  const isNight = everything || part === 'nightly';
  const parallel = jobs > 1 ? ['--parallel', '--jobs', `${jobs}`] : [];
  const options = [...parallel, '--timeout', `${timeoutMs}`, '--reporter', 'test/helpers/reporter.js'];
  const folder = mkdtempSync(join(tmpdir(), 'rpb-'));
  const countsFile = join(folder, 'counts.json');
  const temp = join(folder, 'tmp');
  mkdirSync(temp);
  const mocha = spawn(process.execPath, [MOCHA, ...options, ...files], {
    cwd: ROOT,
    env: {
      ...process.env,
      TMPDIR: temp,
      TEST_ALL: isNight ? '1' : '',
      // Reading it takes Node 45 ms, for each of 900 processes; what is installed at night may need it.
      NODE_EXTRA_CA_CERTS: isNight ? process.env.NODE_EXTRA_CA_CERTS : undefined,
      COUNTS_FILE: countsFile,
    },
    stdio: ['inherit', isBeside ? 'pipe' : 'inherit', 'inherit'],
  });
  if (isBeside) setPriority(Number(mocha.pid), NICENESS_BESIDE);
  const [[code], printed] = await Promise.all([once(mocha, 'exit'), mocha.stdout ? text(mocha.stdout) : '']);
  const left = leftIn(temp);
  process.stdout.write(left ? `${printed}\n  ${left}\n` : printed);
  try {
    /** @type {Counts} */
    const counts = JSON.parse(readFileSync(countsFile, 'utf8'));
    // Mocha may fail without a failed test.
    return { ...counts, failures: Math.max(counts.failures, code === 0 && !left ? 0 : 1) };
  } catch {
    // Mocha ended before it had counted.
    return { passes: 0, pending: 0, failures: 1, busy: 0, files: {} };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Tests remove what they made in the temporary folder, and nothing else.
 *
 * @param {string} temp
 */
function leftIn(temp) {
  if (!existsSync(temp)) return 'a test has removed the temporary folder of all';
  const left = readdirSync(temp);
  return left.length > 0 && `tests have left in the temporary folder: ${left.join(', ')}`;
}

const allFiles = readdirSync(new URL('..', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js'))
  .map((name) => `test/${name}`)
  .sort((a, b) => lengthOf(b) - lengthOf(a));
const wanted = process.argv.slice(2);
const everything = wanted.includes('all');
const chosen = wanted.length > 0 ? wanted : ON_EACH_COMMIT;
const parts = /** @type {Part[]} */ (Object.keys(PARTS)).filter(
  (part) => everything || chosen.includes(part),
);
const startedAt = performance.now();
const total = { passes: 0, pending: 0, failures: 0, busy: 0 };
/** @type {Record<string, number>} */
const times = {};
const atOnce = parts.filter((part) => ON_EACH_COMMIT.includes(part));
const counted = await Promise.all(atOnce.map((part, index) => run(part, index > 0)));
for (const part of parts.filter((each) => !atOnce.includes(each))) counted.push(await run(part));
for (const counts of counted) {
  for (const name of /** @type {(keyof typeof total)[]} */ (Object.keys(total))) total[name] += counts[name];
  Object.assign(times, counts.files);
}
const seconds = Math.round((performance.now() - startedAt) / 1000);
const dearest = Object.entries(times)
  .sort(([, a], [, b]) => b - a)
  .slice(0, 10)
  .map(([file, ms]) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
const lines = [`  ${total.passes} passing (${seconds}s)`];
if (total.pending > 0) lines.push(`  ${total.pending} pending`);
if (total.busy > 0) lines.push(`  ${total.busy} of them skipped: machine busy`);
const hint = howToGetBrowser();
if (hint && parts.includes('server')) lines.push(`  ${hint}`);
if (total.failures > 0) lines.push(`  ${total.failures} failing`);
process.stdout.write(`\n  The longest files:\n${dearest.join('\n')}\n\n${lines.join('\n')}\n\n`);
process.exitCode = total.failures > 0 || parts.length === 0 ? 1 : 0;
