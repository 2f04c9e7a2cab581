import type { AxisSettings } from '../axes/types.js';
import type { PluginKind } from '../plugins/types.js';

/** What a person wants to say with an option. */
export type OptionGroup = 'compare' | 'send' | 'server' | 'measure' | 'print';

/** Why another option is refused; a function where that is said of several, from the flag of the one. */
export type Rule = string | ((flag: string) => string);

/** Reads a value; throws what was expected. */
export interface OptionKind {
  (value: unknown): any;
  /** What the help calls it: the `n` of `--runs <n>`; empty for an option that is only switched on. */
  takes?: string;
}

export interface OptionSpec {
  flag: string;
  group?: OptionGroup;
  /** What the first help says of it, on one line; the others stand in `--help all`. */
  basic?: string;
  /** Whether each of its values is a situation in which cells are compared, and no choice. */
  isCondition?: boolean;
  kind: OptionKind;
  default?: any;
  help: string;
  /** What `--no-…` does, where there is such a flag. */
  negation?: string;
  plugins?: PluginKind;
  repeatable?: boolean;
  /** What cannot be in force with it, whoever chose it. */
  excludes?: Record<string, Rule>;
  /** What it decides itself: a suite's choice is ignored, the user's refused. */
  overrules?: Record<string, Rule>;
  /** What it leaves with less effect than the name says. */
  weakens?: Record<string, Rule>;
  /** One of these must be in force where the user chose it, or, if `evenOfSuite`, a suite did. */
  needs?: { any: string[]; why: string; evenOfSuite?: boolean };
  /** Whether a value starts programs, loads code or writes files: a suite of data may not choose it. */
  hasPower?(value: unknown): boolean;
  /** Anything else that its value contradicts, in words. */
  conflict?(settings: Settings, given: Record<string, unknown>): string | null;
  /** The plugins that bring it, or, if `shared`, take it as well. */
  owners?: { kind: PluginKind; id: string }[];
  shared?: boolean;
}

/** An option as a table has it: its flag follows from its name and from what its values are called, if it gives none. */
export type OptionRow = Omit<OptionSpec, 'flag' | 'kind'> &
  ({ flag: string; kind: OptionKind } | { flag?: undefined; kind: OptionKind & { takes: string } });

/** Every option, those that plugins bring included, by name. */
export type OptionTable = Record<keyof Settings, OptionSpec> & Record<string, OptionSpec>;

/** What a value must be, as JSON schema. */
export type ValueSchema =
  | { enum: string[] }
  | { type: 'integer' | 'number'; minimum?: number; maximum?: number }
  | { type: 'string' | 'boolean'; minimum?: undefined; maximum?: undefined };

export type Pin = 'apart' | 'same' | 'off';

export type Transport = 'tcp' | 'unix' | 'tls';

export type Topology = 'standalone' | 'cluster' | 'sentinel';

/** Which servers clients send their reads to. */
export type ReadFrom = 'primary' | 'replica';

export type Replies = 'string' | 'buffer';
export type ValueKind = 'text' | 'json' | 'records';
export type Bundle = 'none' | 'esbuild';
export type Encoding = 'none' | 'json' | 'msgpack' | 'json+gzip';

export type KeyDistribution = 'uniform' | 'zipf' | 'sequential';

/** The lengths of the shortest and of the longest. */
export type SizeRange = [shortest: number, longest: number];

/** Operations a second. */
export type RateRange = [low: number, high: number];

/** How the operations of an open loop follow each other: evenly, or at random as independent users would. */
export type Arrivals = 'even' | 'poisson' | 'recorded';

/** What becomes of an operation that is due while too many are in flight. */
export type WhenFull = 'wait' | 'drop' | 'fail';

/** A count of iterations that follows from the size: floor(budget / (perOperation + perByte · size)). */
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
  | 'switchover'
  | 'split'
  | 'isolate'
  | 'slots'
  | 'join'
  | 'leave'
  | 'promote'
  | 'dead-seed'
  | 'reload';

/** Something that breaks in a run. */
export interface FaultSpec {
  /** As it was written: `slow:50ms:2s`. */
  name: string;
  kind: FaultKind;
  /** Whose doing it is. */
  by: 'nobody' | 'relay' | 'server' | 'client';
  /** Of a restart: whether the server has its data again. */
  keepsData: boolean;
  /** What a round trip takes longer, or how long a connection may be idle; null where neither is changed. */
  byMs: number | null;
  /** How long it lasts; null where it is over at once, or for good. */
  lastsMs: number | null;
  /** Of a cluster's slots: how many move. */
  slots?: number;
}

export interface ProfileSettings {
  kinds: ('cpu' | 'heap')[];
  /** Those that the first screen of a report explains, or all. */
  cells: 'explained' | 'all';
  /** Where V8's own profiles are kept; null for nowhere. */
  folder: string | null;
}

/** Settings that a managed server is started with. */
export interface ServerConfig {
  /** As rows have it. */
  name: string | null;
  /** As in redis.conf. */
  lines: string[];
}

/** The values of a benchmark's options: the help says what each is. */
export interface Settings extends AxisSettings {
  clients: string[];
  scenarios: string[];
  size: number[];
  keySize: number[] | undefined;
  valueSize: SizeRange[] | undefined;
  /** How many keys; one unless values differ in length or a cluster's slots are to be covered. */
  keys: number | undefined;
  keyDistribution: KeyDistribution;
  workload: string[];
  command: string[] | undefined;
  prepare: string | undefined;
  keysAt: number[] | undefined;
  value: ValueKind;
  pipelining: string[];
  /** How requests are coded; every way if missing. */
  way: string[] | undefined;
  transport: Transport[] | undefined;
  topology: Topology[];
  clusterNodes: number;
  replicas: number;
  oneSlot: boolean;
  allowEviction: boolean;
  allowServerChanges: boolean;
  maxInFlight: number[] | undefined;
  iterations: number | 'auto' | CostModel;
  /** 0 until the plan is known, where the user does not say. */
  runTimeMs: number;
  starts: number | 'auto';
  durationMs: number | undefined;
  rate: number[] | undefined;
  speed: number[] | undefined;
  rateSearch: RateRange | undefined;
  sloMs: number | undefined;
  /** Missing where the user leaves it to the workload: recorded times, or evenly spaced. */
  arrivals?: Arrivals;
  whenFull: WhenFull;
  maxInFlightBytes: number;
  processes: number[];
  /** The URL of the control Redis where agents wait, or how many are started here; undefined for none. */
  agents: string | { local: number } | undefined;
  queueToken: string | undefined;
  config: string | Record<string, unknown> | undefined;
  runTimeoutMs: number | undefined;
  runs: number;
  /** How near to its median the interval of every cell must be, in percent. */
  untilStable: number | undefined;
  maxRuns: number;
  budgetMs: number | undefined;
  warmupRuns: number;
  seed: number;
  latency: 'on' | 'off';
  /** What is profiled after the timed runs; undefined for nothing. */
  profile: ProfileSettings | undefined;
  profileServer: boolean;
  /** Whether instructions are counted after the timed runs. */
  count: 'auto' | 'on' | 'off';
  pin: Pin[];
  nodeBin: string[] | undefined;
  assert: string[];
  assertStrict: boolean;
  url: string | undefined;
  /** Running Sentinels, and what they call the primary, each perhaps with a user and a password. */
  sentinel: string | undefined;
  masterName: string | undefined;
  socket: string | undefined;
  tlsCa: string | undefined;
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  tlsInsecure: boolean;
  serverBin: string | undefined;
  server: string[] | undefined;
  serverConfig: ServerConfig[] | undefined;
  full: boolean;
  quick: boolean;
  smoke: boolean;
}

/** As on the command line: a number perhaps with a unit, a word of a closed list, values with commas between. */
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

/** Options as a program may write them, as values or as text. Times have the names of their flags, too: `runTime`. */
export type Written<Options> = {
  [Name in keyof Options as Name | (Name extends `${infer Flag}Ms` ? Flag : never)]?:
    | Options[Name]
    | AsText<Options[Name]>;
};

/** Which server, and how it is reached. */
export type ReachSettings = Pick<Settings, 'url' | 'socket' | 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsInsecure'>;

export interface RecordSettings extends ReachSettings {
  listen: { host: string; port: number } | undefined;
  forMs: number | undefined;
  output: string;
  monitor: boolean;
  from: string | undefined;
  yes: boolean;
}

export interface CalibrateSettings
  extends ReachSettings,
    Pick<Settings, 'transport' | 'allowEviction' | 'serverBin'> {
  connections: number[];
  depth: number[];
  size: number;
  durationMs: number;
  runs: number;
  peers: boolean;
  poll: boolean;
  pin: Pin;
}
