/** Every type that flows between folders, and the types of the public API. */

// ── Public API ──────────────────────────────────────────────────────────────────────────────────

/**
 * Runs a benchmark: each option as on the command line, as text or as a value.
 *
 * @throws {UsageError} when an option or a combination is wrong, before anything is started
 * @throws {ServerError} when no server is found, started or reached
 */
export function benchmark(
  options?: BenchmarkOptions,
  hooks?: {
    /** Ends the benchmark early: the report then holds what was measured and is marked partial. */
    signal?: AbortSignal;
    /** Told of everything that happens, as it happens. */
    onEvent?: (event: BenchmarkEvent) => void;
    /**
     * Told of each line of the result, as soon as it is known and never while a run is timed; a store
     * that is handed in here keeps what was measured even if this process is killed.
     */
    onLine?: (line: ResultLine) => void;
    /** Where the URL came from, for error messages: `--url` unless told otherwise. */
    urlOrigin?: string;
  },
): Promise<Report>;

/**
 * Measures how fast one Node process can drive the server, without a client: the ceiling.
 *
 * @throws {UsageError | ServerError | RunError}
 */
export function calibrate(
  options?: { [Name in keyof CalibrateSettings]?: CalibrateSettings[Name] | string | number },
  hooks?: {
    signal?: AbortSignal;
    onShape?: (shape: Shape, done: number, total: number) => void;
    urlOrigin?: string;
  },
): Promise<Calibration>;

/** Looks at everything around a benchmark that makes its figures good or bad, in a few seconds. */
export function doctor(
  options?: Pick<
    BenchmarkOptions,
    'url' | 'socket' | 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsInsecure' | 'serverBin'
  >,
  hooks?: {
    /** Where the URL came from, for error messages: `--url` unless told otherwise. */
    urlOrigin?: string;
  },
): Promise<Finding[]>;

/**
 * Looks for the release of a client with which a figure changed: measures the ends, and halves the list
 * of releases between them until the step is found.
 *
 * @throws {UsageError | ServerError | RunError}
 */
export function bisect(
  options: Omit<BenchmarkOptions, 'clients' | 'suite'> & {
    /** `redis`, or with a variant: `redis:tuned`. */
    client: string;
    from: string;
    to: string;
    /** `cpuUsPerOp` unless told otherwise. */
    metric?: string;
    /** Whether to return the list of releases and measure nothing. */
    dryRun?: boolean;
  },
  hooks?: {
    signal?: AbortSignal;
    onEvent?: (event: BenchmarkEvent) => void;
    /** Told of each answer, with all that is known then. */
    onStep?: (soFar: Bisection) => void;
    urlOrigin?: string;
  },
): Promise<Bisection>;

/** The releases of clients that were installed to be measured, and the folder where they are kept. */
export function cachedReleases(): Promise<{ folder: string; releases: CachedRelease[] }>;

/**
 * Removes them.
 *
 * @throws {UsageError} when they cannot be removed
 */
export function clearReleases(): Promise<{ folder: string; releases: CachedRelease[] }>;

/** Loads every plugin, and says which client packages are installed. */
export function loadCatalogue(): Promise<Catalogue>;

/**
 * Holds two results against each other, cell by cell.
 *
 * @throws {UsageError} when they have nothing in common, or the metric is unknown
 */
export function compareReports(
  base: Report,
  next: Report,
  options?: { metric?: string },
): Promise<ReportComparison>;

/** The cells that became worse by at least so many percent, `certain` being those that the statistics carry. */
export function findRegressions(
  comparison: ReportComparison,
  percent: number,
): Promise<Record<'certain' | 'unsure', (ComparedCell & { worseBy: number })[]>>;

/** Renders a report in a format such as `table`, `lines` or `json`. */
export function renderReport(report: Report, format: string, view?: Partial<View>): Promise<string>;

/**
 * Reads a saved result, or a report that was written with `--format json`.
 *
 * @throws {UsageError} for a file that is none, or of a version that is not known
 */
export function readReport(file: string): Promise<Report>;

/**
 * A file for the lines of a result, written as they come to be; a torn line is always its last.
 * `onFailure` is told once, when nothing more can be written.
 */
export function createStore(
  file: string,
  options: { replace: boolean; onFailure: (message: string) => void },
): Promise<{ append: (line: ResultLine) => void }>;

/** The results that were saved in a folder, the newest first. */
export function listSaved(folder: string): Promise<SavedResult[]>;
export function savedFiles(folder: string): Promise<string[]>;

/** Where results are kept unless the user says otherwise; null for a user without a place of his own. */
export function stateFolder(system: {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}): string | null;

/** A name for a new result there, which sorts by time. */
export function resultName(startedAt: Date, pid: number): string;

/**
 * The report with other assertions, decided by its figures.
 *
 * @throws {UsageError}
 */
export function withAssertions(
  report: Report,
  settings: Pick<Settings, 'assert' | 'assertStrict'>,
): Promise<Report>;

/** Every option of a benchmark, and of a calibration, with its flag, help and default. */
export const OPTIONS: Record<keyof Settings, OptionSpec>;
export const CALIBRATE_OPTIONS: Record<keyof CalibrateSettings, OptionSpec>;

/**
 * Reads the value of one option.
 *
 * @throws {UsageError} that names the option
 */
export function readOption(option: OptionSpec, value: unknown): any;

/**
 * Resolves to the name if it is known.
 *
 * @throws {UsageError} with the nearest known name
 */
export function knownName(what: string, name: string, known: Iterable<string>): Promise<string>;

/** The ids of all plugins of a kind, without loading them. */
export function pluginIds(kind: PluginKind): string[];

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

export type BenchmarkOptions = {
  /** The name of a suite, a file that holds one, or the suite itself. */
  suite?: string | Partial<SuitePlugin>;
} & {
  [Name in keyof Settings]?: Settings[Name] | string | number;
};

export type BenchmarkEvent =
  | { type: 'install'; release: string; folder: string }
  | { type: 'plan'; plan: Plan; settings: Settings; server: ServerFacts }
  | { type: 'group'; index: number; cells: Cell[] }
  | { type: 'run'; cell: Cell; round: number }
  | { type: 'run-end'; cell: Cell; round: number; run: Run }
  | { type: 'second'; cell: Cell; second: Second }
  | { type: 'round-end'; round: number }
  | { type: 'step'; cell: Cell; held: boolean; runs: Run[] }
  | { type: 'note'; cell: Cell; message: string }
  | { type: 'stall'; cell: Cell; stalledMs: number }
  | { type: 'failure'; cell: Cell; message: string };

/** What the command line touches of the world, handed to it by bin/. */
export interface World {
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /** For signals. */
  process: NodeJS.EventEmitter;
}

export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

// ── Plugins ─────────────────────────────────────────────────────────────────────────────────────

export type PluginKind = keyof Plugins;

export interface Plugins {
  clients: ClientPlugin;
  scenarios: ScenarioPlugin;
  pipelining: PipeliningPlugin;
  workloads: WorkloadPlugin;
  suites: SuitePlugin;
  reporters: ReporterPlugin;
}

export interface ClientPlugin {
  id: string;
  title: string;
  /** The npm package that is measured; null for what this tool has itself. */
  package: string | null;
  /** The releases of the package that the adapter speaks, as a range; all where it is missing. */
  releases?: string;
  /** Named sets of the client's own options; `default` is the client as a user gets it. */
  variants: Record<string, Record<string, any>>;
  /** The names of the options that it knows, for --config. */
  options?: string[];
  capabilities: Set<string>;
  /** Variants and capabilities that older releases lack, by the first release that has them. */
  since?: Record<string, string>;
  /** The options that switch on a capability which is off by default. */
  switches?: Record<string, Record<string, any>>;
  /** Why it lacks a capability, where that is not plain: "no prompt-close: …". */
  lacks?: Record<string, string>;
  /** Whether it opens a lost connection again, which cannot be forbidden; the server's counters tell. */
  reconnects?: boolean;
  /** Whether this is what the others are held against, and no client for applications. */
  floor?: boolean;
  /**
   * Connects and is ready: the next command is answered. Never reconnects: a lost connection is an
   * error (unless the client `reconnects`).
   */
  connect(target: Target, options: Record<string, any>, library: any): Promise<Connection>;
  /**
   * The client's own pool, full from the start; with capability `native-pool`. Each connection goes
   * through `adopt` once, which returns the one to lend.
   */
  connectPool?(
    target: Target,
    options: Record<string, any>,
    library: any,
    pool: { size: number; adopt(connection: Connection): Connection },
  ): Promise<ConnectionPool>;
}

/** What can be sent on a connection or put into a batch. */
export interface Commands {
  get(key: string): unknown;
  set(key: string, value: string): unknown;
  hset(key: string, field: string, value: string): unknown;
  exists(key: string): unknown;
  del(key: string): unknown;
  command(args: [string, ...string[]]): unknown;
}

/** Commands that go out together; what its methods return is of no use. */
export interface Batch extends Commands {
  /** Sends them; as `Connection.pipeline`. */
  exec(): Promise<unknown[]>;
}
/** Lends its connections, one to each use. */
export type ConnectionPool = Pick<Required<Lease>, 'borrow' | 'close'>;

/** A connection, the same for every client. Replies are the client's own for strings and numbers. */
export interface Connection extends Commands {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<unknown>;
  hset(key: string, field: string, value: string): Promise<number>;
  exists(key: string): Promise<number>;
  del(key: string): Promise<number>;
  ping(): Promise<string>;
  /** Any other command. */
  command(args: [string, ...string[]]): Promise<unknown>;
  /**
   * Sends the commands together and resolves to their replies in order. An error reply stands as an
   * Error in its place, or rejects the whole where the client does not tell the others (node-redis).
   */
  pipeline(commands: [string, ...string[]][]): Promise<unknown[]>;
  /** The client's own batch, filled by method calls as a user would; otherwise one is made of `pipeline`. */
  batch?(): Batch;
  /** Waits for what is in flight, then closes. */
  close(): Promise<void>;
  /** Closes at once. */
  destroy(): void;
  /** The options that the client really uses, defaults included. */
  readonly effectiveOptions: unknown;
}

export interface ScenarioContext {
  connect: () => Promise<Connection>;
  /** So many at once; none of them is missing. */
  connectMany(count: number): Promise<Connection[]>;
  /** The client's own pool of so many connections, all of them open. */
  connectPool(size: number): Promise<ConnectionPool>;
  tasks: number;
  options: ScenarioOptions;
}

/** The axes that only some scenarios have. A cell's options are those of its own scenario, no others. */
export interface ScenarioOptions {
  pool: PoolKind;
  poolSize: number;
  /** Connections that tasks share. */
  connections: number;
  /** Commands under way at most. */
  maxInFlight: number;
}

export interface ScenarioPlugin {
  id: string;
  title: string;
  summary: string;
  /** The options that it multiplies its cells by, with what they are unless the user says. */
  axes?: { [Name in keyof ScenarioOptions]?: ScenarioOptions[Name][] };
  /** Capabilities that the client must have. */
  requires?(options: ScenarioOptions, topology: Topology): string[];
  /** How many connections are open at once. */
  connections(tasks: number, options: ScenarioOptions): number;
  /** Whether connections are opened while the clock runs. */
  opensDuringRun?: boolean;
  open(context: ScenarioContext): Promise<Lease>;
}

/** A scenario's connections for one run: either held by each task for all of it, or borrowed for each iteration. */
export interface Lease {
  forTask?(index: number): Connection;
  borrow?<T>(use: (connection: Connection) => Promise<T>): PromiseLike<T>;
  close(): Promise<void>;
}

export interface PipeliningPlugin {
  id: string;
  title: string;
  summary: string;
  /** How it is written with its argument, which follows a colon. */
  syntax?: string;
  requires?: string[];
  /** Reads the argument; throws an Error that says what was expected. */
  parse?(argument: string | undefined): any;
  /** How many iterations a task sends together, where it does. */
  batchSize?(parameter: any): number;
  /** A connection that holds commands back, joins them …; without it they go onto the connection itself. */
  wrap?(connection: Connection, parameter: any, meter: BatchMeter): Connection;
}

/** Is told of each batch that goes out: its commands, how long it was held back, and what of that was idle. */
export interface BatchMeter {
  sent(commands: number, heldMs?: number, waitedMs?: number): void;
}

/** The batches of one run. */
export interface Batches {
  batches: number;
  commands: number;
  largest: number;
  /** Added up over all batches: from the first command to the sending. */
  heldMs: number;
  longestHeldMs: number;
  /** Time that the event loop spent on nothing but waiting for a batch's time to come. */
  waitedMs: number;
}

export interface WorkloadPlugin {
  id: string;
  title: string;
  summary: string;
  /** How it is written with its argument, which follows a colon. */
  syntax?: string;
  /** Reads the argument; throws an Error that says what was expected. */
  parse?(argument: string | undefined, options: { prepare: string | undefined }): any;
  /** What is sent for each item before the first run. */
  prepare?(parameter: any): Step[];
  /** Whether what it stored is removed before each run. */
  startsEmpty?: boolean;
  /** How many processes it takes, where they do different things at the same time: their roles. */
  processes?(parameter: any): number;
  /** What it is called in titles and sentences, where that is not how it is written. */
  titleOf?(parameter: any): string;
  /**
   * What one iteration after the other does, over and over: its commands, each awaited before the next.
   * `role` counts from 0, the first where it is missing.
   */
  cycle(parameter: any, role?: number): Step[][];
}

export interface Step {
  /** The Redis command in lower case, as the server counts it. */
  command: string;
  send(commands: Commands, item: Item): unknown;
  /** Whether the reply is what it must be. */
  accept(reply: unknown, item: Item): boolean;
  /** Where it asks something: how many of the replies since the last call said yes and how many no. */
  takeAnswers?(): Answers;
}

/** How many replies to EXISTS were 1 and how many 0. */
export interface Answers {
  true: number;
  false: number;
}

export interface Item {
  key: string;
  /** The hash in which it is a field, for commands on hashes. */
  hash: string;
  value: string;
}

export interface Items {
  /** The item of the next operation. */
  next(): Item;
  /** Has all items come again in the order that they came in from the start. */
  restart(): void;
  all(): Item[];
  /** Every key that may have been written. */
  keys(): string[];
}

export interface Cycle {
  /** The steps of the next iteration. */
  next(): Step[];
  position(): number;
  commandsIn(from: number, count: number): Record<string, number>;
}

/** What goes wrong in a run is told to it. */
export interface Tally {
  wrong(step: Step, reply: unknown): void;
  /** @param operations how many failed with it */
  error(error: unknown, operations?: number): void;
  counts(): Pick<Measured, 'wrongReplies' | 'firstWrongReply' | 'errors'>;
}

/** A pipelining mode or workload that was chosen, with what its argument means. */
export interface Chosen {
  id: string;
  /** As its plugin's parse() returned it: plain JSON. */
  parameter: any;
  /** What it is called in titles and sentences, where that is not how it is written. */
  title?: string;
}

export interface SuitePlugin {
  id: string;
  title: string;
  summary: string;
  /** The reporter that prints it as its origin did, unless another is asked for. */
  format?: string;
  options: Partial<Record<keyof Settings, unknown>>;
  /** Over those, with --full: the origin's own size where that takes very long. */
  full?: Partial<Record<keyof Settings, unknown>>;
  /** What must hold of its results. */
  assertions?: string[];
}

export interface ReporterPlugin {
  id: string;
  summary: string;
  /** Ends with a line feed. Only the report and the view decide what it is. */
  render(report: Report, view: View): string | Promise<string>;
}

export interface View {
  color: boolean;
  /** Columns to lay out for. */
  width: number;
  /** Whether to draw the runs and the latencies with characters below the figures. */
  plot: boolean;
  /** Whether the terminal shows more than ASCII. */
  unicode: boolean;
}

export interface Catalogue {
  clients: Map<string, ClientPlugin>;
  scenarios: Map<string, ScenarioPlugin>;
  pipelining: Map<string, PipeliningPlugin>;
  workloads: Map<string, WorkloadPlugin>;
  suites: Map<string, SuitePlugin>;
  reporters: Map<string, ReporterPlugin>;
  /** Versions of the installed client packages by name. */
  packages: Record<string, string>;
}

// ── Options and plan ────────────────────────────────────────────────────────────────────────────

export interface OptionSpec {
  flag: string;
  kind: (value: unknown) => any;
  default: any;
  help: string;
  /** The plugins that it chooses from. */
  plugins?: PluginKind;
  /** Whether it may be given several times. */
  repeatable?: boolean;
}

export type Pin = 'apart' | 'same' | 'off';
export type Transport = 'tcp' | 'unix' | 'tls';
export type Topology = 'standalone' | 'cluster';
export type ValueKind = 'text' | 'json';
export type KeyDistribution = 'uniform' | 'zipf' | 'sequential';
/** The lengths of the shortest and of the longest. */
export type SizeRange = [shortest: number, longest: number];
/** Operations a second. */
export type RateRange = [low: number, high: number];
/** How the operations of an open loop follow each other: evenly, or at random as independent users would. */
export type Arrivals = 'even' | 'poisson';
/** What becomes of an operation that is due while too many are under way. */
export type WhenFull = 'wait' | 'drop' | 'fail';
export type PoolKind = 'generic' | 'native';

/** A count of iterations that follows from the size: floor(budget / (perOperation + perByte · size)). */
export interface CostModel {
  budget: number;
  perOperation: number;
  perByte: number;
}

export interface Settings {
  clients: string[];
  scenarios: string[];
  tasks: number[];
  size: number[];
  keySize: number[] | undefined;
  valueSize: SizeRange[] | undefined;
  /** How many keys; one unless values differ in length or a cluster's slots are to be covered. */
  keys: number | undefined;
  keyDistribution: KeyDistribution;
  workload: string[];
  /** The command of the `command` workload, and what is sent for each key before it. */
  command: string | undefined;
  prepare: string | undefined;
  value: ValueKind;
  pipelining: string[];
  transport: Transport[] | undefined;
  topology: Topology[];
  /** Masters of a managed cluster. */
  clusterNodes: number;
  /** Whether all keys of a cluster live on one node. */
  oneSlot: boolean;
  /** Axes of some scenarios, which have defaults of their own. */
  pool: PoolKind[] | undefined;
  poolSize: number[] | undefined;
  connections: number[] | undefined;
  maxInFlight: number[] | undefined;
  iterations: number | 'auto' | CostModel;
  runTimeMs: number;
  durationMs: number | undefined;
  /** Operations a second of all tasks and processes together; undefined for a closed loop. */
  rate: number[] | undefined;
  rateSearch: RateRange | undefined;
  sloMs: number | undefined;
  arrivals: Arrivals;
  whenFull: WhenFull;
  /** Keys and values of the operations under way, each at its longest. */
  maxInFlightBytes: number;
  /** Worker processes of a cell; of each role, where its workload has several. */
  processes: number[];
  /** A file with options for the clients, or what it would hold. */
  config: string | Record<string, unknown> | undefined;
  /** The longest that a run may take; undefined for what follows from its expected length. */
  runTimeoutMs: number | undefined;
  runs: number;
  /** How near to its median the interval of every cell must be, in percent. */
  untilStable: number | undefined;
  maxRuns: number;
  warmupRuns: number;
  seed: number;
  latency: 'on' | 'off';
  pin: Pin[];
  /** Paths of Node binaries. */
  nodeBin: string[] | undefined;
  /** Assertions, as text. */
  assert: string[];
  /** Whether they must hold for all that the intervals allow. */
  assertStrict: boolean;
  url: string | undefined;
  socket: string | undefined;
  /** A file of certificate authorities. */
  tlsCa: string | undefined;
  /** Files of a certificate to show to the server, and of its private key. */
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  tlsInsecure: boolean;
  serverBin: string | undefined;
  full: boolean;
  smoke: boolean;
}

export interface CalibrateSettings {
  connections: number[];
  depth: number[];
  transport: Transport[] | undefined;
  size: number;
  durationMs: number;
  runs: number;
  peers: boolean;
  poll: boolean;
  pin: Pin;
  url: string | undefined;
  socket: string | undefined;
  serverBin: string | undefined;
}

export interface Shape {
  transport: Transport;
  connections: number;
  /** Commands under way on each connection. */
  depth: number;
}

/** The ceiling of one shape: medians over the runs, latencies of all of them. */
export interface CeilingResult extends Shape {
  opsPerSecond: number;
  p50Us: number;
  p99Us: number;
  cpuUsPerOp: number;
  /** Share of the time that the server's main thread was busy; null where it does not tell. */
  serverBusy: number | null;
  /** Every reply byte was what it must be, and the server counted as many commands. */
  verified: boolean;
  /** Operations a second of the C programs. */
  peers: Record<string, number>;
}

export interface Calibration {
  server: ServerFacts;
  placement: Placement;
  size: number;
  poll: boolean;
  peers: string[];
  results: CeilingResult[];
}

export interface Finding {
  title: string;
  found: string;
  ok: boolean;
  /** What to do where it is not fine. */
  advice: string | null;
}

/** What the user means by one of --clients. */
export interface AskedClient {
  client: string;
  variant: string;
  /** A version, a range, a tag or `path:…`; null for the release that is installed with this tool. */
  wanted: string | null;
}

/** Where the package of a client comes from. */
export interface Release {
  package: string;
  version: string;
  /** Of a checkout or a tarball, as the user gave it. */
  path: string | null;
  /** The URL of the file that is imported; null for the package that comes with this tool. */
  entry: string | null;
  /** Of a git checkout. */
  commit: string | null;
}

/** A Node binary that workers run on. */
export interface Runtime {
  /** Its version; with its path, where two binaries have the same version. */
  name: string;
  version: string;
  v8: string;
  path: string;
}

/** What was found for the releases and the Node binaries that were asked for. */
export interface Sources {
  /** By what was asked for: `redis@5.8`. */
  releases?: Map<string, Release>;
  runtimes?: Runtime[];
}

/** What is kept of a client in the cache. */
export interface CachedRelease {
  /** `redis@5.8.3` */
  release: string;
  bytes: number;
}

/** One point of the matrix. */
export interface CellPoint {
  client: string;
  /** The release that was asked for: an exact version, or `path:…`; null where none was. */
  version: string | null;
  variant: string;
  /** From 1; more where the same client is measured against itself. */
  copy: number;
  /** The Node that its worker runs on; null for the tool's own. */
  node: string | null;
  scenario: string;
  scenarioOptions: ScenarioOptions;
  pipelining: string;
  workload: string;
  pin: Pin;
  transport: Transport;
  topology: Topology;
  keySize: number;
  /** Of the longest value; the shortest is as long unless a range was asked for. */
  valueSize: number;
  shortestValue: number;
  keys: number;
  tasks: number;
  /** Worker processes, each with all of the tasks. */
  processes: number;
  openLoop: OpenLoopPlan | null;
}

/** An open loop as it was asked for; null in a cell with a closed loop. */
export interface OpenLoopPlan {
  ratePerSecond: number;
  /** The rate is a step of a search between these; null where it was asked for. */
  search: RateRange | null;
  /** The rate is held only with a p99 latency, from the scheduled start, within this; null for any. */
  sloMs: number | null;
  arrivals: Arrivals;
  whenFull: WhenFull;
  /** Commands under way at most, in all processes together. */
  maxInFlight: number;
}

export interface Cell extends CellPoint {
  id: string;
  /** What the names of its pipelining mode and workload mean. */
  chosen: { pipelining: Chosen; workload: Chosen };
  /** The same for all cells that are compared with each other. */
  group: string;
  /** The package that it measures; null where the client has none, or it is not installed. */
  release: Release | null;
  /** The Node binary that was asked for. */
  runtime: Runtime | null;
  /** Whether its client is the floor that the others are held against. */
  floor: boolean;
  /** Why it cannot be run, if so. */
  skipped: string | null;
}

export interface Plan {
  cells: Cell[];
  /** The cells that will run, by group. */
  groups: Cell[][];
  /** Timed runs in all. */
  runs: number;
  /** About how long all of it takes; null where that cannot be known beforehand. */
  estimateMs: number | null;
}

/** How many connections there can be; null where that is not known. */
export interface Limits {
  /** That a process of this tool may have open, other files included. */
  files: number | null;
  /** That each server still takes, on each of its nodes. */
  servers: Partial<Record<Topology, { free: number | null; nodes: number }>>;
}

// ── Server ──────────────────────────────────────────────────────────────────────────────────────

/** Where a client connects to: plain JSON. */
export interface Target {
  transport: Transport;
  /** `standalone` where it is missing. */
  topology?: Topology;
  host?: string;
  port?: number;
  path?: string;
  username?: string;
  password?: string;
  database?: number;
  tls?: TlsOptions;
  /** The masters of a cluster, host and port being those of the first. */
  nodes?: NodeAddress[];
}

/** As Node's own tls.connect takes them. */
export interface TlsOptions {
  /** Certificates in PEM; the system's authorities where it is missing. */
  ca?: string;
  /** What the client shows of itself, in PEM. */
  cert?: string;
  key?: string;
  rejectUnauthorized: boolean;
  servername?: string;
}

export interface NodeAddress {
  host: string;
  port: number;
}

/** An authority of this invocation's own and a certificate that it has signed, in PEM. */
export interface Certificates {
  ca: string;
  cert: string;
  key: string;
}

export interface Control {
  ping(): Promise<unknown>;
  info(): Promise<InfoReply | null>;
  config(name: string): Promise<string | null>;
  set(key: string, value: string): Promise<unknown>;
  del(key: string): Promise<unknown>;
  removeKeys(prefix: string): Promise<void>;
  /** Any other command. */
  command(...args: string[]): Promise<unknown>;
  close(): void;
}

export interface ManagedProcess {
  targets: { tcp: Target; unix: Target; tls?: Target };
  control: Control;
  stop(): Promise<void>;
}

export interface ManagedCluster {
  /** One for each master, in the order of their slots. */
  nodes: ManagedProcess[];
  stop(): Promise<void>;
}

/** A standalone server or a whole cluster. */
export interface Server {
  kind: 'managed' | 'external';
  topology: Topology;
  /** Whether it surely runs on this machine. */
  isLocal: boolean;
  targets: Partial<Record<Transport, Target>>;
  /** To all nodes at once. */
  control: Control;
  /**
   * The counters of all nodes together; null where INFO is not allowed.
   *
   * @throws {ServerError} when it is not the server any more that was opened
   */
  snapshot(): Promise<Snapshot | null>;
  /**
   * Resolves when it still is there, the same as at the start.
   *
   * @throws {ServerError} otherwise
   */
  confirm(): Promise<void>;
  /** Of every node; null where INFO does not tell. */
  runIds: string[] | null;
  pids: number[];
  /** Connections that each of its nodes still takes; null where it does not tell. */
  freeConnections: number | null;
  facts: ServerFacts;
  warnings: string[];
  close(): Promise<void>;
}

export interface ServerFacts {
  kind: 'managed' | 'external';
  software: string;
  version: string | null;
  mode: string | null;
  transports: string[];
  /** host:port of each master of a cluster. */
  nodes: string[] | null;
  config: Record<string, string | null>;
}

export interface InfoReply {
  /** Every field of every section by its name. */
  fields: Record<string, string>;
  requestBytes: number;
  replyBytes: number;
}

/** Counters of a server at one moment; null where it does not tell. */
export interface Snapshot extends ServerCounters {
  runId: string | null;
  /** Calls that ended with an error, by its first word. */
  errors: Record<string, number> | null;
  /** What it was added up from, for a cluster. */
  nodes: { node: string; snapshot: Snapshot }[] | null;
  /** Bytes that the snapshot itself cost. */
  requestBytes: number;
  replyBytes: number;
}

/** What a server did between two snapshots, the tool's own commands taken out. */
export interface ServerDelta extends ServerCounters {
  /** Commands that a cluster's node sent elsewhere: for good (MOVED), or this time (ASK). */
  moved: number | null;
  asked: number | null;
  /** What each node of a cluster did. */
  nodes: NodeDelta[] | null;
}

export interface NodeDelta {
  /** host:port */
  node: string;
  commands: number | null;
  mainThreadCpuUs: number | null;
}

export interface ServerCounters {
  commands: number | null;
  reads: number | null;
  writes: number | null;
  connections: number | null;
  netInputBytes: number | null;
  netOutputBytes: number | null;
  mainThreadCpuUs: number | null;
  /** Calls by command, in lower case. */
  calls: Record<string, number> | null;
}

// ── Running ─────────────────────────────────────────────────────────────────────────────────────

/** What a worker is told about its cell: plain JSON, so that it could travel to another machine. */
export interface Job {
  client: string;
  /** The file to import for it; null for the package that comes with this tool. */
  entry: string | null;
  variant: string;
  scenario: string;
  scenarioOptions: ScenarioOptions;
  pipelining: Chosen;
  workload: Chosen;
  tasks: number;
  keySize: number;
  /** Of the longest and of the shortest value. */
  valueSize: number;
  shortestValue: number;
  value: ValueKind;
  keys: number;
  keyDistribution: KeyDistribution;
  seed: number;
  latency: boolean;
  /** The user's, over those of the variant. */
  clientOptions: Record<string, unknown>;
  /** null for a closed loop; the bound is that of this process. */
  load: OpenLoopPlan | null;
  /** Which of the cell's processes this is. */
  part: Part;
  keyPrefix: string;
  /** Whether all keys live on one node of the cluster. */
  oneSlot: boolean;
  target: Target;
  /** Of the servers that a connection may reach; null where that cannot be checked. */
  runIds: string[] | null;
}

/** One of several processes that do the same work together: `index` counts from 0. */
export interface Part {
  index: number;
  count: number;
}

/** Times are in milliseconds since the start, operations count from 0. */
export interface Schedule {
  at(operation: number): number;
  /** How many operations are meant to have started before a time. */
  due(ms: number): number;
}

/** What an open loop counted in one run. */
export interface OpenLoopCounts {
  /** Operations that were meant to start in the run's time: sent, dropped and unsent together. */
  scheduled: number;
  sent: number;
  dropped: number;
  /** Of those sent, how many came back with an error. */
  failed: number;
  /** How many had to wait at the bound. */
  waited: number;
  /** Not sent before the end: an error, an interruption, or a backlog too long to be worked off. */
  unsent: number;
  /** Operations under way at once, at most. */
  inFlightMax: number;
  /** Time that the event loop spent on nothing but looking at the clock. */
  waitedMs: number;
  /** From the start to the last sending, and at least as long as the schedule. */
  sentUntilMs: number;
  /** How late the operations were sent, added up by what held them up. */
  lateMs: Record<'bound' | 'loop' | 'pacing', number>;
  latenessHdr: string | null;
  fromSendHdr: string | null;
}

/** What one second of an open loop looked like, as it ended. Operations are counted from the start. */
export interface Second {
  /** From 1. */
  second: number;
  intended: number;
  sent: number;
  acknowledged: number;
  dropped: number;
  inFlight: number;
  /** Of the operation that was sent last. */
  latenessMs: number;
  rssBytes: number;
}

/** A run ends after so many iterations of each task, or after so long. */
/** `ratePerSecond`: of an open loop, where it is another than its cell's. */
export type RunLength = { iterations?: number; durationMs?: number; ratePerSecond?: number };

/** What the worker measured in one run. */
export interface Measured {
  elapsedMs: number;
  taskElapsedMs: number[];
  taskIterations: number[];
  wrongReplies: number;
  firstWrongReply: string | null;
  /** How many operations failed, by the text of their error. */
  errors: Record<string, number>;
}

/** Counts the latency of every operation of a run. */
export interface Recorder {
  /** The time of this turn of the event loop. */
  start(): number;
  /** Counts what began at `startedAt` and ends now; now is the start of the next. */
  done(startedAt: number, operations?: number): number;
  /** Counts a time that was measured elsewhere, in units of 100 ns. */
  count(units: number, operations?: number): void;
  /** An HdrHistogram of nanoseconds, compressed and in base64; null where nothing is recorded. */
  encode(): string | null;
}

/** One measurement of the ceiling: plain JSON. */
export interface CeilingJob {
  target: Target;
  key: string;
  value: string;
  connections: number;
  /** Commands that a connection has under way at once. */
  depth: number;
  durationMs: number;
  /** Whether the event loop polls instead of sleeping until a reply comes. */
  poll: boolean;
}

export interface CeilingRun {
  operations: number;
  elapsedMs: number;
  wrongChunks: number;
  cpuUs: number;
  hdr: string | null;
}

/** What a worker used in one run. */
export interface ClientProbe {
  /** User and system, all threads. */
  cpuUs: number;
  eventLoopUtilization: number;
  gcCount: number;
  gcPauseMs: number;
  /** On the V8 heap, by samples; null where the run was too short or too full of collections for one. */
  allocatedBytes: number | null;
  peakRssBytes: number;
}

/** A run from all sides. */
export interface Observed {
  measured: Measured & {
    openLoop?: OpenLoopCounts | null;
    /** By a clock that all processes of this machine share. */
    startedAtMs: number;
    /** The figures of each process, where there are several. */
    processes?: ProcessFigures[];
    /** Commands that the run claims, by name in lower case. */
    calls: Record<string, number>;
    /** null where the workload asks nothing. */
    answers: Answers | null;
    connectionsOpened: number;
    client: ClientProbe;
    latencyHdr: string | null;
    batches: Batches | null;
  };
  /** Held open during the run. */
  connections: number;
  seen: ServerDelta | null;
  /** The longest time in which the worker did nothing at all; 0 where that was not to be seen. */
  stalledMs: number;
}

/** What one of the processes of a run did. */
export interface ProcessFigures {
  operations: number;
  /** Redis commands in those, by name in lower case. */
  calls: Record<string, number>;
  opsPerSecond: number;
  cpuUtilization: number;
  eventLoopUtilization: number;
  peakRssBytes: number;
  p99Us: number | null;
}

export interface WorkerProcess {
  pid: number | undefined;
  /** How long after it was asked for a run its clock starts. */
  startsInMs: number;
  call(method: string, params?: unknown): Promise<any>;
  /** Asks the run under way to end at its next iteration; its answer still comes. */
  stop(): void;
  /** The same, and kills the process when no answer comes. */
  interrupt(): void;
  kill(): Promise<void>;
}

export interface Placement {
  pin: Pin;
  serverCpus: number[] | null;
  workerCpus: number[] | null;
  note: string | null;
}

export interface Placer {
  placements: Placement[];
  placementFor(pin: Pin): Placement;
  /** Moves a managed server to its processors, if it is not there. */
  pinServer(placement: Placement): Promise<void>;
}

export interface RunContext extends Place {
  settings: Settings;
  catalogue: Catalogue;
  /** What the user's configuration says, by client. */
  clientOptions: Record<string, Record<string, unknown>>;
  keyPrefix: string;
  signal: AbortSignal;
  onEvent: (event: BenchmarkEvent) => void;
  /** Takes each thing that is measured, between runs. */
  record: (record: ResultRecord) => void;
}

/** A server, and where it and its workers run. */
export interface Place {
  server: Server;
  placer: Placer;
}

export interface GroupOutcome {
  /** Why the server was lost, if it was. */
  lost: unknown;
  keysRemoved: boolean;
}

export interface PlanOutcome {
  lost: unknown;
  warnings: string[];
}

// ── Results: the JSON that is written, schemaVersion 1 ──────────────────────────────────────────

export interface Run {
  /** From 1; 0 where it failed before the first timed run. */
  round: number;
  /** Average of the tasks' elapsed times. */
  averageMs: number | null;
  /** Slowest minus fastest task. */
  spreadMs: number | null;
  taskElapsedMs: number[];
  /** From the start of the first task to the end of the last. */
  elapsedMs: number | null;
  /** Iterations of all tasks. */
  operations: number;
  /** Redis commands in those. */
  commands: number;
  /** Replies to EXISTS; null where the workload has none. */
  answers: Answers | null;
  opsPerSecond: number | null;
  /** Held open during the run, or opened in it where that is the scenario. */
  connections: number | null;
  latency: Latency | null;
  /** Where the tool makes the batches itself: pipelining explicit and window. */
  batching: Batching | null;
  /** null in a closed loop. */
  openLoop: OpenLoopRun | null;
  /** Of each worker process. */
  processes: ProcessFigures[];
  client: ClientCost | null;
  server: ServerCost | null;
  wrongReplies: number;
  /** How many operations failed, by cause. */
  errors: Record<string, number>;
  failed: string | null;
  warnings: string[];
}

/** Of operations, in microseconds. */
export interface Latency {
  count: number;
  minUs: number;
  meanUs: number;
  p50Us: number;
  p90Us: number;
  p99Us: number;
  p999Us: number;
  maxUs: number;
  /** HdrHistogram of nanoseconds, compressed, in base64. */
  hdr: string;
}

/** How an open loop kept to its schedule. Its run's `latency` counts from the scheduled start. */
export interface OpenLoopRun {
  intendedPerSecond: number;
  /** Whether the intended rate was acknowledged, with nothing dropped and the p99 within the SLO. */
  held: boolean;
  /** Acknowledged operations over the time from the start to the last sending, that of a backlog included. */
  achievedPerSecond: number;
  scheduled: number;
  sent: number;
  acknowledged: number;
  dropped: number;
  failed: number;
  /** How many had to wait at the bound. */
  waited: number;
  /** Not sent before the end of the run. */
  unsent: number;
  /** Operations under way at once, at most; of several processes the sum of each one's most. */
  inFlightMax: number;
  /** From the scheduled start to the sending. */
  latenessP99Us: number | null;
  latenessMaxUs: number | null;
  /** Of all lateness, the parts that fell to waiting at the bound, to a busy event loop, and to the tool's own pacing. */
  latenessShares: Record<'bound' | 'loop' | 'pacing', number>;
  /** Share of the time in which the event loop did nothing but wait for something to be due. */
  waitingShare: number;
  /** The latency from sending, as a closed loop would see it. */
  latencyFromSend: Latency | null;
}

/** The batches in which commands went out. */
export interface Batching {
  batches: number;
  commandsPerBatch: number;
  largestBatch: number;
  /** How long a batch was open, from its first command to its sending: what a window really was. */
  heldUs: number;
  longestHeldUs: number;
  /** Of the client's CPU, how much went into nothing but looking at the clock. */
  waitingUsPerOp: number;
}

export interface ClientCost {
  cpuUsPerOp: number | null;
  /** Processors in use, on average. */
  cpuUtilization: number | null;
  eventLoopUtilization: number;
  gcCount: number;
  gcPauseMs: number;
  /** On the V8 heap. */
  allocatedBytesPerOp: number | null;
  peakRssBytes: number;
}

export interface ServerCost {
  commands: number | null;
  reads: number | null;
  writes: number | null;
  /** The batching that really happened. */
  commandsPerRead: number | null;
  /** Of the main thread. */
  cpuUsPerCommand: number | null;
  /** Processors in use, on average; of a cluster by all nodes together. */
  cpuUtilization: number | null;
  /** That of the node that works most; of a standalone server the same. */
  busiestNodeUtilization: number | null;
  connections: number | null;
  netInputBytes: number | null;
  netOutputBytes: number | null;
  /** Redirections that a cluster answered with; null where it does not tell. */
  moved: number | null;
  asked: number | null;
  /** Of each node of a cluster. */
  nodes: NodeCost[] | null;
}

export interface NodeCost {
  /** host:port */
  node: string;
  commands: number | null;
  cpuUtilization: number | null;
}

/** Between which figures the true one lies. */
export interface Interval {
  low: number;
  high: number;
  /** The coverage that was reached: 0.9375 for five runs, which are too few for 0.95. */
  level: number;
}

export interface Summary {
  runs: number;
  failedRuns: number;
  /** Medians over the runs. */
  averageMs: number;
  spreadMs: number;
  opsPerSecond: number;
  opsPerSecondLow: number;
  opsPerSecondHigh: number;
  /** Of the medians over the runs; null with fewer than two runs, or where runs do not have the figure. */
  intervals: Record<MetricField, Interval | null>;
  /** How much the operations a second vary from run to run: their standard deviation over their mean. */
  variation: number | null;
  /** Of all runs together, as the answers are. */
  latency: Latency | null;
  answers: Answers | null;
  batching: Batching | null;
  openLoop: OpenLoopSummary | null;
  client: ClientCost;
  server: ServerCost;
  bottleneck: Bottleneck;
}

/** Medians over the runs, and sums of what must not happen at all. */
/** Medians over the runs; `held` if most of them did; sums of what must not happen at all. */
export interface OpenLoopSummary extends OpenLoopRun {
  heldRuns: number;
}

/** What limited a cell, and the shares of time that say so. */
export interface Bottleneck {
  /** null where the figures do not tell. */
  limit: 'client' | 'server' | 'round-trips' | null;
  clientBusy: number;
  /** Of a cluster the busiest node, or the processor that its nodes share. */
  serverBusy: number | null;
  sharedCore: boolean;
}

export interface CellResult extends Cell {
  iterations: number | null;
  connections: number | null;
  effectiveOptions: Record<string, unknown>;
  runs: Run[];
  summary: Summary | null;
}

/** What runs have of their own and is compared. */
export type MetricField = 'opsPerSecond' | 'averageMs' | 'p99Us' | 'cpuUsPerOp';

/** A cell against another one. */
export interface Contrast {
  /** The cell's median over the other's. */
  ratio: number;
  /** Its 95 % interval, of this comparison alone. */
  low: number;
  high: number;
  p: number;
  /** Corrected for the number of comparisons (Holm). */
  pAdjusted: number;
  /** Whether a difference can be claimed. */
  differs: boolean;
}

/** How far one sample lies above another. */
export interface Shift {
  /** Of no shift at all. */
  p: number;
  /** The 95 % interval, worked out when it is asked for: of many comparisons only p is needed. */
  interval(): { low: number; high: number };
}

export interface Comparison {
  group: string;
  /** Which test says what differs, in words. */
  test: string;
  /** The fastest first. */
  ranking: {
    cell: string;
    opsPerSecond: number;
    timesSlower: number;
    /** Its operations a second over those of the fastest; null for the fastest, and with fewer than two runs. */
    againstFastest: Contrast | null;
    /** The same over those of the cell that the user named first. */
    againstFirst: Contrast | null;
    /** Its share of the floor's operations a second; null where no floor was measured. */
    ofCeiling: number | null;
  }[];
  /** The releases of a client, or of Node, that stand side by side. */
  versions: VersionSeries[];
  /** Which is fastest and by how much. */
  conclusion: string;
  /** Why, in sentences built from the measured figures. */
  explanation: string[];
}

/** Cells that differ in nothing but the release of their client, or the Node that they run on. */
export interface VersionSeries {
  axis: 'release' | 'node';
  /** The oldest first. */
  entries: VersionEntry[];
}

export interface VersionEntry {
  cell: string;
  version: string;
  opsPerSecond: VersionFigure;
  cpuUsPerOp: VersionFigure;
}

export interface VersionFigure {
  median: number | null;
  /** This version's over the one's before; null for the oldest, and with fewer than two runs. */
  toPrevious: Contrast | null;
  /** This version's over the newest's. */
  toNewest: Contrast | null;
}

/** What was found out about the release with which a figure changed. */
export interface Bisection {
  client: string;
  metric: string;
  unit: string;
  /** The oldest first. */
  releases: string[];
  /** The oldest and the newest, the newest's ratio over the oldest's; null before they are measured. */
  ends: { test: string; medians: { low: number; high: number }; contrast: Contrast } | null;
  questions: BisectionQuestion[];
  /** Each change: the newest release before it and the oldest after it. Empty where the ends do not differ. */
  steps: { before: string; after: string }[];
}

/** A release held against two others, one on each side of the change. */
export interface BisectionQuestion {
  low: string;
  release: string;
  high: string;
  /** `between`: the change comes in several steps; `broken`: it could not be measured. */
  side: 'low' | 'high' | 'between' | 'broken';
  /** Whether the statistics tell; otherwise it is the nearer side. */
  sure: boolean;
  medians: { low: number; release: number; high: number } | null;
  toLow: Contrast | null;
  toHigh: Contrast | null;
  test: string | null;
  /** Why it could not be measured. */
  reason: string | null;
}

/** Two reports of the same cells. */
export interface ReportComparison {
  metric: string;
  unit: string;
  moreIsBetter: boolean;
  /** Which test says what differs, in words. */
  test: string;
  cells: ComparedCell[];
  /** Of the ratios of all cells, new over base. */
  geometricMean: number;
  /** The names of the cells that the other report does not have, or has no result of. */
  onlyBase: string[];
  onlyNew: string[];
  /** What else differs between the two, and may be why. */
  warnings: string[];
}

/** A cell that two reports have, with the medians over its runs. */
export interface ComparedCell {
  cell: string;
  name: string;
  /** What the cells of its group have in common, in words. */
  group: string;
  base: number;
  new: number;
  /** New over base. */
  ratio: number;
  /** null with fewer than two runs on a side. */
  contrast: Contrast | null;
}

export interface Environment {
  node: string;
  v8: string;
  os: string;
  arch: string;
  cpuModel: string;
  cpuCount: number;
  memoryBytes: number;
  packages: Record<string, string>;
}

/** What is known before the first run. */
export interface ResultFacts {
  schemaVersion: 1;
  tool: { name: string; version: string };
  startedAt: string;
  seed: number;
  /** `format`: the reporter that prints it unless another is asked for. */
  suite: { id: string; title: string; format: string };
  settings: {
    runs: number;
    /** In percent; null where the number of runs was fixed. */
    untilStable: number | null;
    warmupRuns: number;
    runTimeMs: number;
    durationMs: number | null;
    iterations: Settings['iterations'];
    value: ValueKind;
    keyDistribution: KeyDistribution;
    oneSlot: boolean;
    assert: string[];
    assertStrict: boolean;
    smoke: boolean;
  };
  environment: Environment;
  /** The first of the servers. */
  server: ServerFacts;
  /** One for each topology that was measured. */
  servers: ServerFacts[];
  placements: Placement[];
}

/** What is known after the last run. */
export interface Ending {
  finishedAt: string;
  /** Whether the benchmark ended before its last run. */
  partial: boolean;
  failure: string | null;
  warnings: string[];
}

export interface Report extends ResultFacts, Ending {
  cells: CellResult[];
  comparisons: Comparison[];
  /** The first lines: what to do, how much it brings, how sure that is, why, what was not measured. */
  advice: string[];
  assertions: AssertionResult[];
}

export interface AssertionResult {
  text: string;
  strict: boolean;
  holds: boolean;
  /** What the sides of its comparisons came to, or why that cannot be said. */
  figures: string[];
}

/** A file of the history. */
export interface SavedResult {
  file: string;
  /** null where the file is damaged. */
  header: ResultHeader | null;
  /** How many were recorded, those that failed too. */
  runs: number;
  /** Whether the benchmark came to its end. */
  complete: boolean;
}

/**
 * The lines of a saved result, in the order in which they become known: a header, what is measured,
 * and the end. A report is a function of them.
 */
export type ResultLine = ResultHeader | ResultRecord | ResultEnd;

export interface ResultHeader extends ResultFacts {
  type: 'header';
  /** Those that are skipped, too. */
  cells: Cell[];
}

export type ResultRecord = PlannedRecord | CellRecord | RunRecord;

/** A cell that the header does not have: the next step of a search. */
export interface PlannedRecord {
  type: 'planned';
  cell: Cell;
}

/** What is known of a cell after its warm-up. */
export interface CellRecord {
  type: 'cell';
  /** Its id. */
  cell: string;
  /** Of each task; null in runs of a fixed time. */
  iterations: number | null;
  effectiveOptions: Record<string, unknown>;
}

export interface RunRecord {
  type: 'run';
  /** The id of its cell. */
  cell: string;
  /** When it ended. */
  at: string;
  run: Run;
}

export interface ResultEnd extends Ending {
  type: 'end';
}
