import type { CompanyPart } from '../plan/types.js';
import type { PluginKind } from '../plugins/types.js';

/** The subject of an option, under which the help lists it. */
export type OptionGroup = 'what' | 'load' | 'connections' | 'server' | 'measuring' | 'output';

/** Why another option is refused; a function where that is said of several, from the flag of the one. */
export type Rule = string | ((flag: string) => string);

export interface OptionSpec {
  flag: string;
  group?: OptionGroup;
  /** Whether the first help explains it, instead of only naming it. */
  isCommon?: boolean;
  /** Whether each of its values is a situation in which cells are compared, and no choice. */
  isCondition?: boolean;
  kind: (value: unknown) => any;
  default?: any;
  help: string;
  /** What `--no-…` does, where there is such a flag. */
  negation?: string;
  plugins?: PluginKind;
  repeatable?: boolean;
  /** What cannot be in force beside it, whoever chose it. */
  excludes?: Record<string, Rule>;
  /** What it decides itself: a suite's choice is ignored, the user's refused. */
  overrules?: Record<string, Rule>;
  /** What it leaves with less effect than the name says. */
  weakens?: Record<string, Rule>;
  /** One of these must be in force where the user chose it, or, if `evenOfSuite`, a suite did. */
  needs?: { any: string[]; why: string; evenOfSuite?: boolean };
  /** Anything else that its value contradicts, in words. */
  conflict?(settings: Settings, given: Record<string, unknown>): string | null;
  /** The plugins that bring it, or, if `shared`, take it as well. */
  owners?: { kind: PluginKind; id: string }[];
  shared?: boolean;
}

/** Every option, those that plugins bring included, by name. */
export type OptionTable = Record<keyof Settings, OptionSpec> & Record<string, OptionSpec>;

/** What a value must be, as JSON schema. */
export type ValueSchema =
  | { enum: string[] }
  | { type: 'integer' | 'number'; minimum?: number; maximum?: number }
  | { type: 'string' | 'boolean'; minimum?: undefined; maximum?: undefined };

export type Pin = 'apart' | 'same' | 'off';

export type Transport = 'tcp' | 'unix' | 'tls';

export type Topology = 'standalone' | 'cluster';

/** Which servers clients send their reads to. */
export type ReadFrom = 'primary' | 'replica';

export type ValueKind = 'text' | 'json';

export type KeyDistribution = 'uniform' | 'zipf' | 'sequential';

/** The lengths of the shortest and of the longest. */
export type SizeRange = [shortest: number, longest: number];

/** Operations a second. */
export type RateRange = [low: number, high: number];

/** How the operations of an open loop follow each other: evenly, or at random as independent users would. */
export type Arrivals = 'even' | 'poisson' | 'recorded';

/** What becomes of an operation that is due while too many are under way. */
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
  | 'slow'
  | 'stall'
  | 'restart'
  | 'loading'
  | 'maxclients'
  | 'oom'
  | 'failover';

/** Something that breaks in a run. */
export interface FaultSpec {
  /** As it was written: `slow:50ms:2s`. */
  name: string;
  kind: FaultKind;
  /** Whose doing it is. */
  by: 'nobody' | 'relay' | 'server';
  /** Of a restart: whether the server has its data again. */
  keepsData: boolean;
  /** What a round trip takes longer; null where it does not. */
  byMs: number | null;
  /** How long it lasts; null where it is over at once, or for good. */
  lastsMs: number | null;
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

export interface Settings {
  clients: string[];
  scenarios: string[];
  tasks: number[];
  /** What the application computes after each operation, in µs. */
  appWork: number[];
  /** Sets of traffic beside the measured operations, an empty one for none. */
  beside: CompanyPart[][];
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
  /** Round trips in milliseconds that a relay adds; 0 for no relay, `relay` for one without delay. */
  rtt: (number | 'relay')[];
  /** In percent of each delay of the relay, up or down. */
  jitter: number | undefined;
  /** Masters of a managed cluster. */
  clusterNodes: number;
  /** Of a managed server, or of each master of a managed cluster. */
  replicas: number;
  /** Which servers clients read from, side by side; as they like where that was not asked for. */
  readFrom: ReadFrom[] | undefined;
  /** Whether all keys of a cluster live on one node. */
  oneSlot: boolean;
  /** Whether an external server may be used up to where it evicts keys or refuses writes. */
  allowEviction: boolean;
  /** Commands under way at most, in an open loop. */
  maxInFlight: number[] | undefined;
  iterations: number | 'auto' | CostModel;
  /** 0 until the plan is known, where the user does not say. */
  runTimeMs: number;
  /** How often each cell's worker is started anew, the runs divided among the starts. */
  starts: number | 'auto';
  durationMs: number | undefined;
  /** Operations a second of all tasks and processes together; undefined for a closed loop. */
  rate: number[] | undefined;
  /** How many times as fast as it was recorded; undefined unless a profile keeps its times. */
  speed: number[] | undefined;
  rateSearch: RateRange | undefined;
  /** What breaks; undefined where nothing is meant to. */
  fault: FaultSpec[] | undefined;
  /** When, since the start of a run; undefined for after three tenths of it. */
  faultAtMs: number | undefined;
  sloMs: number | undefined;
  /** Missing where the user leaves it to the workload: recorded times, or evenly spaced. */
  arrivals?: Arrivals;
  whenFull: WhenFull;
  /** Keys and values of the operations under way, each at its longest. */
  maxInFlightBytes: number;
  /** Worker processes of a cell; of each role, where its workload has several. */
  processes: number[];
  /** The URL of the control Redis where agents wait, or how many are started here; undefined for none. */
  agents: string | { local: number } | undefined;
  /** How many of them; undefined for all. */
  queueToken: string | undefined;
  machines: number[] | undefined;
  /** A file with options for the clients, or its contents. */
  config: string | Record<string, unknown> | undefined;
  /** The longest that a run may take; if undefined, it follows from the expected length. */
  runTimeoutMs: number | undefined;
  runs: number;
  /** How near to its median the interval of every cell must be, in percent. */
  untilStable: number | undefined;
  maxRuns: number;
  /** How long a map may take; undefined where each cell is measured alike. */
  budgetMs: number | undefined;
  warmupRuns: number;
  seed: number;
  latency: 'on' | 'off';
  /** What is profiled after the timed runs; undefined for nothing. */
  profile: ProfileSettings | undefined;
  /** Whether the server is profiled too, in runs of its own. */
  profileServer: boolean;
  pin: Pin[];
  /** Paths of Node binaries. */
  nodeBin: string[] | undefined;
  /** Assertions, as text. */
  assert: string[];
  /** Whether they must hold for all values that the intervals allow. */
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
  /** Managed servers side by side: paths or names on PATH, each perhaps with a name of the user's before it. */
  server: string[] | undefined;
  /** Sets of settings side by side. */
  serverConfig: ServerConfig[] | undefined;
  full: boolean;
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
