/// <reference types="node" />

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
import type { Report, ResultLine, SavedResult } from './results/types.js';
import type { Swept } from './runner/types.js';
import type { SeriesOrder, SeriesTrend } from './series/types.js';
import type { Target } from './server/types.js';
import type { TrafficSummary } from './traffic/types.js';
import type { ProfileKind } from './worker/types.js';

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

/** Add your own: `declare module 'redis-pipe-bench' { interface PluginOptions { twinPairs: number[] } }`. */
export interface PluginOptions {
  pool: ('generic' | 'native')[];
  poolSize: number[];
  connections: number[];
  allowPartial: boolean;
}

export interface BenchmarkHooks {
  /** Ends the benchmark early: the report then holds what was measured and is marked partial. */
  signal?: AbortSignal;
  onEvent?: (event: BenchmarkEvent) => void;
  /** Called as lines of the result become known, never during a timed run. A store here survives a killed process. */
  onLine?: (line: ResultLine) => void;
  /** Where the URL came from, for error messages: `--url` by default. */
  urlOrigin?: string;
  /** Remembers which keys are on an external server; null for no folder. */
  stateFolder?: string | null;
  pluginFolders?: PluginFolders;
  /** Start of `budgetMs`, in ms since 1970; the time of the call by default. */
  startedAtMs?: number;
}

/**
 * Runs a benchmark. Options are those of the command line, as text or as values.
 * @throws {UsageError} when an option or a combination is wrong, before anything is started
 * @throws {ServerError} when no server is found, started or reached
 */
export function benchmark(options?: BenchmarkOptions, hooks?: BenchmarkHooks): Promise<Report>;

/** How fast one Node process drives the server without a client. @throws {UsageError | ServerError | RunError} */
export function calibrate(
  options?: Written<CalibrateSettings>,
  hooks?: Pick<BenchmarkHooks, 'signal' | 'urlOrigin' | 'stateFolder'> & {
    onShape?: (shape: Shape, done: number, total: number) => void;
  },
): Promise<Calibration>;

/** Checks, in a few seconds, the machine and the server for what would spoil a benchmark. */
export function doctor(
  options?: Pick<BenchmarkOptions, keyof ReachSettings | 'serverBin'>,
  hooks?: Pick<BenchmarkHooks, 'urlOrigin'>,
): Promise<Check[]>;

/** Finds the release of a client that changed a figure, by bisection. @throws {UsageError | ServerError | RunError} */
export function bisect(
  options: Omit<BenchmarkOptions, 'clients' | 'suite'> & {
    /** `redis`, or with a variant: `redis:tuned`. */
    client: string;
    from: string;
    to: string;
    /** `cpuUsPerOp` by default. */
    metric?: string;
    /** Returns the list of releases and measures nothing. */
    dryRun?: boolean;
  },
  hooks?: Pick<BenchmarkHooks, 'signal' | 'onEvent' | 'urlOrigin' | 'pluginFolders'> & {
    onStep?: (soFar: Bisection) => void;
  },
): Promise<Bisection>;

/**
 * Measures the newest release of each client minor together with `raw`, unless the folder already has its result. Each
 * result is saved at once, so an interruption loses none. @throws {UsageError | ServerError | RunError}
 */
export function releases(
  options: Omit<BenchmarkOptions, 'suite'> & {
    folder: string;
    /** Minors per client, from the newest back; 12 by default. */
    newest?: number;
    /** Measures nothing and reports which results are missing. */
    dryRun?: boolean;
  },
  hooks?: Pick<BenchmarkHooks, 'signal' | 'onEvent' | 'urlOrigin' | 'pluginFolders'> & {
    onRelease?: (release: MeasuredRelease) => void;
  },
): Promise<MeasuredRelease[]>;

/** Removes the keys of killed benchmarks that this user's state folder lists. @throws {UsageError | ServerError} */
export function clean(
  options?: Pick<BenchmarkOptions, keyof ReachSettings> & {
    /** Prefix of keys to remove that the state folder does not list: `rpb:1a2b`. */
    prefix?: string;
  },
  hooks?: Pick<BenchmarkHooks, 'urlOrigin' | 'stateFolder'>,
): Promise<{
  server: string;
  swept: Swept[];
  /** Keys of this tool that the state folder does not list. */
  unknown: { prefix: string; keys: number }[];
}>;

export type QueueOptions = Partial<
  Pick<Settings, 'queueToken' | 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsInsecure'>
> & {
  queue: string;
};

/** Generates load for other machines' benchmarks, one at a time. Needs `bullmq`. @throws {UsageError | ServerError} */
export function agent(
  options: QueueOptions & {
    name: string;
    /** Permissions: URLs of servers, `any-target`, `plugins`, `releases`, `node-bin`, `scripts`. */
    allow?: string[];
  },
  hooks?: {
    signal?: AbortSignal;
    /** Has its own credentials for servers: REDIS_USERNAME and REDIS_PASSWORD. */
    env?: NodeJS.ProcessEnv;
    /** Where the URL came from, for error messages: `--queue` by default. */
    queueOrigin?: string;
    onStatus?: (text: string) => void;
    /** Whoever started it, and so may name servers with all that they need. */
    owner?: (onTarget: (target: Target) => void) => void;
  },
): Promise<void>;

/** Lists the agents of a control Redis. `silent`: queues whose agent does not reply; `refusing`: agents that refuse. */
export function listAgents(
  options: QueueOptions,
  hooks?: { queueOrigin?: string },
): Promise<{ control: string; agents: Hello[]; silent: string[]; refusing: Refusing[] }>;

/** Removes what dead agents and benchmarks left on a control Redis. */
export function cleanAgents(
  options: QueueOptions,
  hooks?: { queueOrigin?: string },
): Promise<{ control: string; removed: string[]; silent: string[]; skipped: Refusing[] }>;

/**
 * Records the traffic of a service as a profile: shapes, never contents. The service connects to this proxy, which
 * listens until `signal` aborts or its time is up. @throws {UsageError | ServerError} when it cannot start
 */
export function record(
  options: RecordOptions,
  hooks?: { signal?: AbortSignal; onEvent?: (event: RecordEvent) => void; urlOrigin?: string },
): Promise<Recorded>;

/** Summarizes a recorded profile. @throws {UsageError} for a file that is not a profile */
export function describeProfile(file: string): Promise<TrafficSummary>;

/** The client releases that were installed for measurements, and their folder. */
export function cachedReleases(): Promise<{ folder: string; releases: CachedRelease[] }>;

/** Removes those releases. @throws {UsageError} when they cannot be removed */
export function clearReleases(): Promise<{ folder: string; releases: CachedRelease[] }>;

/** Loads every plugin and reports which client packages are installed. */
export function loadCatalogue(folders?: PluginFolders): Promise<Catalogue>;

/** The folders of files that options name, as in `clients: './our-redis.js'`. @throws {UsageError} if one is missing */
export function findPluginFiles(
  options: Record<string, unknown>,
  folders?: PluginFolders,
): Promise<PluginFolders>;

export type OwnKind = 'client' | 'scenario' | 'workload' | 'pipelining' | 'way';

/** `tells`: members that only this kind has. `besides`: command-line options that a measurement of it needs. */
export const OWN_KINDS: Record<
  OwnKind,
  { name: OwnKind; kind: PluginKind; noun: string; tells: string[]; besides: string }
>;

/** Writes a working plugin to start from. @throws {UsageError} if the file exists or cannot be written */
export function initPlugin(kind: OwnKind, file: string): Promise<void>;

/** Runs the contract tests for a user's plugin. @throws {UsageError} if the file is not a plugin that can be loaded */
export function checkPlugin(
  file: string,
  hooks?: { signal?: AbortSignal },
): Promise<{ kind: OwnKind; id: string; client: string; checks: ContractResult[] }>;

export function loadOptions(folders?: PluginFolders): Promise<OptionTable>;

/** Compares two results by cell. @throws {UsageError} if they share no cell, or the metric is unknown */
export function compareReports(
  base: Report,
  next: Report,
  options?: { metric?: string },
): Promise<ReportComparison>;

/** Saved results as series, and where figures changed for good. @throws {UsageError} without results to follow */
export function trend(
  folder: string,
  options?: {
    /** Ids; by default those of client CPU, operations per second, p99 and allocated bytes. */
    metrics?: string[];
    /** By default by release or commit if cells name any, else by time. */
    order?: SeriesOrder;
  },
): Promise<SeriesTrend & { names: Record<string, string>; sentences: string[]; notes: string[] }>;

/**
 * Attributes a difference in cost per operation to code. Cells are named as in assertions.
 * @throws {UsageError} if a cell is unknown or was not profiled
 */
export function explainDifference(
  report: Report,
  cell: string,
  than: string,
  options?: { kind?: ProfileKind },
): Promise<{ difference: CodeDifference; costs: [CodeCosts, CodeCosts] }>;

/** Cells worse by `percent` or more. `certain`: significant; `disturbed`: not judged, as they waited for CPU. */
export function findRegressions(
  comparison: ReportComparison,
  percent: number,
): Promise<{
  certain: (ComparedCell & { worseBy: number })[];
  unsure: (ComparedCell & { worseBy: number })[];
  disturbed: ComparedCell[];
  /** The CPU limit that made them wait, in CPUs. */
  limitedTo: number | null;
}>;

/** Renders a report in parts, to save memory. The result can be iterated again. */
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

/** Reads a saved result, or a report of `--format json`. @throws {UsageError} if it cannot be read as one */
export function readReport(file: string): Promise<Report>;

/** Appends lines to a result file; a crash can tear only the last. Writing stops after `onFailure`, called once. */
export function createStore(
  file: string,
  options: { replace: boolean; onFailure: (message: string) => void },
): Promise<{ append: (line: ResultLine) => void }>;

/** The saved results in a folder, newest first. */
export function listSaved(folder: string): Promise<SavedResult[]>;

export function savedFiles(folder: string): Promise<string[]>;

/** The default folder for results; null for a user without a home folder. */
export function stateFolder(system: {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}): string | null;

export function userStateFolder(env?: NodeJS.ProcessEnv): string | null;

/** A file name for a new result, which sorts by time. */
export function resultName(startedAt: Date, pid: number): string;

/** Evaluates other assertions on a report. @throws {UsageError} */
export function withAssertions(
  report: Report,
  settings: Pick<Settings, 'assert' | 'assertStrict'>,
): Promise<Report>;

/** The options of a benchmark except those of plugins, which `loadOptions()` includes. */
export const OPTIONS: Record<keyof Settings, OptionSpec>;

export const CALIBRATE_OPTIONS: Record<keyof CalibrateSettings, OptionSpec>;

export const RECORD_OPTIONS: Record<keyof RecordSettings, OptionSpec>;

/** Parses the value of an option. @throws {UsageError} that names the option */
export function readOption(option: OptionSpec, value: unknown): any;

/** Adds the server of REDIS_URL to options that name none, and reports where the URL came from. */
export function withEnvironment(
  given: Record<string, any>,
  env: NodeJS.ProcessEnv,
): { options: Record<string, any>; urlOrigin?: string };

/** Resolves to the name if it is known. @throws {UsageError} with the nearest known name */
export function knownName(what: string, name: string, known: Iterable<string>): Promise<string>;

/** The figures that assertions and comparisons can name. */
export const METRICS: Metric[];

/** The ids of all plugins of a kind, without loading them. */
export function pluginIds(kind: PluginKind, folders?: PluginFolders): string[];

export function describeTool(): { name: string; version: string };

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
