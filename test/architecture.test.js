import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripComments } from './helpers/source.js';

/**
 * The rules of DESIGN.md about who may import whom, checked by reading the imports of every file.
 *
 * A layer is a folder, or one of the files beside the folders of src/. Types may come from anywhere:
 * they are in comments.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** For each layer the other layers that its files may import. */
const MAY_IMPORT = {
  bin: ['cli', 'oldest-node'],
  cli: [
    'analysis',
    'axes',
    'commands',
    'errors',
    'leftovers',
    'machine',
    'metrics',
    'options',
    'plugins',
    'read-file',
    'report',
    'results',
    'secrets',
  ],
  index: ['commands'],
  agents: [
    'errors',
    'machine',
    'plan',
    'plugins',
    'process',
    'results',
    'runner',
    'schemas',
    'secrets',
    'server',
    'shared-clock',
  ],
  commands: [
    'agents',
    'analysis',
    'axes',
    'causes',
    'errors',
    'machine',
    'metrics',
    'options',
    'own-keys',
    'plan',
    'plugins',
    'process',
    'read-file',
    'report',
    'results',
    'runner',
    'script-commands',
    'secrets',
    'series',
    'server',
    'traffic',
  ],
  report: ['analysis', 'axes', 'metrics'],
  runner: [
    'analysis',
    'axes',
    'causes',
    'errors',
    'leftovers',
    'machine',
    'method',
    'metrics',
    'own-keys',
    'plan',
    'process',
    'results',
    'secrets',
    'server',
    'shared-clock',
  ],
  worker: [
    'batches',
    'call-counts',
    'encode-histogram',
    'errors',
    'fold',
    'leftovers',
    'meters',
    'plugins',
    'process',
    'resp',
    'script-commands',
    'secrets',
    'shared-clock',
  ],
  relay: ['encode-histogram', 'errors', 'process', 'server', 'shared-clock', 'traffic'],
  machine: ['errors', 'oldest-node', 'process', 'read-file'],
  server: ['causes', 'errors', 'machine', 'own-keys', 'process', 'read-file', 'resp', 'shared-clock'],
  process: ['errors', 'secrets'],
  results: [
    'analysis',
    'axes',
    'causes',
    'errors',
    'fold',
    'method',
    'meters',
    'metrics',
    'read-file',
    'schemas',
    'script-commands',
  ],
  plan: ['axes', 'errors', 'method', 'options'],
  options: ['analysis', 'errors', 'method', 'plugins', 'read-file', 'secrets'],
  analysis: ['axes', 'errors', 'method', 'metrics'],
  series: ['analysis', 'axes', 'metrics'],
  axes: [],
  meters: [],
  metrics: [],
  scenarios: [],
  plugins: ['call-counts', 'command-places', 'errors', 'own-keys', 'resp', 'script-commands', 'traffic'],
  batches: [],
  traffic: ['batches', 'call-counts', 'command-places', 'errors', 'read-file', 'schemas'],
  'call-counts': [],
  causes: [],
  'command-places': [],
  'encode-histogram': [],
  errors: ['secrets'],
  secrets: [],
  fold: [],
  leftovers: [],
  'oldest-node': [],
  'own-keys': [],
  resp: [],
  'script-commands': ['command-places'],
  'shared-clock': [],
  'read-file': ['errors'],
  schemas: [],
  method: [],
};
/** The one file that knows an optional peer dependency. */
const QUEUES = 'src/agents/bull.js';
/** Packages that a user may do without, by the file that loads them. @type {Record<string, string>} */
const OPTIONAL = {
  [QUEUES]: 'bullmq',
  'src/worker/coding.js': 'msgpackr',
  'src/runner/run-cold.js': 'esbuild',
};
/** No input or output, no clock, no process. */
const PURE = ['analysis', 'axes', 'metrics', 'plan', 'report', 'series'];
/** They compute and do nothing else. */
const PURE_BUILTINS = ['node:util', 'node:zlib'];
/** One plugin a file: none may know of another. */
const PLUGINS = [
  'src/plugins/clients/',
  'scenarios/',
  'src/plugins/pipelining/',
  'src/plugins/workloads/',
  'src/plugins/suites/',
  'src/report/formats/',
];

/**
 * @typedef {object} Source
 * @property {string} file from the root of the project
 * @property {string} layer
 * @property {string} code without comments
 * @property {string[]} files that it imports
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
  const specifiers = [
    ...code.matchAll(/(?:^|;)\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'/gm),
    ...code.matchAll(/(?:^|;)\s*import\s*'([^']+)'/gm),
    ...code.matchAll(/\b(?:import|require|createRequire\(import\.meta\.url\))\(\s*'([^']+)'\s*\)/g),
  ].map(([, specifier]) => specifier);
  return {
    file: file.split(sep).join('/'),
    layer: layerOf(file),
    code,
    files: specifiers
      .filter((each) => each.startsWith('.'))
      .map((each) =>
        relative(ROOT, join(ROOT, dirname(file), each))
          .split(sep)
          .join('/'),
      ),
    packages: specifiers.filter((each) => !each.startsWith('.')),
  };
}

/** @param {string} file @returns {string} */
function layerOf(file) {
  const [first, second] = file.split(/[\\/]/);
  if (first !== 'src') return first;
  if (!second.endsWith('.js')) return second;
  const name = second.replace('.js', '');
  return name;
}

/** @param {(source: Source) => string[]} complaints */
const checkAll = (complaints) =>
  assert.deepEqual(
    SOURCES.flatMap((source) => complaints(source).map((text) => `${source.file}: ${text}`)),
    [],
  );

/** @param {RegExp} pattern @returns {(source: Source) => string[]} */
const found = (pattern) => (source) => [...source.code.matchAll(pattern)].map(([text]) => text.trim());

describe('architecture', () => {
  it('the files are found, and their imports', () => {
    const imports = SOURCES.flatMap(({ files }) => files);
    assert.ok(SOURCES.length > 40);
    assert.ok(imports.length > SOURCES.length);
    for (const layer of ['bin', 'cli', 'index', 'runner', 'worker', 'plan', 'scenarios']) {
      assert.ok(
        SOURCES.some((source) => source.layer === layer),
        layer,
      );
    }
    const missing = imports.filter((file) => !SOURCES.some((source) => source.file === file));
    assert.deepEqual(missing, []);
  });

  it('imports run one way', () => {
    checkAll(({ layer, files }) => {
      const allowed = /** @type {Record<string, string[]>} */ (MAY_IMPORT)[layer];
      if (!allowed) return [`the layer '${layer}' is new: say in this test what it may import`];
      return files
        .filter((file) => ![layer, ...allowed].includes(layerOf(file)))
        .map((file) => `imports ${file}`);
    });
  });

  it('the worker and the relay are started, never imported', () => {
    checkAll(({ layer, files }) =>
      files.filter((file) => ['worker', 'relay'].includes(layerOf(file)) && layerOf(file) !== layer),
    );
  });

  it('plugins of one folder never import each other, and only the registry loads them', () => {
    const isPlugin = (/** @type {string} */ file) => PLUGINS.includes(`${dirname(file)}/`);
    assert.ok(SOURCES.filter(({ file }) => isPlugin(file)).length > 30);
    checkAll(({ files }) => files.filter(isPlugin));
  });

  it('no layer imports one that imports it', () => {
    const edges = new Set(
      SOURCES.flatMap(({ layer, files }) => files.map((file) => `${layer} → ${layerOf(file)}`)),
    );
    const mutual = [...edges].filter((edge) => {
      const [from, to] = edge.split(' → ');
      return from < to && edges.has(`${to} → ${from}`);
    });
    assert.deepEqual(mutual, []);
  });

  it('no file imports itself in a circle', () => {
    const byFile = new Map(SOURCES.map((source) => [source.file, source.files]));
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
      PURE.includes(source.layer) ? complaints(source) : [];

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

  it('only the clients themselves import a Redis client', () => {
    checkAll(({ packages }) => packages.filter((each) => /^(@redis\/.*|redis|ioredis)$/.test(each)));
  });

  it('no two files have one name, but a command and its command line, and plugins and commands, which are named by their ids', () => {
    const isPlugin = (/** @type {Source} */ { file }) => PLUGINS.some((folder) => file.startsWith(folder));
    const isCommand = (/** @type {Source} */ { file }) => file.startsWith('src/cli/commands/');
    const mayShare = (/** @type {Source} */ a, /** @type {Source} */ b) =>
      [a, b].some(({ layer }) => layer === 'commands') ||
      [a, b].every((each) => isPlugin(each) || isCommand(each));
    checkAll((source) =>
      SOURCES.filter(({ file }) => file !== source.file && basename(file) === basename(source.file))
        .filter((other) => !mayShare(source, other))
        .map(({ file }) => `has the name of ${file}`),
    );
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
