/** What compiles for a strict project, and what must not: an expected error that does not come is one. */
import {
  type BenchmarkOptions,
  benchmark,
  type ClientSource,
  compare,
  measure,
  type Report,
  type ReportComparison,
  type ResultLine,
  readResult,
} from 'redis-pipe-bench';

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
export const client: ClientSource = {
  connect: async () => ({ send: async () => 'OK', close: async () => {} }) as never,
};

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
export const broken = () =>
  measure('break', { fault: 'cut', rate: 500 }, { signal: new AbortController().signal });

/** Whether a value of the type may hold what nobody knows the type of. */
type IsAny<T> = 0 extends 1 & T ? true : false;
type HasAny<T, Depth extends 0[] = []> =
  IsAny<T> extends true
    ? true
    : Depth['length'] extends 7
      ? false
      : T extends (...args: never[]) => unknown
        ? false
        : T extends object
          ? true extends { [Key in keyof T]-?: HasAny<NonNullable<T[Key]>, [...Depth, 0]> }[keyof T]
            ? true
            : false
          : false;
export const exact: {
  report: HasAny<Report>;
  comparison: HasAny<ReportComparison>;
  options: HasAny<BenchmarkOptions>;
  line: HasAny<ResultLine>;
} = { report: false, comparison: false, options: false, line: false };
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
// @ts-expect-error
measure('brake');
