/// <reference types="node" />

/** The public API, with the types of all that it takes and returns. */

import type { Hello, Refusing } from './agents/types.js';
import type { CodeCosts, CodeDifference, ComparedCell, ReportComparison } from './analysis/types.js';
import type {
  BenchmarkEvent,
  BenchmarkOptions,
  Bisection,
  Calibration,
  Check,
  MeasuredRelease,
  RecordEvent,
  Recorded,
  RecordOptions,
  Shape,
} from './commands/types.js';
import type { CachedRelease } from './machine/types.js';
import type { Metric } from './metrics/types.js';
import type {
  CalibrateSettings,
  OptionSpec,
  OptionTable,
  ReachSettings,
  RecordSettings,
  Settings,
  Written,
} from './options/types.js';
import type { Catalogue, ContractResult, PluginFolders, PluginKind, View } from './plugins/types.js';
import type { CostKind, Report, ResultLine, SavedResult } from './results/types.js';
import type { Swept } from './runner/types.js';
import type { SeriesOrder, SeriesTrend } from './series/types.js';
import type { TrafficSummary } from './traffic/types.js';

export type * from './agents/types.js';
export type * from './analysis/types.js';
export type * from './cli/types.js';
export type * from './commands/types.js';
export type * from './machine/types.js';
export type * from './metrics/types.js';
export type * from './options/types.js';
export type * from './plan/types.js';
export type * from './plugins/types.js';
export type * from './relay/types.js';
export type * from './results/types.js';
export type * from './runner/types.js';
export type * from './series/types.js';
export type * from './server/types.js';
export type * from './traffic/types.js';
export type * from './worker/types.js';

/**
 * The options that plugins bring. For one of your own:
 * `declare module 'redis-pipe-bench' { interface PluginOptions { twinPairs: number[] } }`.
 */
export interface PluginOptions {
  pool: ('generic' | 'native')[];
  poolSize: number[];
  connections: number[];
  allowPartial: boolean;
}

/** What a benchmark is told besides its options, and what it tells. */
export interface BenchmarkHooks {
  /** Ends the benchmark early: the report then holds what was measured and is marked partial. */
  signal?: AbortSignal;
  /** Told of everything that happens, as it happens. */
  onEvent?: (event: BenchmarkEvent) => void;
  /**
   * Told of each line of the result, as soon as it is known and never while a run is timed; a store
   * that is handed in here keeps what was measured even if this process is killed.
   */
  onLine?: (line: ResultLine) => void;
  /** Where the URL came from, for error messages: `--url` by default. */
  urlOrigin?: string;
  /** Where it is remembered which keys are stored on an external server; null for nowhere. */
  stateFolder?: string | null;
  /** Folders with plugins besides the tool's own. */
  pluginFolders?: PluginFolders;
  /** When the time of `budgetMs` began, in ms since 1970: with the call, by default. */
  startedAtMs?: number;
}

/**
 * Runs a benchmark: each option as on the command line, as text or as a value.
 * @throws {UsageError} when an option or a combination is wrong, before anything is started
 * @throws {ServerError} when no server is found, started or reached
 */
export function benchmark(options?: BenchmarkOptions, hooks?: BenchmarkHooks): Promise<Report>;

/**
 * Where which choice wins: measures each combination of two conditions, or three, until its winner is known. The
 * report has a finding of the kind `map` for each pair of conditions.
 * @throws {UsageError | ServerError} as `benchmark` does, and where there are fewer conditions or more
 */
export function map(options?: Omit<BenchmarkOptions, 'suite'>, hooks?: BenchmarkHooks): Promise<Report>;

/**
 * Measures how fast one Node process can drive the server, without a client: the ceiling.
 * @throws {UsageError | ServerError | RunError}
 */
export function calibrate(
  options?: Written<CalibrateSettings>,
  hooks?: Pick<BenchmarkHooks, 'signal' | 'urlOrigin' | 'stateFolder'> & {
    onShape?: (shape: Shape, done: number, total: number) => void;
  },
): Promise<Calibration>;

/** Looks at everything around a benchmark that makes its figures good or bad, in a few seconds. */
export function doctor(
  options?: Pick<BenchmarkOptions, keyof ReachSettings | 'serverBin'>,
  hooks?: Pick<BenchmarkHooks, 'urlOrigin'>,
): Promise<Check[]>;

/**
 * Looks for the release of a client with which a figure changed: measures the ends, and halves the list
 * of releases between them until the step is found.
 * @throws {UsageError | ServerError | RunError}
 */
export function bisect(
  options: Omit<BenchmarkOptions, 'clients' | 'suite'> & {
    /** `redis`, or with a variant: `redis:tuned`. */
    client: string;
    from: string;
    to: string;
    /** `cpuUsPerOp` by default. */
    metric?: string;
    /** Whether to return the list of releases and measure nothing. */
    dryRun?: boolean;
  },
  hooks?: Pick<BenchmarkHooks, 'signal' | 'onEvent' | 'urlOrigin' | 'pluginFolders'> & {
    /** Told of each answer, with all that is known then. */
    onStep?: (soFar: Bisection) => void;
  },
): Promise<Bisection>;

/**
 * Measures the newest release of each minor of some clients, each beside `raw`, and saves a result for each
 * that the folder does not have yet. What is measured stays, however this ends.
 * @throws {UsageError | ServerError | RunError}
 */
export function releases(
  options: Omit<BenchmarkOptions, 'suite'> & {
    /** Where the results are. */
    folder: string;
    /** How many minors of each client, from the newest back; 12 by default. */
    newest?: number;
    /** Whether to measure nothing, and tell what is missing. */
    dryRun?: boolean;
  },
  hooks?: Pick<BenchmarkHooks, 'signal' | 'onEvent' | 'urlOrigin' | 'pluginFolders'> & {
    /** Told of each release in turn. */
    onRelease?: (release: MeasuredRelease) => void;
  },
): Promise<MeasuredRelease[]>;

/**
 * Removes the keys that killed benchmarks left on an external server, as far as this user's state folder
 * remembers them.
 * @throws {UsageError | ServerError}
 */
export function clean(
  options?: Pick<BenchmarkOptions, keyof ReachSettings> & {
    /** Of keys to remove that are not remembered here: `rpb:1a2b`. */
    prefix?: string;
  },
  hooks?: Pick<BenchmarkHooks, 'urlOrigin' | 'stateFolder'>,
): Promise<{
  server: string;
  swept: Swept[];
  /** Keys of this tool that are not remembered here. */
  unknown: { prefix: string; keys: number }[];
}>;

/** How an agent, and whoever asks for agents, reaches the control Redis. */
export type QueueOptions = Partial<
  Pick<Settings, 'queueToken' | 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsInsecure'>
> & {
  /** Its URL. */
  queue: string;
};

/**
 * Brings load for benchmarks that other machines command, one at a time, until `signal` ends it. Needs `bullmq`.
 * @throws {UsageError | ServerError}
 */
export function agent(
  options: QueueOptions & {
    name: string;
    /** What it may do: URLs of servers, `any-target`, `plugins`, `releases`, `node-bin`. */
    allow?: string[];
  },
  hooks?: {
    signal?: AbortSignal;
    /** Where its own credentials for servers are: REDIS_USERNAME and REDIS_PASSWORD. */
    env?: NodeJS.ProcessEnv;
    /** Where the URL came from, for error messages: `--queue` by default. */
    queueOrigin?: string;
    /** Told what it has, what it waits for and what it does. */
    onStatus?: (text: string) => void;
  },
): Promise<void>;

/** The agents that wait at a control Redis or work, those that left a queue and do not answer, and those that refuse. */
export function listAgents(
  options: QueueOptions,
  hooks?: { queueOrigin?: string },
): Promise<{ control: string; agents: Hello[]; silent: string[]; refusing: Refusing[] }>;

/** Removes from a control Redis what dead agents and benchmarks left there. */
export function cleanAgents(
  options: QueueOptions,
  hooks?: { queueOrigin?: string },
): Promise<{ control: string; removed: string[]; silent: string[]; skipped: Refusing[] }>;

/**
 * Records the traffic between a service and its server as a profile: shapes, never contents. The service connects to
 * where this listens, until `signal` ends it or its time is over.
 * @throws {UsageError | ServerError} when it cannot begin
 */
export function record(
  options: RecordOptions,
  hooks?: { signal?: AbortSignal; onEvent?: (event: RecordEvent) => void; urlOrigin?: string },
): Promise<Recorded>;

/** What a recorded profile holds. @throws {UsageError} for a file that is not a profile */
export function describeProfile(file: string): Promise<TrafficSummary>;

/** The releases of clients that were installed to be measured, and the folder where they are kept. */
export function cachedReleases(): Promise<{ folder: string; releases: CachedRelease[] }>;

/** Removes those releases. @throws {UsageError} when they cannot be removed */
export function clearReleases(): Promise<{ folder: string; releases: CachedRelease[] }>;

/** Loads every plugin, and says which client packages are installed. */
export function loadCatalogue(folders?: PluginFolders): Promise<Catalogue>;

/**
 * The folders with the user's own files that options name by their paths, such as `clients: './our-redis.js'`; a
 * benchmark finds them by itself.
 * @throws {UsageError} where there is no such file
 */
export function findPluginFiles(
  options: Record<string, unknown>,
  folders?: PluginFolders,
): Promise<PluginFolders>;

/** A kind of plugin that a user may write as a single file. */
export type OwnKind = 'client' | 'scenario' | 'workload' | 'pipelining' | 'way';

/** `tells`: the members that only this kind has. `besides`: what it is measured with, as on the command line. */
export const OWN_KINDS: Record<
  OwnKind,
  { name: OwnKind; kind: PluginKind; noun: string; tells: string[]; besides: string }
>;

/**
 * Writes a working start of a plugin of the user's own.
 * @throws {UsageError} where the file is there already, or cannot be written
 */
export function initPlugin(kind: OwnKind, file: string): Promise<void>;

/**
 * Runs the contract tests over a plugin of the user's own, against a server of the tool's.
 * @throws {UsageError} where the file cannot be loaded, or is no plugin
 */
export function checkPlugin(
  file: string,
  hooks?: { signal?: AbortSignal },
): Promise<{ kind: OwnKind; id: string; client: string; checks: ContractResult[] }>;

/** Every option of a benchmark, those that plugins bring included. */
export function loadOptions(folders?: PluginFolders): Promise<OptionTable>;

/**
 * Compares two results, cell by cell.
 * @throws {UsageError} when they have nothing in common, or the metric is unknown
 */
export function compareReports(
  base: Report,
  next: Report,
  options?: { metric?: string },
): Promise<ReportComparison>;

/**
 * The saved results of a folder as series, and where their figures changed for good.
 * @throws {UsageError} when the folder has no results, or a metric cannot be followed
 */
export function trend(
  folder: string,
  options?: {
    /** Ids of metrics; by default instructions, client CPU, operations per second, p99 and allocated bytes. */
    metrics?: string[];
    /** By default that of releases, or commits, where cells name any, else that of time. */
    order?: SeriesOrder;
  },
): Promise<SeriesTrend & { names: Record<string, string>; sentences: string[]; notes: string[] }>;

/**
 * What an operation of one cell costs more than one of another, by the code that it is spent in; with the kind
 * `server`, what a command costs the server's main thread. Cells are named as in assertions.
 * @throws {UsageError} when a cell is unknown, or was not profiled
 */
export function explainDifference(
  report: Report,
  cell: string,
  than: string,
  options?: { kind?: CostKind },
): Promise<{ difference: CodeDifference; costs: [CodeCosts, CodeCosts] }>;

/**
 * The cells that became worse by at least this percentage; `certain` are those that the statistics carry. `disturbed`
 * ones are not judged: other programs kept them waiting for CPU.
 */
export function findRegressions(
  comparison: ReportComparison,
  percent: number,
): Promise<{
  certain: (ComparedCell & { worseBy: number })[];
  unsure: (ComparedCell & { worseBy: number })[];
  disturbed: ComparedCell[];
}>;

/** Renders a report in parts, which need not be in memory all at once. They can be iterated over again. */
export function renderParts(
  report: Report,
  format: string,
  view?: Partial<View>,
  sources?: { pluginFolders?: PluginFolders },
): Promise<Iterable<string>>;

/** Renders a report in a format such as `table`, `lines` or `json`. */
export function renderReport(
  report: Report,
  format: string,
  view?: Partial<View>,
  sources?: { pluginFolders?: PluginFolders },
): Promise<string>;

/**
 * Reads a saved result, or a report that was written with `--format json`.
 * @throws {UsageError} for a file that is not a result, or of an unknown version
 */
export function readReport(file: string): Promise<Report>;

/**
 * A file for the lines of a result, each written as soon as it is known; only the last line can be torn.
 * `onFailure` is called once, when nothing more can be written.
 */
export function createStore(
  file: string,
  options: { replace: boolean; onFailure: (message: string) => void },
): Promise<{ append: (line: ResultLine) => void }>;

/** The results that were saved in a folder, the newest first. */
export function listSaved(folder: string): Promise<SavedResult[]>;

export function savedFiles(folder: string): Promise<string[]>;

/**
 * Pages of the saved results in a folder, which need no other file: HTML by the name of the file to write.
 * @throws {UsageError} where the folder has none
 */
export function site(folder: string): Promise<Record<string, string>>;

/** Where results are kept unless the user says otherwise; null for a user without a home. */
export function stateFolder(system: {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}): string | null;

/** The same for the user who runs this process. */
export function userStateFolder(env?: NodeJS.ProcessEnv): string | null;

/** A name for a new result there, which sorts by time. */
export function resultName(startedAt: Date, pid: number): string;

/** The report with other assertions, decided by its figures. @throws {UsageError} */
export function withAssertions(
  report: Report,
  settings: Pick<Settings, 'assert' | 'assertStrict'>,
): Promise<Report>;

/**
 * The options of a benchmark that no plugin brings, and those of a calibration, with flag, help and default;
 * `loadOptions()` has all.
 */
export const OPTIONS: Record<keyof Settings, OptionSpec>;

export const CALIBRATE_OPTIONS: Record<keyof CalibrateSettings, OptionSpec>;

export const RECORD_OPTIONS: Record<keyof RecordSettings, OptionSpec>;

/** Reads the value of one option. @throws {UsageError} that names the option */
export function readOption(option: OptionSpec, value: unknown): any;

/** The options with the server that REDIS_URL names, where none of them names one, and where its URL came from. */
export function withEnvironment(
  given: Record<string, any>,
  env: NodeJS.ProcessEnv,
): { options: Record<string, any>; urlOrigin?: string };

/** Resolves to the name if it is known. @throws {UsageError} with the nearest known name */
export function knownName(what: string, name: string, known: Iterable<string>): Promise<string>;

/** The figures of runs and cells, which assertions and comparisons can name. */
export const METRICS: Metric[];

/** The ids of all plugins of a kind, without loading them. */
export function pluginIds(kind: PluginKind, folders?: PluginFolders): string[];

/** This tool's name and version. */
export function describeTool(): { name: string; version: string };

/** The text of any error, on one line. */
export function messageOf(error: unknown): string;

export class BenchError extends Error {
  exitCode: number;
}

export class UsageError extends BenchError {}

export class ServerError extends BenchError {}

export class RunError extends BenchError {}

export const EXIT: Readonly<
  Record<'done' | 'bug' | 'usage' | 'server' | 'run' | 'assertion' | 'interrupted', number>
>;
