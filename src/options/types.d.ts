import type { AxisSettings } from '../axes/types.js';
import type { PluginKind } from '../core/plugins/types.js';
import type { CommonReport, Report as PrintedReport } from '../core/report/types.js';
import type { Report as Result } from '../core/store/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { COMPARABLE } from './option-table.js';

export type OptionGroup = 'compare' | 'send' | 'server' | 'measure' | 'print';

export interface OptionKind {
  (value: unknown): any;
  /** The `n` of `--runs <n>`; empty for a switch. */
  takes?: string;
}

export interface OptionSpec {
  flag: string;
  group?: OptionGroup;
  kind: OptionKind;
  default?: any;
  help: string;
  /** What `--no-…` does. */
  negation?: string;
  plugins?: PluginKind;
  repeatable?: boolean;
  /** By names, why both have no meaning together: a suite's choice yields, the user's is refused. */
  excludes?: Record<string, string>;
  /** One of these flags must be in force, with this value, where the user chose it. */
  needs?: string[];
  conflict?(settings: Settings, given: Record<string, unknown>): string | null | undefined;
  /** The plugins that bring it or, if `shared`, also take it. */
  owners?: { kind: PluginKind; id: string }[];
  shared?: boolean;
}

/** As written in a table: the flag follows from the name and what the kind `takes`. */
export type OptionRow = [kind: OptionKind, help: string, more?: Partial<OptionSpec>];

/** Every option, including those of plugins. */
export type OptionTable = Record<Exclude<keyof Settings, 'races' | OfCommands>, OptionSpec> &
  Record<string, OptionSpec>;

/** Options that only another command than a benchmark has. */
export type OfCommands = 'fault' | 'faultAtMs' | 'idle' | 'bundle';

/** A command that measures something else than a benchmark does: data, and where its options are. */
export interface CommandData {
  name: 'break' | 'cold' | 'messages';
  title: string;
  /** The options of a benchmark that it has too; any other is refused. */
  takes: string[];
  /** Instead of those of a benchmark. */
  defaults: Record<string, unknown>;
  /** Its workloads, where it has not those of a benchmark. */
  workloads?: string[];
  ownOptions(): Promise<Record<string, OptionSpec>>;
  /** A `RunGroup`, whose types are inferred from code. */
  run(): Promise<{ runGroup(cells: any, context: any): Promise<any> }>;
  report(): Promise<{ reportOf(result: Result, common: CommonReport): PrintedReport }>;
  /** What replaces settings that the user did not choose. */
  smoke(settings: Settings): Partial<Settings>;
}

/** A JSON schema. */
export type ValueSchema =
  | { enum: string[] }
  | { type: 'integer' | 'number'; minimum?: number; maximum?: number }
  | { type: 'string' | 'boolean'; minimum?: undefined; maximum?: undefined };

export type Pin = 'apart' | 'same' | 'off';

export type Transport = 'tcp' | 'unix' | 'tls';

export type Topology = 'standalone' | 'cluster' | 'sentinel';

export type ReadFrom = 'primary' | 'replica';

export type Replies = 'string' | 'buffer';
export type ValueKind = 'text' | 'json' | 'records';
export type Bundle = 'none' | 'esbuild';
export type Encoding = 'none' | 'json' | 'msgpack' | 'json+gzip';

export type KeyDistribution = 'uniform' | 'zipf' | 'sequential';

export type SizeRange = [shortest: number, longest: number];

/** Operations per second. */
export type RateRange = [low: number, high: number];

export type Arrivals = 'even' | 'poisson' | 'recorded';

/** What happens to an operation that is due at the limit of --max-in-flight. */
export type WhenFull = 'wait' | 'drop' | 'fail';

/** Iterations: floor(budget / (perOperation + perByte · size)). */
export interface CostModel {
  budget: number;
  perOperation: number;
  perByte: number;
}

export type FaultKind =
  | 'none'
  | 'cut'
  | 'half-open'
  | 'idle-drop'
  | 'idle-reset'
  | 'slow'
  | 'stall'
  | 'freeze'
  | 'restart'
  | 'loading'
  | 'maxclients'
  | 'oom'
  | 'failover'
  | 'switchover';

export interface FaultSpec {
  /** As written: `slow:50ms:2s`. */
  name: string;
  kind: FaultKind;
  /** What causes it. */
  by: 'nobody' | 'relay' | 'server' | 'client';
  /** A restarted server has its data again. */
  keepsData: boolean;
  /** By how much round trips are longer, or how long a connection may be idle. */
  byMs: number | null;
  /** Null where it is over at once, or for good. */
  lastsMs: number | null;
}

export interface ProfileSettings {
  kinds: ('cpu' | 'heap')[];
  /** `explained`: those that the first screen explains. */
  cells: 'explained' | 'all';
  /** Keeps V8's own profiles; null for none. */
  folder: string | null;
}

export interface ServerConfig {
  /** As in rows. */
  name: string | null;
  /** As in redis.conf. */
  lines: string[];
}

/** The values of a benchmark's options, as the help explains them. */
export interface Settings extends AxisSettings {
  clients: string[];
  /** More than one --command is compared, too. */
  compare: (keyof typeof COMPARABLE)[];
  scenarios: string[];
  size: number[];
  keySize: number[] | undefined;
  valueSize: SizeRange[] | undefined;
  keys: number | undefined;
  keyDistribution: KeyDistribution;
  workload: string[];
  command: string[] | undefined;
  prepare: string[] | undefined;
  value: ValueKind;
  pipelining: string[];
  /** Every way if missing. */
  way: string[] | undefined;
  transport: Transport[] | undefined;
  topology: Topology[];
  clusterNodes: number;
  replicas: number;
  oneSlot: boolean;
  allowEviction: boolean;
  allowScripts: boolean;
  maxInFlight: number[] | undefined;
  iterations: number | 'auto' | CostModel;
  /** 0 until the plan is known, unless the user sets it. */
  runTimeMs: number;
  starts: number | 'auto';
  durationMs: number | undefined;
  rate: number[] | undefined;
  speed: number[] | undefined;
  rateSearch: RateRange | undefined;
  sloMs: number | undefined;
  /** If missing, the workload decides: recorded times, or evenly spaced. */
  arrivals?: Arrivals;
  whenFull: WhenFull;
  maxInFlightBytes: number;
  processes: number[];
  /** The URL of the control Redis, or how many are started here. */
  agents: string | { local: number } | undefined;
  queueToken: string | undefined;
  config: string | Record<string, unknown> | undefined;
  runTimeoutMs: number | undefined;
  /** Of each cell; of each start where it races. */
  runs: number;
  /** Whether what is near the best gets more starts than the rest. */
  races: boolean;
  /** Largest distance of a cell's interval from its median, in percent. */
  untilStable: number | undefined;
  maxRuns: number;
  budgetMs: number | undefined;
  warmupRuns: number;
  seed: number;
  latency: 'on' | 'off';
  profile: ProfileSettings | undefined;
  pin: Pin[];
  /** Whether processors are kept awake; both: in every other run. */
  cpus: 'asleep' | 'awake' | 'both';
  nodeBin: string[] | undefined;
  assert: string[];
  assertStrict: boolean;
  url: string | undefined;
  sentinel: string | undefined;
  masterName: string | undefined;
  socket: string | undefined;
  tlsCa: string | undefined;
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  tlsInsecure: boolean;
  tlsServername: string | undefined;
  serverBin: string | undefined;
  server: string[] | undefined;
  serverConfig: ServerConfig[] | undefined;
  full: boolean;
  smoke: boolean;
}

/** As on the command line. */
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

/** As a program may write options: values or text. Times may be named as their flags, `runTime`. */
export type Written<Options> = {
  [Name in keyof Options as Name | (Name extends `${infer Flag}Ms` ? Flag : never)]?:
    | Options[Name]
    | AsText<Options[Name]>;
};

export type ReachSettings = Pick<
  Settings,
  'url' | 'socket' | 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsInsecure' | 'tlsServername'
>;

export interface RecordSettings extends ReachSettings {
  listen: { host: string; port: number } | undefined;
  forMs: number | undefined;
  output: string;
}
