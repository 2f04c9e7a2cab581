import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripComments } from './helpers/source.js';
import { isComment, isText, tokensOf } from './helpers/tokens.js';

/**
 * Who may import whom, checked by reading the imports of every file. Types may come from anywhere: they are in comments.
 *
 * A room is a folder of src/, of commands/ each folder by itself; the files beside those are 'common', but for the two that
 * are started. No command imports another, and the ground knows no command but by 'commands', the list of all of them.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What commands stand on, each room with those that it may import besides 'common'. @type {Record<string, string[]>} */
const GROUND = {
  axes: ['commands'],
  contract: ['plugins', 'process', 'server', 'worker'],
  machine: ['process', 'oldest-node'],
  options: ['commands', 'contract', 'machine', 'plugins', 'process'],
  plugins: ['process', 'relay', 'server'],
  process: [],
  relay: ['process', 'server', 'statistics'],
  report: ['axes', 'commands'],
  run: [
    'axes',
    'commands',
    'contract',
    'machine',
    'options',
    'plugins',
    'process',
    'report',
    'server',
    'statistics',
    'store',
    'worker',
  ],
  server: ['machine', 'process', 'relay', 'store'],
  statistics: [],
  store: ['commands', 'contract', 'process', 'report', 'server', 'statistics'],
  worker: ['commands', 'plugins', 'process', 'relay', 'server', 'statistics'],
};
const ALL = ['commands', 'common', ...Object.keys(GROUND)];
/** Each with the other commands that it may import. @type {Record<string, string[]>} */
const COMMANDS = {
  agents: [],
  benchmark: [],
  break: [],
  breakdown: [],
  cold: [],
  history: ['benchmark'],
  messages: [],
  traffic: [],
  why: ['benchmark'],
};
/** Every command, by doors. */
const LIST = 'src/commands/all.js';
const roomOf = (/** @type {string} */ command) => `commands/${command}`;

/** For each room the others that its files may import. @type {Record<string, string[]>} */
const MAY_IMPORT = {
  bin: ['cli', 'oldest-node'],
  cli: [...ALL, ...Object.keys(COMMANDS).map(roomOf), 'formats', 'index'],
  'oldest-node': [],
  index: [...ALL, ...Object.keys(COMMANDS).map(roomOf), 'cli'],
  formats: ['axes', 'common', 'report', 'store'],
  scenarios: [],
  // What the ground gets of commands without knowing one.
  commands: ['common', 'store', ...Object.keys(COMMANDS).map(roomOf)],
  // A secret in an error, or in what is written, is never shown.
  common: ['commands', 'process'],
  ...Object.fromEntries(Object.entries(GROUND).map(([room, others]) => [room, ['common', ...others]])),
  ...Object.fromEntries(
    Object.entries(COMMANDS).map(([name, others]) => [roomOf(name), [...ALL, ...others.map(roomOf)]]),
  ),
};

/**
 * Doors: what a file opens by `import()` only when it is asked for, though its room may not know that other one.
 * @type {Record<string, string[]>}
 */
const DOORS = {
  'src/commands/benchmark/index.js': ['commands/agents', 'commands/why'],
  'src/commands/benchmark/run-cell.js': ['commands/why'],
  'src/commands/benchmark/run-group.js': ['commands/breakdown'],
  'src/commands/messages/index.js': ['commands/agents'],
};
/** The one file that knows an optional peer dependency. */
const QUEUES = 'src/commands/agents/control-redis.js';
/** Packages that a user may do without, by the file that loads them. @type {Record<string, string>} */
const OPTIONAL = {
  [QUEUES]: 'bullmq',
  'src/worker/coding.js': 'msgpackr',
  'src/commands/cold/run.js': 'esbuild',
};
/** No input or output, no clock, no process. */
const PURE = [
  'src/axes/',
  'src/commands/benchmark/findings/',
  'src/commands/benchmark/judge/',
  'src/commands/benchmark/report/',
  'src/run/plan/',
  'src/report/',
  'src/statistics/',
  'src/store/figures.js',
  'src/commands/figures.js',
  'src/commands/break/figures.js',
  'src/commands/breakdown/figures.js',
  'src/commands/breakdown/parts.js',
  'src/commands/cold/figures.js',
  'src/store/metrics.js',
  'src/commands/benchmark/formats/',
  'src/formats/',
];
/** They compute and do nothing else. */
const PURE_BUILTINS = ['node:util', 'node:zlib'];
const READER = 'src/process/read-file.js';
const WRITER = 'src/process/write-file.js';
/** Files that read something of the tool's own, and how. */
const OWN_READERS = {
  // Before anything else is loaded.
  'bin/redis-pipe-bench.js': "readFileSync('/proc/self/limits', 'utf8')",
  // What its parent sends it.
  'src/commands/cold/child.js': 'readFileSync(0,',
  'src/machine/environment.js': "readFileSync(new URL('../../package.json', import.meta.url)",
};
/** Their paths of /proc and /sys stand in a constant. */
const OF_THE_KERNEL = { 'src/machine/cpu-limit.js': true, 'src/commands/why/profiler.js': true };
/** None may know of another. Commands bring workloads and formats, too. */
const PLUGINS = ['src/plugins/clients/', 'scenarios/', 'src/plugins/workloads/', 'src/formats/'];

/**
 * @typedef {object} Source
 * @property {string} file from the root of the project
 * @property {string} layer
 * @property {string} code without comments
 * @property {string[]} files that it imports
 * @property {string[]} opened those of them that it imports by `import()` alone
 * @property {string[]} packages that it imports, built-in modules too
 */

/** @type {Source[]} */
const SOURCES = ['bin', 'scenarios', 'src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readSource(join(folder, name))),
);

/** @param {string} file */
function readSource(file) {
  const code = stripComments(readFileSync(join(ROOT, file), 'utf8'));
  const named = [
    ...code.matchAll(/(?:^|;)\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'/gm),
    ...code.matchAll(/(?:^|;)\s*import\s*'([^']+)'/gm),
  ].map(([, specifier]) => specifier);
  const called = [
    ...code.matchAll(/\b(?:import|require|createRequire\(import\.meta\.url\))\(\s*'([^']+)'\s*\)/g),
  ].map(([, specifier]) => specifier);
  const specifiers = [...named, ...called];
  const pathOf = (/** @type {string} */ specifier) =>
    relative(ROOT, join(ROOT, dirname(file), specifier))
      .split(sep)
      .join('/');
  return {
    file: file.split(sep).join('/'),
    layer: layerOf(file),
    code,
    files: specifiers.filter((each) => each.startsWith('.')).map(pathOf),
    opened: called.filter((each) => !named.includes(each)).map(pathOf),
    packages: specifiers.filter((each) => !each.startsWith('.')),
  };
}

/** @param {string} file @returns {string} its room */
function layerOf(file) {
  const [first, second, third] = file.split(/[\\/]/);
  if (first !== 'src') return first;
  if (second === 'commands') return third.includes('.') ? second : `commands/${third}`;
  if (!second.includes('.')) return second;
  const name = second === 'api.d.ts' ? 'index' : second.replace('.js', '');
  return name in MAY_IMPORT ? name : 'common';
}

/** @param {(source: Source) => string[]} complaints */
const checkAll = (complaints) =>
  assert.deepEqual(
    SOURCES.flatMap((source) => complaints(source).map((text) => `${source.file}: ${text}`)),
    [],
  );

/** Words of commands, in any form: what the rooms that commands stand on say in words of their own. */
const WORDS_OF_COMMANDS =
  /^(faults?|faulty|strikes?|striking|struck|cold|messages?|replay(s|ed|ing)?|replays?|agents?)$/;
/** The same letters for something else: the text of an error, an event of Node's and what it brings, an agent of http. */
const OTHER_MEANINGS = {
  name: /^(message|messageOf|messageWithPosition|onMessage|postMessage|MessagePort)$/,
  text: /^'(message|MessagePack)'$|\bhttps?\.Agent\b|\berrors?(?:'s)?(?: without a)? messages?\b|\b(?:messageOf|onMessage)\b/gi,
};

/** @param {string} code @returns {string[]} each word of a command in it, with its line */
function wordsOfCommandsIn(code) {
  return tokensOf(code).flatMap((token) => {
    const isProse = isComment(token) || isText(token);
    if (!isProse && OTHER_MEANINGS.name.test(token.text)) return [];
    const words = (isProse ? token.text.replaceAll(OTHER_MEANINGS.text, '') : token.text)
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/);
    return words.filter((word) => WORDS_OF_COMMANDS.test(word)).map((word) => `${token.line}: ${word}`);
  });
}

/** What a test of the printer must find. */
const PRINTED = /** @type {Source} */ ({ code: 'stdout.write(a); stderr .write(b); x.pipe(stdout);' });

/** @param {RegExp} pattern @returns {(source: Source) => string[]} */
const found = (pattern) => (source) => [...source.code.matchAll(pattern)].map(([text]) => text.trim());

describe('architecture', () => {
  it('the files are found, and their imports', () => {
    const imports = SOURCES.flatMap(({ files }) => files);
    assert.ok(SOURCES.length > 40);
    assert.ok(imports.length > SOURCES.length);
    for (const layer of [
      'bin',
      'cli',
      'index',
      'commands/benchmark',
      'worker',
      'run',
      'common',
      'scenarios',
    ]) {
      assert.ok(
        SOURCES.some((source) => source.layer === layer),
        layer,
      );
    }
    const missing = imports.filter((file) => !SOURCES.some((source) => source.file === file));
    assert.deepEqual(missing, []);
  });

  it('imports run one way, but for the named doors, which are opened when asked for', () => {
    for (const { layer } of SOURCES)
      assert.ok(MAY_IMPORT[layer], `the room '${layer}' is new: say in this test what it may import`);
    checkAll(({ file, layer, files, opened }) =>
      files.filter((each) => {
        const other = layerOf(each);
        if (other === layer || MAY_IMPORT[layer].includes(other)) return false;
        return !(DOORS[file]?.includes(other) && opened.includes(each));
      }),
    );
  });

  it('the list of all commands only opens doors', () =>
    checkAll(({ file, files, opened }) =>
      file === LIST ? files.filter((each) => !opened.includes(each)) : [],
    ));

  it('the rooms that commands stand on use no words of theirs, in code, texts or comments', () => {
    const found = wordsOfCommandsIn(
      "// A fault.\nconst coldRun = 'an agent'; error.message; messageOf(messages); on('message');\n// An error message: a message",
    );
    assert.deepEqual(found, ['1: fault', '2: cold', '2: agent', '2: messages', '3: message']);
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => file.split(sep).join('/'))
      .filter((file) => /\.(js|d\.ts)$/.test(file))
      .filter((file) => ['common', ...Object.keys(GROUND)].includes(layerOf(`src/${file}`)));
    assert.deepEqual(
      files.flatMap((file) =>
        wordsOfCommandsIn(readFileSync(join(ROOT, 'src', file), 'utf8')).map((word) => `${file}:${word}`),
      ),
      [],
    );
  });

  it('a benchmark is judged, then explained, then reported', () => {
    const ORDER = ['judge', 'findings', 'report'];
    const stepOf = (/** @type {string} */ file) =>
      ORDER.indexOf(/^src\/commands\/benchmark\/(\w+)\//.exec(file)?.[1] ?? '');
    assert.ok(SOURCES.filter(({ file }) => stepOf(file) >= 0).length > 30);
    checkAll(({ file, files }) =>
      stepOf(file) < 0 ? [] : files.filter((each) => stepOf(each) > stepOf(file)),
    );
  });

  it('every door is used', () => {
    checkAll(({ file, opened }) =>
      (DOORS[file] ?? []).filter((room) => !opened.some((each) => layerOf(each) === room)),
    );
  });

  it('the worker and the relay are started, never imported', () => {
    checkAll(({ files }) =>
      files.filter((file) => /^src\/(worker\/entry|relay\/relay-entry)\.js$/.test(file)),
    );
  });

  it('plugins of one folder never import each other, and only the registry loads them', () => {
    const isPlugin = (/** @type {string} */ file) =>
      PLUGINS.includes(`${dirname(file)}/`) || /^src\/commands\/\w+\/(workloads|formats)\//.test(file);
    assert.ok(SOURCES.filter(({ file }) => isPlugin(file)).length > 25);
    checkAll(({ files }) => files.filter(isPlugin));
  });

  it('no file imports itself in a circle', () => {
    // What the list of commands opens is opened when it is asked for.
    const byFile = new Map(SOURCES.map(({ file, files }) => [file, file === LIST ? [] : files]));
    /** @type {Set<string>} */
    const done = new Set();
    /** @param {string} file @param {string[]} path @returns {string[]} */
    const circles = (file, path = []) => {
      if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' → ')];
      if (done.has(file)) return [];
      const found = (byFile.get(file) ?? []).flatMap((next) => circles(next, [...path, file]));
      done.add(file);
      return found;
    };
    assert.deepEqual(
      SOURCES.flatMap(({ file }) => circles(file)),
      [],
    );
  });

  describe('pure layers', () => {
    const pure = (/** @type {(source: Source) => string[]} */ complaints) => (/** @type {Source} */ source) =>
      PURE.some((folder) => source.file.startsWith(folder)) ? complaints(source) : [];

    it('import nothing of Node', () =>
      checkAll(
        pure(({ packages }) => packages.filter((each) => isBuiltin(each) && !PURE_BUILTINS.includes(each))),
      ));
    it('know no process', () => checkAll(pure(found(/\b(?:process|globalThis|require)\b\s*[.([]/g))));
    it('have no clock and no timers', () =>
      checkAll(
        pure(
          found(
            /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b|\bset(?:Timeout|Interval|Immediate)\b|\bhrtime\b/g,
          ),
        ),
      ));
    it('have no chance of their own', () => checkAll(pure(found(/\bMath\.random\b|\brandomInt\b/g))));
    it('wait for nothing', () => checkAll(pure(found(/\bawait\b/g))));
  });

  it('only bin/ ends the process by itself, when all is done', () => {
    checkAll((source) =>
      source.layer === 'bin' ? [] : found(/\bprocess\s*\.\s*(?:exit|abort)\b(?!Code)/g)(source),
    );
  });

  it('only bin/ touches the terminal', () => {
    checkAll((source) =>
      source.layer === 'bin'
        ? []
        : found(
            /\bprocess\s*\.\s*(?:stdout|stderr|stdin)\b|\bconsole\b|\{[^}]*\bstd(?:out|err)\b[^}]*\}\s*=\s*process\b/g,
          )(source),
    );
  });

  it('only the printer writes to stdout and stderr', () => {
    const streams =
      /\bstd(?:out|err)\s*\??\.\s*(?:write|end|cork|_write)\b|\bpipe(?:line)?\([^;]*\bstd(?:out|err)\b/g;
    const writes = found(streams);
    assert.deepEqual(writes(PRINTED), ['stdout.write', 'stderr .write', 'pipe(stdout']);
    checkAll((source) =>
      ['cli/terminal.js', 'cli/main.js'].includes(source.file.slice(4)) || source.layer === 'bin'
        ? []
        : writes(source),
    );
    // What is written there is nothing at all: it waits until the rest is.
    const main = SOURCES.filter(({ file }) => file === 'src/cli/main.js').flatMap(
      ({ code }) => code.match(/stdout\.write\(.*/g) ?? [],
    );
    assert.deepEqual(main, ["stdout.write('', resolve));"]);
    // A process that is started has a pipe, never the terminal.
    checkAll(found(/\bstdio\s*:[^;]*?'inherit'|\bstdio\s*:\s*\[?\s*(?:[^\]]*,\s*)?[12]\s*[,\]]/g));
  });

  it('only what formats made is printed as it is, and the pages of help', () => {
    const rendered = SOURCES.filter(({ code }) => /\.rendered\(/.test(code))
      .map(({ file }) => file)
      .sort();
    assert.deepEqual(rendered, [
      'src/cli/commands/traffic.js',
      'src/cli/first-help.js',
      'src/cli/output.js',
      'src/cli/program.js',
    ]);
  });

  it('only read-file.js opens files to read them: nothing waits for a pipe, or reads without a bound', () => {
    const readers = /\b(?:createReadStream|openAsBlob|readFile|readFileSync)\b/g;
    assert.equal(
      found(readers)(/** @type {Source} */ ({ code: "import { readFile } from 'node:fs'" })).length,
      1,
    );
    checkAll((source) =>
      source.file === READER || source.file in OWN_READERS ? [] : found(readers)(source),
    );
    for (const [file, call] of Object.entries(OWN_READERS)) {
      const { code } = /** @type {Source} */ (SOURCES.find((source) => source.file === file));
      assert.equal(code.split(call).length, 2, `${file}: ${call}`);
      assert.equal(code.match(/\breadFileSync\(/g)?.length, 1, file);
    }
    // What is opened there is written.
    checkAll((source) =>
      [READER, WRITER].includes(source.file)
        ? []
        : found(/\b(?:openSync|open)\b(?=[^}]*\} from 'node:fs(?:\/promises)?')/g)(source),
    );
    checkAll(found(/\bimport (?:\w+|\* as \w+) from 'node:fs(?:\/promises)?'/g));
    // It knows no bound, so it is for what the kernel says.
    checkAll((source) => {
      if (!/\btextOf\b[^}]*\} from '[^']*\/read-file\.js'/.test(source.code) || source.file in OF_THE_KERNEL)
        return [];
      return found(/\btextOf\((?!['`]\/(?:proc|sys)\/)[^\n]*/g)(source);
    });
  });

  it('only the clients themselves import a Redis client', () => {
    checkAll(({ packages }) => packages.filter((each) => /^(@redis\/.*|redis|ioredis)$/.test(each)));
  });

  it('built-in modules are imported with node:', () => {
    checkAll(({ packages }) => packages.filter((each) => isBuiltin(each) && !each.startsWith('node:')));
  });

  it('every package that is imported is a dependency', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.deepEqual(Object.keys(peerDependencies).sort(), Object.values(OPTIONAL).sort());
    checkAll(({ file, packages }) =>
      packages
        .filter((each) => !isBuiltin(each) && OPTIONAL[file] !== each)
        .filter((each) => !(nameOf(each) in dependencies)),
    );
  });

  it('optional packages, such as the queues of agents, are loaded where they are used, by one file', () => {
    for (const [name, own] of Object.entries(OPTIONAL)) {
      const { code } = /** @type {Source} */ (SOURCES.find(({ file }) => file === name));
      assert.match(code, new RegExp(`(?:await import\\('${own}'\\)|require\\.resolve\\('${own}/)`));
      assert.doesNotMatch(code, new RegExp(`from '${own}'`));
    }
  });
});

/** @param {string} specifier @returns {string} the package's name */
const nameOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
