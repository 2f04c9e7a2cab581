import type { BareEvent } from '../commands/benchmark/types.js';
import type { CommandName } from '../commands/types.js';
import type { Account, Catalogue, ClientPlugin, PluginKind, SuitePlugin } from '../plugins/types.js';
import type { CommonReport, Report as PrintedReport } from '../report/types.js';
import type { AskedClient, Cell, CellPoint, SkipReason } from '../run/plan/types.js';
import type { Fleet, PlanContext, RunContext } from '../run/types.js';
import type { Ending, Notice, Report as Result, ResultHeader, ResultRecord } from '../store/types.js';
import type { OpenCell } from '../worker/types.js';

export type OptionGroup = 'compare' | 'send' | 'server' | 'measure' | 'print';

/** Reads a text or a value, or throws what was expected. */
export interface OptionKind<Value = unknown> {
  (value: unknown): Value;
  /** The `n` of `--runs <n>`; empty for a switch. */
  takes?: string;
}

export interface OptionSpec<Value = unknown> {
  flag: string;
  group?: OptionGroup;
  kind: OptionKind<Value>;
  default?: Value;
  help: string;
  /** What `--no-…` does. */
  negation?: string;
  plugins?: PluginKind;
  repeatable?: boolean;
  /** Options with which it has no meaning, and why: a suite's choice yields, the user's is refused. */
  excludes?: Record<string, string>;
  /** One of these flags must be in force, with this value, where the user chose it. */
  needs?: string[];
  conflict?(settings: Settings, given: Record<string, unknown>): string | null | undefined;
  /** The plugins that bring it or, if `shared`, also take it. */
  owners?: { kind: PluginKind; id: string }[];
  shared?: boolean;
}

/** A row of a table: the flag follows from the name and what the kind `takes`. */
export type OptionRow<Value = unknown> = [
  kind: OptionKind<Value>,
  help: string,
  more?: Partial<OptionSpec<NoInfer<Value>>>,
];
export type ValuesOf<Rows extends Record<string, OptionRow<any>>> = {
  [Name in keyof Rows]: ReturnType<Rows[Name][0]>;
};

export type OptionsFor<Values> = { [Name in keyof Values]-?: OptionSpec<Values[Name]> };

export type OptionTable = OptionsFor<OwnSettings> & Record<string, OptionSpec>;

/** What measures: data, and doors to what it does. */
export interface Measuring {
  name: 'benchmark' | CommandName;
  /** No running server can be named: yours must not break. */
  startsItsServers?: boolean;
  ownOptions?(): Promise<Record<string, OptionSpec>>;
  /** Servers that its options name besides those that are measured; TLS options apply to them too. */
  otherServers?(settings: Settings): { flag: string; url: string }[];
  /** Its settings, where a suite has a say in them. */
  resolve?(given: Record<string, unknown>, suite: SuitePlugin, table: OptionTable): Promise<Settings>;
  /** Checks what only it knows, before servers are looked for. */
  checkSettings?(settings: Settings): Promise<void>;
  /** What it says of its cells; nothing by default. */
  plan?(): Promise<CommandPlan>;
  /** What follows from its settings and clients, and what the user should know before the run. */
  settle?(settings: Settings, asked: AskedClients): Promise<{ settings: Settings; notes: Notice[] }>;
  /** Checks its settings against the cells, before servers are opened; resolves to what its groups need besides. */
  prepare?(
    settings: Settings,
    cells: (Cell & { reason?: string })[],
    onEvent: (event: BareEvent) => void,
  ): Promise<Partial<RunContext>>;
  /** Load that comes from other machines; null where it comes from this one. */
  fleet?(settings: Settings): Promise<{
    openFleet(settings: Settings, signal: AbortSignal): Promise<Fleet>;
  } | null>;
  /** In each process of a cell, where it has any: opens the cell for a job. */
  worker?(): Promise<{ open: OpenCell }>;
  run(): Promise<Pick<PlanContext, 'runGroup' | 'setsOf'>>;
  /** What its results show; without it, its tables say it. */
  conclude?(): Promise<{ conclude(header: ResultHeader, records: ResultRecord[], ending: Ending): Result }>;
}

/** What the plan asks a command. */
export interface CommandPlan {
  skip?(
    cell: CellPoint & Pick<Cell, 'release' | 'chosen'>,
    settings: Settings,
    catalogue: Catalogue,
  ): SkipReason | null;
  /** What a client must be capable of; `relay`: whether it connects to several nodes through relays. */
  needs?(cell: CellPoint): { capabilities: string[]; relay?: boolean };
  /** How many different keys a cell uses. `account`: of a workload whose operations can be followed. */
  keys?(
    cell: CellPoint,
    workload: { account: Account | undefined; keysPerOperation: number },
    settings: Settings,
  ): number;
  /** How long a run of a cell sends, where that is not --duration, and pauses. */
  lasts?(cell: CellPoint): { durationMs: number | undefined; pauseMs: number };
  /** Whether it puts relays before its servers, besides those of --rtt. */
  relays?(settings: Settings): boolean;
  /** Whether its load takes only part of a processor, so that servers never wait for one. */
  sparesServers?: boolean;
  /** Instead of the usual bounds. */
  mostInFlight?: { commands: number; bytes: number };
}

export interface CommandData extends Measuring {
  name: CommandName;
  title: string;
  /** The options that it has; any other is refused. */
  takes: string[];
  /** Instead of those of a benchmark. */
  defaults: Record<string, unknown>;
  /** Its workloads, where it has not those of a benchmark. */
  workloads?: string[];
  help?: Record<string, string>;
  /** Why it refuses a workload of another command, which `typed` would measure. */
  otherWorkload?(name: string, typed: string): string;
  report(): Promise<{ reportOf(result: Result, common: CommonReport): PrintedReport }>;
  /** What replaces settings that the user did not choose. */
  smoke(settings: Settings): Partial<Settings>;
}

/** Clients as the user names them, and what there is to know of them. */
export interface AskedClients {
  clients: AskedClient[];
  known: Map<string, ClientPlugin>;
  /** Options of --config for each client. */
  config: Record<string, Record<string, unknown>>;
}

/** A JSON schema. */
export type ValueSchema =
  | { enum: string[] }
  | { type: 'integer'; minimum?: number; maximum?: number }
  | { type: 'string' | 'boolean'; minimum?: undefined; maximum?: undefined };

export type Pin = 'apart' | 'same' | 'off';

export type Transport = 'tcp' | 'unix' | 'tls';

export type Topology = 'standalone' | 'cluster' | 'sentinel';

export type ReadFrom = 'primary' | 'replica';

export type Replies = 'string' | 'buffer';
export type Encoding = 'none' | 'json' | 'msgpack' | 'json+gzip';

export type KeyDistribution = 'uniform' | 'zipf' | 'sequential';

export type SizeRange = [shortest: number, longest: number];

/** Operations per second. */
export type RateRange = [low: number, high: number];

export type Arrivals = 'even' | 'poisson' | 'recorded';

/** What happens to an operation that is due at the limit of --max-in-flight. */
export type WhenFull = 'wait' | 'drop' | 'fail';

/** What --compare makes choices of one table. */
export type Comparable = 'workload' | 'topology' | 'tasks' | 'size' | 'appWork' | 'processes' | 'pin';

/** Iterations: floor(budget / (perOperation + perByte · size)). */
export interface CostModel {
  budget: number;
  perOperation: number;
  perByte: number;
}

export interface ProfileSettings {
  kinds: ('cpu' | 'heap')[];
  /** `explained`: those that the first screen explains. */
  cells: 'explained' | 'all';
  /** Keeps V8's own profiles; null for none. */
  folder: string | null;
}

export interface ServerConfig {
  /** Its name in rows. */
  name: string | null;
  /** Lines of a redis.conf. */
  lines: string[];
}

type Switch = 'tlsInsecure' | 'oneSlot' | 'allowEviction' | 'allowScripts' | 'assertStrict' | 'smoke';
type TextOrNone = 'url' | 'sentinel' | 'masterName' | 'socket' | 'serverBin';
type TlsText = 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsServername';
type Count = 'clusterNodes' | 'replicas' | 'maxInFlightBytes' | 'runs' | 'runTimeMs' | 'warmupRuns' | 'seed';
type CountOrNone = 'keys' | 'durationMs' | 'sloMs' | 'runTimeoutMs' | 'budgetMs' | 'jitter';
type Texts = 'clients' | 'scenarios' | 'workload' | 'pipelining' | 'assert';
type TextsOrNone = 'command' | 'prepare' | 'way' | 'nodeBin' | 'server';
type Numbers = 'size' | 'tasks' | 'appWork' | 'processes';
type NumbersOrNone = 'keySize' | 'maxInFlight' | 'rate' | 'speed';

/** The values of options, as the help explains them. `runs`: of each cell. `appWork`: in µs per operation. */
export interface OwnSettings
  extends Record<Switch, boolean>,
    Record<TextOrNone | TlsText, string | undefined>,
    Record<Count, number>,
    Record<CountOrNone, number | undefined>,
    Record<Texts, string[]>,
    Record<TextsOrNone, string[] | undefined>,
    Record<Numbers, number[]>,
    Record<NumbersOrNone, number[] | undefined> {
  /** Milliseconds that a relay adds; 0 for no relay, `relay` for one without delay. */
  rtt: (number | 'relay')[];
  readFrom: ReadFrom[] | undefined;
  replies: Replies[] | undefined;
  encode: Encoding[] | undefined;
  /** More than one --command is compared, too. */
  compare: Comparable[];
  valueSize: SizeRange[] | undefined;
  keyDistribution: KeyDistribution;
  value: 'text' | 'json' | 'records';
  transport: Transport[] | undefined;
  topology: Topology[];
  iterations: number | 'auto' | CostModel;
  starts: number | 'auto';
  rateSearch: RateRange | undefined;
  /** If missing, the workload decides: recorded times, or evenly spaced. */
  arrivals?: Arrivals;
  whenFull: WhenFull;
  config: string | Record<string, unknown> | undefined;
  latency: 'on' | 'off';
  profile: ProfileSettings | undefined;
  pin: Pin[];
  /** Whether processors are kept awake; both: in every other run. Missing: in a race that has the time. */
  cpus?: 'asleep' | 'awake' | 'both';
  serverConfig: ServerConfig[] | undefined;
}

/** With what commands add for their own options. */
export interface Settings extends OwnSettings {
  /** What is near the best gets more starts than the rest; `runs` are then those of each start. */
  races: boolean;
}

/** What the command line takes for a value. */
type AsText<Value> = Value extends boolean | undefined
  ? never
  : Value extends number | RateRange
    ? number | `${number}${string}`
    : Value extends string
      ? Value
      : Value extends readonly string[]
        ? string | readonly string[]
        : Value extends readonly (infer Each)[]
          ? AsText<Each> | `${AsText<Each> & string},${string}` | readonly (Each | AsText<Each>)[]
          : string;

/** What a program may write for options: values or text. Times may be named as their flags, `runTime`. */
export type Written<Options> = {
  [Name in keyof Options as Name | (Name extends `${infer Flag}Ms` ? Flag : never)]?:
    | Options[Name]
    | AsText<Options[Name]>;
};

export type ReachSettings = Pick<
  Settings,
  'url' | 'socket' | 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsInsecure' | 'tlsServername'
>;

export interface CalibrateSettings extends ReachSettings, Pick<Settings, 'allowEviction' | 'serverBin'> {
  connections: number[];
  depth: number[];
  transport: Transport[] | undefined;
  size: number;
  durationMs: number;
  runs: number;
  peers: boolean;
}

export interface RecordSettings extends ReachSettings {
  listen: { host: string; port: number } | undefined;
  forMs: number | undefined;
  output: string;
}
