/**
 * Default benchmarks in turn: is the answer the same, how long does it take, how much of that is measured?
 * Run by hand on a machine that does nothing else:
 * node test/performance/repeatability.js [benchmarks] [quiet|beside] [options of the command line]
 * `beside` runs another default benchmark in a loop meanwhile. With a folder in RESULTS results are kept there, and those of
 * earlier calls count too, so that ten benchmarks may be measured in pieces.
 *
 * Targets, of ten: 30 s at most in 10; a third of the time in measured slices; ratios of the cells within 2 times of the
 * best scatter by 3 % (one standard deviation, quiet); noise of 10 % at most in 8; the same choices in 9.
 *
 * With several conditions, such as --tasks 1,8,64 --rtt 0,1ms --budget 90s, how many are answered: by one that is best, or a
 * few within 15 % of it, with all others proven behind. Targets: 5 of 6 in 9 of 10, and no condition with two winners.
 */
import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mean, sampleStandardDeviation, sum } from 'simple-statistics';

/** @import { Report } from '../../src/store/types.js' */

const BIN = fileURLToPath(new URL('../../bin/redis-pipe-bench.js', import.meta.url));
const [count = '10', where = 'quiet', ...options] = process.argv.slice(2);

/** @param {string} folder @param {string[]} args */
function start(folder, args) {
  const env = { ...process.env, XDG_STATE_HOME: folder };
  return spawn(process.execPath, [BIN, ...args], { env, stdio: 'ignore' });
}

/** @param {string} folder @returns {() => Promise<void>} ends it */
function startOther(folder) {
  let over = false;
  /** @type {ReturnType<typeof start>} */
  let running;
  const again = () => {
    if (over) return;
    running = start(folder, []);
    running.once('close', again);
  };
  again();
  return async () => {
    over = true;
    const ended = new Promise((resolve) => running.once('close', resolve));
    running.kill('SIGINT');
    await ended;
  };
}

/** As far as a best one may be ahead of others that are named with it. */
const FEW_WITHIN = 1.15;

/** @param {Report['comparisons'][number]} comparison @returns {string | null} the cells that answer a condition; null where it is open */
function answerTo({ ranking }) {
  const ahead = ranking.filter(({ verdict }) => verdict !== 'slower');
  const isAnswer = ahead.every(({ timesSlower }) => Number(timesSlower) <= FEW_WITHIN);
  return isAnswer && ranking.length > 1 ? ahead.map(({ cell }) => choiceOf(cell)).join(' = ') : null;
}

/** @param {string} id of a cell @returns {string} its client and scenario */
const choiceOf = (id) => id.split('/').slice(0, 2).join(', ');

/** @param {Report} report @param {number} wallMs */
function figuresOf({ cells, comparisons, findings }, wallMs) {
  const [{ ranking, tested }] = comparisons;
  const slices = cells.flatMap(({ runs }) => runs.flatMap((run) => run.slices ?? []));
  const near = ranking.filter(({ timesSlower }) => Number(timesSlower) < 2);
  return {
    wallMs,
    share: sum(slices.map(({ elapsedMs }) => elapsedMs)) / wallMs,
    floor: tested.tellsApart ?? Number.NaN,
    starts: cells.map(({ runs }) => new Set(runs.map((run) => run.start)).size),
    best: ranking[0].cell,
    answers: new Map(comparisons.map((each) => [each.group, answerTo(each)])),
    levels: new Map(ranking.map(({ cell, timesSlower }) => [cell, -Math.log(Number(timesSlower))])),
    near: near.map(({ cell }) => cell),
    choice: findings
      .flatMap((each) => (each.kind === 'choice' ? each.best.map(({ value }) => value).join(' or ') : []))
      .join(', '),
    awake: findings.flatMap((each) => (each.kind === 'kept-awake' ? each.awake[0].cell : []))[0],
  };
}

const { RESULTS } = process.env;
const folder = await mkdtemp(join(tmpdir(), 'rpb-repeat-'));
const end = where === 'beside' ? startOther(join(folder, 'other')) : async () => {};
/** @type {ReturnType<typeof figuresOf>[]} */
const all = [];
for (const name of RESULTS === undefined ? [] : await readdir(RESULTS))
  all.push(
    figuresOf(JSON.parse(await readFile(join(RESULTS ?? '', name), 'utf8')), Number.parseInt(name, 10)),
  );
try {
  for (let index = 1; index <= Number(count); index++) {
    const file = join(folder, `${index}.json`);
    const startedAt = performance.now();
    const own = start(folder, ['--format', 'json', '--output', file, ...options]);
    await new Promise((resolve) => own.once('close', resolve));
    const wholeMs = Math.round(performance.now() - startedAt);
    const figures = figuresOf(JSON.parse(await readFile(file, 'utf8')), wholeMs);
    if (RESULTS !== undefined) await copyFile(file, join(RESULTS, `${wholeMs}.json`));
    all.push(figures);
    const { wallMs, share, floor, starts, choice, answers } = figures;
    const answered = [...answers.values()].filter(Boolean).length;
    if (answers.size > 1) console.log(`${index}: ${answered} of ${answers.size} conditions answered`);
    console.log(
      `${index}: ${(wallMs / 1000).toFixed(1)} s, ${percent(share)} in slices, noise ${floor < 9 ? percent(floor) : '10x or more'}, starts ${starts.join(' ')}: ${choice}`,
    );
  }
} finally {
  await end();
  await rm(folder, { recursive: true });
}

const often = (/** @type {(each: (typeof all)[number]) => string} */ of) =>
  Math.max(...all.map((each) => all.filter((other) => of(other) === of(each)).length));
console.log(
  `\nthe same best cell in ${often(({ best }) => best)} of ${all.length}, kept awake in ${often(({ awake }) => `${awake}`)}, choices in ${often(({ choice }) => choice)}`,
);
for (const choice of new Set(all.map((each) => each.choice))) console.log(`  ${choice}`);
for (const group of all[0].answers.size > 1 ? all[0].answers.keys() : []) {
  const answers = all.map((each) => each.answers.get(group) ?? 'open');
  const winners = new Set(answers.filter((answer) => answer !== 'open' && !answer.includes(' = ')));
  console.log(`${group}${winners.size > 1 ? ': TWO WINNERS' : ''}`);
  for (const answer of new Set(answers))
    console.log(`  ${answers.filter((other) => other === answer).length}x ${answer}`);
}
const near = all[0].near.filter((cell) => all.every((each) => each.near.includes(cell)));
for (const cell of near.slice(1)) {
  // Against the mean of all of them, so that no cell is the measure of the others.
  const logs = all.map(
    ({ levels }) => Number(levels.get(cell)) - mean(near.map((each) => Number(levels.get(each)))),
  );
  const spread = logs.length > 1 ? `± ${percent(sampleStandardDeviation(logs))}` : '';
  console.log(`${choiceOf(cell).padEnd(40)} ${Math.exp(mean(logs)).toFixed(2)} ${spread}`);
}

/** @param {number} share */
function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
