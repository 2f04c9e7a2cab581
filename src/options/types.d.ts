import type { ClientPlugin, PluginKind } from '../plugins/types.js';
import type { AskedClient } from '../run/plan/types.js';

export type OptionGroup = 'compare' | 'send' | 'server' | 'measure' | 'print';

/** Reads a text or a value, or throws what was expected. */
export interface OptionKind<Value = unknown> {
  (value: unknown): Value;
  /** The `n` of `--runs <n>`; empty for a switch. */
  takes?: string;
  /** All values that it takes, or that a list may hold; missing where they are not a few names. */
  choices?: readonly string[];
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
  /** `5ms`; read as milliseconds. */
  | { type: 'time' }
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
type TextsOrNone = 'command' | 'prepare' | 'way' | 'nodeBin' | 'import' | 'server';
type Numbers = 'size' | 'tasks' | 'appWork' | 'processes';
type NumbersOrNone = 'keySize' | 'maxInFlight' | 'rate' | 'share' | 'speed';

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
  prepareEach: boolean;
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
  /** Of which cells: `best` as far as there is time. */
  breakdown: 'all' | 'best' | 'none';
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
