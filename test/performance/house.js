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
 * - **Words of commands** are identifiers and texts of the ground (src/ without cli/ and commands/) that speak of what one
 *   command does, by `GUESTS`. Paths and comments are not counted.
 * - **Casts** are `/** @type {…} *\/ (…)`. **any** is what `@type {any}` makes one; in brackets: all that types hold.
 *   **Packing** is a literal that is spread into another one, `...{ a, b }` or `...['a', 'b']`.
 * - **Used by a benchmark**: the files of which the parent process executes a function of its own beyond loading the file,
 *   from the start to the first screen of a default benchmark with few iterations, by NODE_V8_COVERAGE.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countLines, isComment, tokensOf } from '../helpers/tokens.js';
import { traceBenchmark } from '../helpers/trace-benchmark.js';

/** @import { Token } from '../helpers/tokens.js' */

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
/** A message is of the command `messages` unless it is that of an error, a process or a port. */
const GUESTS = /^(?:faults?|strikes?|struck|cold|replay(?:s|ed|ing)?|agents?|messages)$/;
const OF_MESSAGES = /^(?!messageOf|messageWith)(?:open|of)?messages?[A-Z]|(?:open|of)Messages?$/i;

/** @param {string} file @returns {number} words of commands in it */
const guestWordsIn = (file) =>
  tokensOf(textOf(file))
    .filter((token) => !isComment(token) && !/^'\.{1,2}\/.*\.js'$/.test(token.text))
    .flatMap(({ text }) => text.match(/[A-Za-z]+/g) ?? [])
    .filter((name) => OF_MESSAGES.test(name) || wordsOf(name).some((word) => GUESTS.test(word))).length;

const wordsOf = (/** @type {string} */ name) =>
  name.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((word) => word.toLowerCase());

/** @param {string} file */
function typesOf(file) {
  const tokens = tokensOf(textOf(file));
  const comments = tokens.filter(isComment);
  const types = comments.flatMap(({ text }) => typesIn(text)).map((type) => type.replaceAll(/'[^']*'/g, ''));
  const declared = file.endsWith('.d.ts') ? tokens.filter(({ text }) => text === 'any').length : 0;
  const isCast = (/** @type {Token} */ token, /** @type {number} */ place) =>
    isComment(token) && /^\/\*\* @type \{/.test(token.text) && tokens[place + 1]?.text === '(';
  const isPacked = (/** @type {Token} */ token, /** @type {number} */ place) =>
    token.text === '...' && isWholeLiteral(tokens, place + 1);
  return {
    ignored: comments.filter(({ text }) => /@ts-(?:ignore|expect-error|nocheck)/.test(text)).length,
    any: types.filter((type) => type.trim() === '@type any').length,
    anyInTypes: types.reduce((sum, type) => sum + (type.match(/\bany\b/g)?.length ?? 0), declared),
    casts: tokens.filter(isCast).length,
    packing: tokens.filter(isPacked).length,
  };
}

/** @param {string} comment @returns {string[]} its tags with what stands in their braces, such as `@type any` */
const typesIn = (comment) =>
  [...comment.matchAll(/(@\w+) \{/g)].map(({ 0: { length }, 1: tag, index }) => {
    let end = index + length;
    for (let open = 1; open > 0 && end < comment.length; end++)
      open += comment[end] === '{' ? 1 : comment[end] === '}' ? -1 : 0;
    return `${tag} ${comment.slice(index + length, end - 1)}`;
  });

/** @param {Token[]} tokens @param {number} place @returns {boolean} whether a literal begins there, of which nothing is called */
function isWholeLiteral(tokens, place) {
  if (!['{', '['].includes(tokens[place]?.text)) return false;
  let end = place;
  for (let open = 0; end < tokens.length; end++) {
    if (['{', '[', '('].includes(tokens[end].text)) open++;
    if (['}', ']', ')'].includes(tokens[end].text) && --open === 0) break;
  }
  return !['.', '?.', '[', '('].includes(tokens[end + 1]?.text);
}

/** @param {string} file of src/ @returns {string} the folder that it stands in, two deep */
const roomOf = (file) => dirname(file).split('/').slice(1, 3).join('/') || '.';

const src = filesIn('src').filter(isCode);
const onlyOnce = importedByOne(src);
const guestWords = src
  .filter((file) => !/^src\/(?:cli|commands)\//.test(file))
  .map(guestWordsIn)
  .filter((words) => words > 0);
const types = src.map(typesOf);
const sumOf = (/** @type {keyof ReturnType<typeof typesOf>} */ name) =>
  types.reduce((sum, counts) => sum + counts[name], 0);
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
  guestWords: { files: guestWords.length, words: guestWords.reduce((sum, words) => sum + words, 0) },
  ignored: sumOf('ignored'),
  any: sumOf('any'),
  anyInTypes: sumOf('anyInTypes'),
  casts: sumOf('casts'),
  packing: sumOf('packing'),
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
const { benchmark, ignored, any, anyInTypes, casts } = figures;
/** What, how much, and the goal where there is one. @type {[string, string, string][]} */
const rows = [
  ['files / lines of code / lines of comment in src/', linesText(figures.src), '310 / 28,500 / 7,000'],
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
    'words of commands in the ground · in how many files',
    `${figures.guestWords.words} · ${figures.guestWords.files}`,
    '0',
  ],
  ['@ts-ignore / any / casts in src/', `${ignored} / ${any} (${anyInTypes}) / ${casts}`, '0 / 10 / 90'],
  ['spreads that only pack lines in src/', `${figures.packing}`, '0'],
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
