/**
 * The figures that say how heavy the house is, from the code itself:
 *
 *     node test/performance/house.js [--json] [--no-trace]
 *
 * - **Lines** are counted from the tokens of TypeScript's scanner: a line of code has one, a line of comment has nothing
 *   else, an empty line is neither. Of src/ and test/: `.js` and `.d.ts`.
 * - **Imported by one** counts `import`, `export … from`, `import('…')` and `new URL('./….js', import.meta.url)` with a
 *   literal path, in src/, bin/ and scenarios/. Types are in comments, and tests are no importers. In brackets: those of
 *   fewer than 60 lines of code beside that importer, which both together are no longer than 220 lines. They may be a
 *   subject of their own.
 * - **Passed by a benchmark**: the files of which the parent process executes a function of its own beyond loading the
 *   file, from the start to the first screen of a default benchmark with few iterations, by NODE_V8_COVERAGE.
 * - **Nested calls** are those between `benchmark()` and the start of the first worker in the same benchmark, as V8 tells
 *   them across `await`. A function that only hands on a promise is missed once that has waited.
 * - **Closures in closures**: functions of the parent's side in which three or more closures nest.
 * - **A counter of a worker** is one that every run has, and the files that name it are those that list counters by hand.
 * - **Kinds of findings** are those that have words; behind them those of the causes inside of them, and of what two reports
 *   differ in.
 * - **Sentences that are stored or reported** are texts of five words or more outside of report/words. The message of an
 *   error is none; ../helpers/sentences.js says what else is left out.
 * - **Files that name** `budgetMs`, `beside` and `readFrom` have the word, comments and types included.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deepFunctions, MOST_CLOSURES } from '../helpers/closures.js';
import { mayMakeSentences, sentencesIn } from '../helpers/sentences.js';
import { countLines, isComment, tokensOf } from '../helpers/tokens.js';
import { traceBenchmark } from '../helpers/trace-benchmark.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A file that counts as small has so many lines of code at most. */
const SMALL = 25;
const COUNTER = 'contextSwitches';
/** @param {string} folder @returns {string[]} the files of code in it, from the root of the project */
const filesIn = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(js|d\.ts)$/.test(name));

/** @param {string} file */
const textOf = (file) => readFileSync(join(ROOT, file), 'utf8');

/** @param {string[]} files */
function linesOf(files) {
  const counts = files.map((file) => countLines(textOf(file)));
  return {
    files: files.length,
    code: counts.reduce((sum, { code }) => sum + code, 0),
    comment: counts.reduce((sum, { comment }) => sum + comment, 0),
    small: counts.filter(({ code }) => code <= SMALL).length,
  };
}

/** A file with fewer lines of code goes into its only importer, if that is beside it and does not become longer than this. */
const GOES_IN = { code: 60, lines: 220 };

/** @param {string[]} files @returns {[file: string, importer: string][]} those that exactly one other imports */
function importedByOne(files) {
  /** @type {Map<string, Set<string>>} */
  const importers = new Map();
  for (const file of [...files, ...filesIn('bin'), ...filesIn('scenarios')]) {
    const code = tokensOf(textOf(file))
      .filter((token) => !isComment(token))
      .map(({ text }) => text)
      .join(' ');
    for (const [, path] of code.matchAll(/(?:from|import \(?|new URL \() ?'(\.[^']+)'/g)) {
      const target = join(dirname(file), path);
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  return files.flatMap((file) => {
    const [importer, ...others] = importers.get(file) ?? [];
    return importer !== undefined && others.length === 0 ? [[file, importer]] : [];
  });
}

/** @param {[file: string, importer: string]} pair */
function couldGoIn([file, importer]) {
  const [own, its] = [file, importer].map(textOf);
  const lines = own.split('\n').length + its.split('\n').length;
  return dirname(file) === dirname(importer) && countLines(own).code < GOES_IN.code && lines <= GOES_IN.lines;
}

/** @param {string[]} files @param {RegExp} pattern */
const having = (files, pattern) => files.filter((file) => pattern.test(textOf(file))).length;

/** @param {string[]} files @returns {[file: string, sentences: number][]} */
const sentencesOutside = (files) =>
  files
    .filter(mayMakeSentences)
    .map((file) => /** @type {[string, number]} */ ([file, sentencesIn(tokensOf(textOf(file))).length]))
    .filter(([, sentences]) => sentences > 0);

/** @param {string} types */
const kindsIn = (types) =>
  [...types.matchAll(/\bkind: ((?:'[a-z0-9-]+'(?: \| )?)+)/g)].flatMap(
    ([, kinds]) => kinds.match(/[a-z0-9-]+/g) ?? [],
  );

const { WORDS } = await import('../../src/report/words/findings.js');
const src = filesIn('src');
const sentences = sentencesOutside(src);
const onlyOnce = importedByOne(src);
const rooms = new Set(sentences.map(([file]) => file.split('/')[1]));
const figures = {
  src: linesOf(src),
  test: linesOf(filesIn('test')),
  importedByOne: onlyOnce.length,
  couldGoIn: onlyOnce.filter(couldGoIn).map(([file]) => file),
  benchmark: process.argv.includes('--no-trace') ? null : traceBenchmark(ROOT),
  deepFunctions: deepFunctions(ROOT, src),
  filesWithCounter: having(src, new RegExp(COUNTER)),
  kindsOfFindings: Object.keys(WORDS).length,
  kindsInside: new Set(kindsIn(textOf('src/analysis/types.d.ts')).filter((kind) => !(kind in WORDS))).size,
  sentencesOutside: {
    sentences: sentences.reduce((sum, [, count]) => sum + count, 0),
    files: sentences.length,
    rooms: [...rooms].sort(),
  },
  filesNamingBudget: having(src, /\bbudgetMs\b/),
  filesNamingBeside: having(src, /\bbeside\b/),
  filesNamingReadFrom: having(src, /\breadFrom\b/),
};

const whole = (/** @type {number} */ number) => number.toLocaleString('en-US');
/** @param {{files: number, code: number, comment: number}} lines */
const linesText = ({ files, code, comment }) => `${whole(files)} / ${whole(code)} / ${whole(comment)}`;
const { benchmark, sentencesOutside: outside } = figures;
/** What, how much, and the goal where there is one. @type {[string, string, string][]} */
const rows = [
  ['files / lines of code / lines of comment in src/', linesText(figures.src), '450 / 30,000 / 9,000'],
  ['the same in test/', linesText(figures.test), ''],
  [
    `files of up to ${SMALL} lines of code · imported by one other only (small, and beside that one)`,
    `${figures.src.small} · ${figures.importedByOne} (${figures.couldGoIn.length})`,
    '60 · 120',
  ],
  [
    'files that a default benchmark loads · passes',
    benchmark ? `${benchmark.loaded} · ${benchmark.passed}` : 'not traced',
    '',
  ],
  [
    'calls that nest from benchmark() to a worker',
    benchmark ? `${benchmark.nested ?? 'the trace breaks off'}` : 'not traced',
    '8',
  ],
  [
    `functions of the parent's side with more than ${MOST_CLOSURES} closures in each other`,
    `${figures.deepFunctions.length}`,
    '0',
  ],
  [`files that name ${COUNTER}, a counter of a worker`, `${figures.filesWithCounter}`, '2'],
  [
    'kinds of findings · of causes and differences inside of them',
    `${figures.kindsOfFindings} · ${figures.kindsInside}`,
    '30',
  ],
  [
    'sentences stored or reported, made outside of report/words · in files · in rooms',
    `${outside.sentences} · ${outside.files} · ${outside.rooms.length}`,
    '0',
  ],
  [
    'files that name budgetMs / beside / readFrom',
    `${figures.filesNamingBudget} / ${figures.filesNamingBeside} / ${figures.filesNamingReadFrom}`,
    '6 / 15 / 6',
  ],
];
if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2));
else {
  const [wide, middle] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  for (const [what, now, goal] of [['', 'now', 'goal'], ...rows]) {
    console.log(`${what.padEnd(wide)}  ${now.padEnd(middle)}  ${goal}`.trimEnd());
  }
  if (outside.rooms.length > 0) console.log(`sentences stand in: ${outside.rooms.join(', ')}`);
  console.log(`closures nest in: ${figures.deepFunctions.join(', ')}`);
  console.log(`small, and beside their only importer: ${figures.couldGoIn.join(', ')}`);
}
