import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AXES } from '../src/axes/all-axes.js';
import { OPTIONS as OF_AGENTS } from '../src/commands/agents/options.js';
import { FINDINGS } from '../src/commands/benchmark/findings/all.js';
import { OPTIONS as OF_BREAK } from '../src/commands/break/options.js';
import { OPTIONS as OF_COLD } from '../src/commands/cold/options.js';
import { EXIT } from '../src/errors.js';
import { loadCatalogue, loadOptions } from '../src/options/catalogue.js';
import { CALIBRATE_OPTIONS, RECORD_OPTIONS } from '../src/options/option-table.js';
import { METRICS } from '../src/store/metrics.js';
import { commandsIn, FENCED, withoutOutputs, wordsOf } from './docs/commands.js';
import { runMain } from './helpers/main.js';

const OPTIONS = await loadOptions();
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name)),
].map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

const ALL_TEXT = PAGES.map(({ text }) => text).join('\n');

/** Flags that belong to other programs, to commander itself, or to an example. */
const NOT_OURS = new Set(['--help', '--version', '--frozen-lockfile', '--twin-pairs']);

/** Where a page names a metric: in an assertion, behind --metric, and in code by the unit in its name. */
const METRIC_NAMES = [
  /(?:[\w-]|['"])\.((?:breakdown\.\w+\.)?[a-z]\w+)(?= *[<>])/g,
  /[<>]=? [\d.%* ]*['"]?[\w:/-]+['"]?\.([a-z]\w+)/g,
  /--metric ([a-z]\w+)/g,
  /`([a-z]\w*(?:Us|Ms|Bytes|Per[A-Z][a-z]+|Utilization))`/g,
];

/** A line of a block that a reader types, its continuation, or an assertion. @param {string} line */
const isTyped = (line) =>
  /^(\S+\$ +)?([A-Z_]+=\S+ )*(npx|npm|cp|node|redis-server|redis-cli|redis-pipe-bench) |^ {2,}--|^--assert|^redis-pipe-bench$/.test(
    line,
  );

const LONGEST_LINE = 120;
/** What a page shows first begins before this line. */
const FIRST_OUTPUT = 25;

/** In italics and no names of columns or rows; or names in none of the saved outputs. */
const NOT_SHOWN = new Set([...['As it is', 'Kept awake'], ...['of raw', 'replies as buffers']]);

/** What outputs show: those of the pages, of saved results, and the titles of columns and rows that these do not have. */
const SHOWN = [
  ...PAGES.flatMap(({ text }) => [...text.matchAll(FENCED)].map(([, , block]) => block)),
  ...readdirSync(join(ROOT, 'test/corpus/golden')).map((name) =>
    readFileSync(join(ROOT, 'test/corpus/golden', name), 'utf8'),
  ),
  ...METRICS.flatMap(({ title, tables = {} }) => [title, ...Object.values(tables)]),
  ...AXES.flatMap((axis) => (typeof axis === 'function' ? [] : (axis.advice?.noun ?? []))),
]
  .join('\n')
  .replaceAll(/\s+/g, ' ');

/** @param {string} text of a page @returns {string[]} the columns and rows that it names, which are in italics */
const namesIn = (text) =>
  [...text.replace(FENCED, '').matchAll(/(?<![*\w`])\*(?![*\s])([^*`]+?)\*(?!\*)/g)].map(([, name]) =>
    name.replaceAll(/\s+/g, ' '),
  );

/** Releases that are installed, and files of a reader's own. */
const NEEDS_FILES = /@\d|our-redis|otel/;

/** @param {string} file */
const pageOf = (file) =>
  /** @type {{file: string, text: string}} */ (PAGES.find((page) => page.file === file));

/** @param {string} text @param {string} head of the table's first column @returns {string[][]} the cells of its rows */
function tableAfter(text, head) {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith(`| ${head} |`)) + 2;
  const rows = lines.slice(first);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((each) => each.trim()),
    );
}

/** @param {string} heading @returns {string} its anchor, made as GitHub makes it */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-');

/** @param {string} text */
const anchorsOf = (text) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));

/** @returns {Set<string>} every flag that any command has, `--no-…` and its opposite among them */
function knownFlags() {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'));
  const ofCommands = sources
    .flatMap((code) => [...code.matchAll(/['"`](--[a-z][a-z-]*)\b/g)])
    .map(([, flag]) => flag);
  const ofTables = [OPTIONS, OF_AGENTS, OF_BREAK, OF_COLD, CALIBRATE_OPTIONS, RECORD_OPTIONS]
    .flatMap((table) => Object.values(table))
    .flatMap(({ flag, negation }) => {
      const [word] = flag.split(' ');
      return negation === undefined ? [word] : [word, word.replace('--', '--no-')];
    });
  return new Set([...ofCommands, ...ofTables]);
}

describe('the documents', () => {
  for (const { file, text } of PAGES) {
    it(`${file}: every link leads to a page and a heading that exist`, () => {
      const broken = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
        .map(([, path, anchor]) => ({ target: path === '' ? file : join(dirname(file), path), anchor }))
        .filter(
          ({ target, anchor }) =>
            !existsSync(join(ROOT, target)) ||
            (anchor !== undefined && !anchorsOf(readFileSync(join(ROOT, target), 'utf8')).includes(anchor)),
        );
      assert.deepEqual(broken, []);
    });

    it(`${file}: every option that it names exists`, () => {
      const known = knownFlags();
      const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag);
      assert.deepEqual(
        named.filter((flag) => !known.has(flag) && !NOT_OURS.has(flag)),
        [],
      );
    });
  }

  for (const { file, text } of PAGES.filter(({ file }) => file !== 'CONTRIBUTING.md')) {
    it(`${file}: no output is pasted`, () => {
      const blocks = [...withoutOutputs(text).matchAll(FENCED)].flatMap(([, language, block]) =>
        language === '' ? [block] : [],
      );
      assert.deepEqual(
        blocks.flatMap((block) =>
          block
            .trimEnd()
            .split('\n')
            .filter((line) => !isTyped(line))
            .slice(0, 1),
        ),
        [],
        'a block without a language holds commands, or has a comment that says what prints it (test/docs/outputs.js)',
      );
    });

    it(`${file}: every column and row that it names is in an output`, () => {
      assert.deepEqual(
        namesIn(text).filter((name) => !NOT_SHOWN.has(name) && !SHOWN.includes(name)),
        [],
      );
    });

    if (file !== 'docs/questions.md') {
      it(`${file}: begins with a command and what it prints`, () => {
        const line = text.split('\n').findIndex((each) => each.startsWith('<!-- output'));
        assert.ok(line > 0 && line < FIRST_OUTPUT, `its first output stands in line ${line + 1}`);
      });
    }

    if (file.startsWith('docs/') && file !== 'docs/questions.md') {
      it(`${file}: begins with the question that it answers`, () => {
        const [beginning] = text.split('```');
        assert.match(beginning, /\?/);
      });
    }

    it(`${file}: no line is too long to read`, () => {
      const lines = text.split('\n').filter((line) => !line.startsWith('<!-- output'));
      const shown = (/** @type {string} */ line) => line.replaceAll(/\]\([^)]*\)/g, ']');
      assert.deepEqual(
        lines.filter((line) => shown(line).length > LONGEST_LINE),
        [],
      );
    });
  }

  it('every option of a benchmark is explained', () => {
    const flags = Object.values(OPTIONS).map(({ flag }) => flag.match(/--(?:no-)?([a-z-]+)/)?.[1] ?? '');
    assert.deepEqual(
      flags.filter((name) => !new RegExp(`--(?:no-)?${name}(?![a-z-])`).test(ALL_TEXT)),
      [],
    );
  });

  it('every metric that they name exists', () => {
    const known = new Set(METRICS.flatMap(({ id, aliases = [] }) => [id, ...aliases]));
    const named = METRIC_NAMES.flatMap((pattern) => [...ALL_TEXT.matchAll(pattern)]).map(([, name]) => name);
    assert.ok(named.includes('opsPerSecond') && named.includes('p99Us'), named.join());
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    );
  });

  it('every kind of finding is in the table, and no other', () => {
    const table = /\| kind \|.*\n(?:\|.*\n)+/.exec(ALL_TEXT)?.[0] ?? '';
    const kinds = [...table.matchAll(/^\| `([a-z0-9-]+)`/gm)].map(([, kind]) => kind);
    assert.deepEqual(kinds.sort(), FINDINGS.map(({ id }) => id).sort());
  });

  it('no word in italics is kept as an exception for nothing', () => {
    const named = new Set(PAGES.flatMap(({ text }) => namesIn(text)));
    assert.deepEqual(
      [...NOT_SHOWN].filter((name) => !named.has(name)),
      [],
    );
  });

  it('every plugin is named', async () => {
    const { clients, scenarios, pipelining, workloads, suites, formats } = await loadCatalogue();
    const variants = [...clients.values()].flatMap(({ id, variants: ofClient }) =>
      Object.keys(ofClient).map((variant) => (variant === 'default' ? id : `${id}:${variant}`)),
    );
    const others = [scenarios, pipelining, workloads, suites, formats].flatMap((plugins) => [
      ...plugins.keys(),
    ]);
    assert.deepEqual(
      [...variants, ...others].filter((id) => !new RegExp(`(\`|## |--suite )${id}(?![\\w-])`).test(ALL_TEXT)),
      [],
    );
  });

  it('the exit codes are those of src/errors.js', () => {
    const rows = tableAfter(pageOf('docs/results.md').text, 'exit code');
    assert.deepEqual(
      rows.map(([code]) => Number(code)),
      Object.values(EXIT),
    );
  });

  for (const command of commandsIn(pageOf('docs/questions.md').text).filter(
    (each) => !NEEDS_FILES.test(each),
  )) {
    it(`questions: it takes ${command}`, async () => {
      // What names no cell is the last thing that is refused before anything is started.
      const wrong = /bisect/.test(command)
        ? ['--metric', 'nowhere']
        : /^redis-pipe-bench record /.test(command)
          ? ['--for', 'nowhere']
          : /^redis-pipe-bench (break|cold|messages) /.test(command)
            ? ['--server-bin', '/nowhere']
            : ['--assert', 'nowhere.opsPerSecond > 0'];
      const { code, stderr } = await runMain([...wordsOf(command).slice(1), ...wrong]);
      assert.match(
        stderr,
        /no cell has the name 'nowhere'|got 'nowhere'|but '.nowhere'|the cells of a search are not known/,
      );
      assert.equal(code, EXIT.usage);
    });
  }

  it('every page of docs/ is linked from the README and links back', () => {
    const [readme] = PAGES;
    for (const { file, text } of PAGES.slice(2)) {
      assert.ok(readme.text.includes(`](${file}`), `README.md has no link to ${file}`);
      assert.ok(text.includes(`](${relative('docs', 'README.md')})`), `${file} has no link to README.md`);
    }
  });
});
