import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadOptions } from '../src/options/catalogue.js';
import { OPTIONS } from '../src/options/option-table.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** As strict as a project can be; types of this package's dependencies are checked, too. */
const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, skipLibCheck: false, noEmit: true, types: [] },
    ...{ target: 'es2023', lib: ['es2023'], module: 'nodenext', moduleResolution: 'nodenext' },
  },
  include: ['*.ts'],
};

/** What compiles, and what must not: an expected error that does not come is one. */
const OPTIONS_AS_WRITTEN = `
import { benchmark, compare, readResult, type BenchmarkOptions, type ClientSource, type Report } from 'redis-pipe-bench';

declare module 'redis-pipe-bench' {
  interface PluginOptions {
    twinPairs: number[];
  }
}

const right: BenchmarkOptions[] = [
  { clients: 'redis,ioredis', tasks: 8, size: [10, '1000'], runs: '2', smoke: true, profile: false },
  { tasks: '1,8,64', rtt: ['0', '0.5ms', 2, 'relay'], transport: 'tcp,unix', pin: 'off', starts: 'auto' },
  { transport: ['tcp'], fault: ['cut', 'stall:2s'], valueSize: '100-1000', seed: 7 },
  { iterations: { budget: 1, perOperation: 1, perByte: 1 }, rate: '5000', sloMs: 10 },
  { budget: '20s', runTime: '1s', duration: 500, slo: '5ms', runTimeout: '1m', faultAt: '1s' },
  { poolSize: [3, 10], pool: 'native', connections: '2,4', twinPairs: 2, suite: 'default' },
  { config: { keepAlive: 1 }, agents: { local: 3 }, arrivals: 'poisson', serverConfig: 'none,io-threads 4' },
];
export const report: Promise<Report> = benchmark(right[0]);
export const ratio = async () => {
  const { cells } = await compare(await readResult('a.ndjson'), await report, { metric: 'p99Us' });
  return cells[0]?.contrast?.ratio;
};
export const client: ClientSource = { connect: async () => ({ send: async () => 'OK', close: async () => {} }) as never };

export const figures = async () => {
  const { cells, settings, servers, finishedAt, seed } = await report;
  const [{ runs, summary, tasks, chosen }] = cells;
  const texts: string[] = [finishedAt, servers[0].software, chosen.workload.id];
  const counts: number[] = [seed, settings.runs, tasks, runs[0].operations, runs[0].slices?.length ?? 0];
  const busy: number | undefined = runs[0].client?.eventLoopUtilization;
  const p99: number | undefined = summary?.latency?.p99Us;
  const lost: number | null | undefined = runs[0].fault?.lost;
  const started: number | null | undefined = runs[0].cold?.firstReplyMs;
  return [texts, counts, busy, p99, lost, started, summary?.bottleneck.limit === 'server'];
};
export const misspelt = async () => {
  const { cells } = await report;
  // @ts-expect-error
  cells[0].runs[0].client?.eventLoopUtilisation;
  // @ts-expect-error
  cells[0].summary?.latency?.p98Us;
  // @ts-expect-error
  cells[0].runs[0].fault?.lostAll;
  // @ts-expect-error
  cells[0].runs[0].server?.cpuUsPerCommand.toFixed();
  // @ts-expect-error
  cells[0].summary?.bottleneck.limit === 'network';
  // @ts-expect-error
  (await report).sead;
};

// @ts-expect-error
compare('a.ndjson', 'b.ndjson');

// @ts-expect-error
benchmark({ clientz: ['redis'] });
// @ts-expect-error
benchmark({ tasks: 'x' });
// @ts-expect-error
benchmark({ tasks: true });
// @ts-expect-error
benchmark({ latency: 'maybe' });
// @ts-expect-error
benchmark({ smoke: 'yes' });
// @ts-expect-error
benchmark({ budget: 'soon' });
// @ts-expect-error
benchmark({ poolSize: 'many' });
// @ts-expect-error
benchmark({ suite: 'default', iterations: 'some' });
`;

describe('the types of the package', () => {
  /** @type {string} */
  let project;
  before(() => {
    project = mkdtempSync(join(tmpdir(), 'rpb-types-'));
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(ROOT, join(project, 'node_modules', 'redis-pipe-bench'));
    writeFileSync(join(project, 'package.json'), '{"type": "module"}');
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  });
  after(() => rmSync(project, { recursive: true }));

  it('a strict project compiles what the documents show and what is right, and nothing else', async () => {
    writeFileSync(join(project, 'options.ts'), OPTIONS_AS_WRITTEN);
    const page = readFileSync(join(ROOT, 'docs/results.md'), 'utf8');
    const shown = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
    assert.ok(shown.length > 1);
    shown.forEach((code, index) => {
      writeFileSync(join(project, `shown-${index}.ts`), `import console from 'node:console';\n${code}`);
    });
    const { stdout } = await promisify(execFile)(process.execPath, [TSC, '-p', project]).catch(
      (error) => error,
    );
    assert.equal(stdout, '');
  });

  it('know every option that plugins bring', async () => {
    const all = Object.keys(await loadOptions()).filter((name) => !(name in OPTIONS));
    const [, body] = /^export interface PluginOptions \{([^}]*)\}/m.exec(
      readFileSync(join(ROOT, 'src/api.d.ts'), 'utf8'),
    ) ?? ['', ''];
    assert.deepEqual(
      [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name),
      all,
    );
  });
});
