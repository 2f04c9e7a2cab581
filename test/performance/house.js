/**
 * The figures that say how heavy the house is, from the code itself:
 *
 *     node test/performance/house.js [--json] [--no-trace]
 *
 * - **Lines** are counted from the tokens of TypeScript's scanner: a line of code has one, a line of comment has nothing
 *   else, an empty line is neither. Of src/ and test/: `.js` and `.d.ts`. Beside them all lines of text in test/, goldens
 *   and saved results included.
 * - **Imported by one** counts `import`, `export … from`, `import('…')` and `new URL('./….js', import.meta.url)` with a
 *   literal path, in src/, bin/ and scenarios/. Types are in comments, and tests are no importers. In brackets: those of
 *   fewer than 60 lines of code beside that importer, which both together are no longer than 220 lines. They may be a
 *   subject of their own.
 * - **Touched by `--tasks 8`** of a benchmark: files of src/ and scenarios/ whose code names `tasks`, and those that have
 *   its row in hand without naming it: they name a table of options or what reads one. Before the first worker are the
 *   command line, options, axes, plugins and the plan. Other commands, templates and checks of a user's own files are
 *   another subject.
 * - **Used by a benchmark**: the files of which the parent process executes a function of its own beyond loading the file,
 *   from the start to the first screen of a default benchmark with few iterations, by NODE_V8_COVERAGE.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countLines, isComment, tokensOf } from '../helpers/tokens.js';
import { traceBenchmark } from '../helpers/trace-benchmark.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} folder @returns {string[]} the files in it, from the root of the project */
const filesIn = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/'));
const isCode = (/** @type {string} */ file) => /\.(js|d\.ts)$/.test(file);
const textOf = (/** @type {string} */ file) => readFileSync(join(ROOT, file), 'utf8');

/** @param {string[]} files */
function linesOf(files) {
  const counts = files.map((file) => countLines(textOf(file)));
  return {
    files: files.length,
    code: counts.reduce((sum, { code }) => sum + code, 0),
    comment: counts.reduce((sum, { comment }) => sum + comment, 0),
  };
}

/** A file with fewer lines of code goes into its only importer, if that is beside it and does not become longer than this. */
const GOES_IN = { code: 60, lines: 220 };

/** @param {string[]} files @returns {[file: string, importer: string][]} those that exactly one other imports */
function importedByOne(files) {
  /** @type {Map<string, Set<string>>} */
  const importers = new Map();
  for (const file of [...files, ...['bin', 'scenarios'].flatMap(filesIn).filter(isCode)]) {
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

const HAVE_ROWS = ['tasks', 'readOptions', 'resolveOptions', 'loadOptions', 'addOptions'];
const OTHER_SUBJECT =
  /^src\/(?:cli\/commands\/(?!measure\.js)|commands\/(?!benchmark\/)|contract\/|plugins\/(?:templates|workloads)\/)/;
const BEFORE_WORKERS =
  /^src\/(?:cli\/(?!live-table)|options\/|axes\/|plugins\/|run\/plan\/|run\/prepare\.js)/;

/** @param {string} file */
const touchesTasks = (file) =>
  tokensOf(textOf(file)).some(
    (token) =>
      !isComment(token) && (HAVE_ROWS.includes(token.text) || token.text.endsWith("/option-table.js'")),
  );

/** @param {string} file of src/ @returns {string} the folder that it stands in, two deep */
const roomOf = (file) => dirname(file).split('/').slice(1, 3).join('/') || '.';

const src = filesIn('src').filter(isCode);
const onlyOnce = importedByOne(src);
const test = filesIn('test');
const touched = [...src, ...filesIn('scenarios')].filter(
  (file) => file.endsWith('.js') && !OTHER_SUBJECT.test(file) && touchesTasks(file),
);
const figures = {
  src: linesOf(src),
  test: linesOf(test.filter(isCode)),
  testLines: test
    .filter((file) => !file.endsWith('.gz'))
    .reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0),
  importedByOne: onlyOnce.length,
  couldGoIn: onlyOnce.filter(couldGoIn).map(([file]) => file),
  tasks: { before: touched.filter((file) => BEFORE_WORKERS.test(file)), all: touched },
  benchmark: process.argv.includes('--no-trace') ? null : traceBenchmark(ROOT),
  rooms: Object.fromEntries(
    [...new Set(src.map(roomOf))]
      .sort()
      .map((room) => [room, linesOf(src.filter((file) => roomOf(file) === room))]),
  ),
};

const whole = (/** @type {number} */ number) => number.toLocaleString('en-US');
/** @param {{files: number, code: number, comment: number}} lines */
const linesText = ({ files, code, comment }) => `${whole(files)} / ${whole(code)} / ${whole(comment)}`;
const { benchmark } = figures;
/** What, how much, and the goal where there is one. @type {[string, string, string][]} */
const rows = [
  ['files / lines of code / lines of comment in src/', linesText(figures.src), '380 / 30,000 / 8,000'],
  ['the same in test/', linesText(figures.test), ''],
  ['all lines in test/, goldens included', whole(figures.testLines), '40,000'],
  [
    'files that a default benchmark loads · uses',
    benchmark ? `${benchmark.loaded} · ${benchmark.used}` : 'not traced',
    '180',
  ],
  [
    'files that --tasks 8 touches before the first worker · in all',
    `${figures.tasks.before.length} · ${figures.tasks.all.length}`,
    '18 · 28',
  ],
  [
    'files imported by one other only (small, and beside it)',
    `${figures.importedByOne} (${figures.couldGoIn.length})`,
    '',
  ],
];
if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2));
else {
  const all = [
    ...rows,
    ...Object.entries(figures.rooms).map(([room, lines]) => [`  ${room}`, linesText(lines), '']),
  ];
  const [wide, middle] = [0, 1].map((column) => Math.max(...all.map((row) => row[column].length)));
  for (const [what, now, goal] of [['', 'now', 'goal'], ...all]) {
    console.log(`${what.padEnd(wide)}  ${now.padEnd(middle)}  ${goal}`.trimEnd());
  }
}
