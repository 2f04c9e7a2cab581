import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { main } from '../../src/cli/main.js';
import { schemaErrors } from '../helpers/report-shapes.js';

/**
 * One new file is a new plugin, its options included: these are written into empty folders, and nothing
 * else in the project names them.
 */
const SCENARIO = `
export default {
  id: 'twins',
  title: 'twins',
  summary: 'pairs of connections, each task on both',
  ownOptions: {
    twinPairs: {
      flag: '--twin-pairs <list>',
      help: 'how many pairs',
      value: { type: 'integer', minimum: 1, maximum: 4 },
      default: [1],
    },
    twinKind: {
      flag: '--twin-kind <list>',
      help: 'which of a pair is used first',
      value: { enum: ['left', 'right'] },
      default: ['left'],
    },
  },
  words: ({ twinPairs, twinKind }) => ({
    options: { twinPairs: { row: 'of ' + twinPairs, always: true }, twinKind: { row: twinKind } },
  }),
  conflict: ({ twinPairs, twinKind }) =>
    twinKind === 'right' && twinPairs > 2 ? 'at most 2 pairs begin on the right' : null,
  connections: (_tasks, { twinPairs }) => 2 * twinPairs,
  async open({ connectMany, options: { twinPairs } }) {
    const connections = await connectMany(2 * twinPairs);
    return {
      forTask: (index) => connections[index % connections.length],
      close: async () => void (await Promise.all(connections.map((each) => each.close()))),
    };
  },
};
`;
const FORMAT = `
export default {
  id: 'headline',
  summary: 'one line',
  render: ({ cells }) => cells.length + ' cells\\n',
};
`;

/** It connects as the tool's own client does. */
const CLIENT = `
import raw from ${JSON.stringify(new URL('../../src/plugins/clients/raw.js', import.meta.url).href)};
export default { ...raw, id: 'fresh', title: 'fresh', floor: false, variants: { default: {}, quick: {} } };
`;

describe('a plugin of one file', () => {
  /** @type {string} */
  let root;
  /** @type {Record<string, string[]>} */
  let pluginFolders;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'rpb-own-'));
    pluginFolders = Object.fromEntries(
      ['clients', 'scenarios', 'formats'].map((kind) => [kind, [join(root, kind)]]),
    );
    for (const [folder] of Object.values(pluginFolders)) mkdirSync(folder);
    writeFileSync(join(root, 'package.json'), '{"type":"module"}');
    writeFileSync(join(root, 'clients', 'fresh.js'), CLIENT);
    writeFileSync(join(root, 'scenarios', 'twins.js'), SCENARIO);
    writeFileSync(join(root, 'formats', 'headline.js'), FORMAT);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  /** @param {string[]} args */
  async function run(...args) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const texts = [stdout, stderr].map((stream) => stream.toArray());
    const code = await main(args, /** @type {any} */ ({ stdout, stderr, env: {}, process, pluginFolders }));
    for (const stream of [stdout, stderr]) stream.end();
    const [out, err] = await Promise.all(texts);
    return { code, stdout: out.join(''), stderr: err.join('') };
  }

  it('is shown by list', async () => {
    for (const [kind, row] of /** @type {[string, RegExp][]} */ ([
      ['scenarios', /^ twins +pairs of connections, each task on both$/m],
      ['formats', /^ headline +one line$/m],
      ['clients', /^ fresh +fresh/m],
    ]))
      assert.match((await run('list', kind)).stdout, row);
  });

  it('and its options by --help, with what they are for and their defaults', async () => {
    const help = (await run('run', '--help')).stdout.replaceAll(/\s+/g, ' ');
    assert.match(help, /--scenarios <list> .*\btwins\b.* --tasks/);
    assert.match(help, /--twin-pairs <list> in the scenario twins: how many pairs \(default: 1\)/);
    assert.match(help, /--twin-kind <list> in the scenario twins: .* \(default: left\)/);
  });

  it('what is wrong with them is said as of any other', async () => {
    const twins = ['--scenarios', 'twins'];
    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [[...twins, '--twin-pairs', '5'], /: --twin-pairs: expected a whole number from 1 to 4, got '5'$/m],
      [[...twins, '--twin-kind', 'up'], /: --twin-kind: expected one of left, right, got 'up'$/m],
      [
        ['--scenarios', 'pool', '--twin-pairs', '2'],
        /: --twin-pairs is for the scenario twins, .*--scenarios$/m,
      ],
      [['--scenarios', 'twin'], /: unknown scenario 'twin' \(did you mean 'twins'\?\)/],
      [
        [...twins, '--twin-kind', 'right', '--twin-pairs', '3'],
        /every cell is skipped: at most 2 pairs begin/,
      ],
    ])) {
      const { code, stderr } = await run(...args, '--no-save', '--quiet');
      assert.deepEqual([code, message.test(stderr)], [2, true], `${args.join(' ')}: ${stderr}`);
    }
  });

  it('they make cells, whose names, ids and saved results have them', async function () {
    this.timeout(120_000);
    const saved = join(root, 'saved.ndjson');
    const { code, stdout, stderr } = await run(
      ...[
        '--scenarios',
        'twins',
        '--twin-pairs',
        '1,2',
        '--clients',
        'fresh:quick',
        '--smoke',
        '--runs',
        '1',
      ],
      ...['--iterations', '20', '--pin', 'off', '--quiet', '--save', saved],
      ...['--format', 'headline'],
    );
    assert.deepEqual([code, stdout], [0, '2 cells\n'], stderr);

    const { stdout: json } = await run('report', saved, '--format', 'json');
    const report = JSON.parse(json);
    assert.deepEqual(schemaErrors(report), []);
    const cells = /** @type {any[]} */ (report.cells);
    assert.deepEqual(
      cells.map(({ scenarioOptions }) => scenarioOptions),
      [1, 2].map((twinPairs) => ({ twinPairs, twinKind: 'left' })),
    );
    assert.deepEqual(
      cells.map(({ connections }) => connections),
      [2, 4],
    );
    for (const { id, scenarioOptions } of cells)
      assert.match(id, new RegExp(`/twins:${scenarioOptions.twinPairs}:left/`));
    const { stdout: table } = await run('report', saved, '--format', 'table');
    for (const name of ['fresh:quick, twins of 1 ', 'fresh:quick, twins of 2 '])
      assert.ok(table.includes(name), table);
  });

  it('that lacks what its kind needs is refused, with what that is', async () => {
    const folder = join(root, 'lacking');
    mkdirSync(folder);
    writeFileSync(join(folder, 'half.js'), "export default { id: 'half', ownOptions: {} };");
    const { loadOptions } = await import('../../src/options/catalogue.js');
    await assert.rejects(loadOptions({ scenarios: [folder] }), {
      name: 'UsageError',
      message: /half\.js: connections: expected a function, .*open: expected a function/,
    });
  });

  it('two of one name are refused', async () => {
    const twice = { scenarios: [...pluginFolders.scenarios, join(root, 'more')] };
    mkdirSync(join(root, 'more'));
    writeFileSync(join(root, 'more', 'pool.js'), SCENARIO);
    const { loadOptions } = await import('../../src/options/catalogue.js');
    await assert.rejects(loadOptions(twice), {
      name: 'UsageError',
      message: /two scenarios of the name 'pool'/,
    });
  });

  it('an option whose flag there is already is refused', async () => {
    const folder = join(root, 'taken');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'triplets.js'),
      SCENARIO.replaceAll('twins', 'triplets').replace('--twin-pairs', '--tasks'),
    );
    const { loadOptions } = await import('../../src/options/catalogue.js');
    await assert.rejects(
      loadOptions({ scenarios: [folder] }),
      /'triplets' brings the option 'twinPairs' \(--tasks\)/,
    );
  });
});
