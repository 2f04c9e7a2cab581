import type { AxisPoint, CellWords } from '../../axes/types.js';
import type {
  Arrivals,
  FaultSpec,
  Pin,
  RateRange,
  Topology,
  Transport,
  WhenFull,
} from '../../options/types.js';
import type { Release, Runtime } from '../machine/types.js';
import type { Chosen, ScenarioOptions } from '../plugins/types.js';

/** One of --clients. */
export interface AskedClient {
  client: string;
  variant: string;
  /** A version, a range, a tag or `path:…`; null for the release that is installed with this tool. */
  wanted: string | null;
  /** Missing for a variant that comes with the client. */
  own?: OwnVariant;
}

export interface OwnVariant {
  /** The variant of the client that these options extend. */
  base: string;
  options: Record<string, unknown>;
}

export interface ReadNames {
  clients: AskedClient[];
  /** By name. */
  chosen: Record<'workload' | 'pipelining', Map<string, Chosen>>;
}

/** What was found for the requested releases and Node binaries. */
export interface Sources {
  names?: ReadNames;
  /** By the requested name: `redis@5.8`. */
  releases?: Map<string, Release>;
  runtimes?: Runtime[];
  /** Measured side by side; one if missing. */
  servers?: ServerChoice[];
}

/** One of several servers, as cells name it, and what it offers. */
export interface ServerChoice extends Pick<CellPoint, 'server' | 'serverConfig' | 'serverCopy'> {
  transports: Transport[];
}

export interface CellPoint extends AxisPoint {
  client: string;
  /** As asked for: an exact version, or `path:…`; null where no release was. */
  version: string | null;
  variant: string;
  /** Missing for a variant that comes with the client. */
  ownVariant?: OwnVariant;
  /** From 1; more where a client is compared with itself. */
  copy: number;
  /** Missing or null where there is only one server, as are its settings. */
  server?: string | null;
  serverConfig?: string | null;
  serverCopy?: number;
  /** Node of its worker; null for the tool's own. */
  node: string | null;
  scenario: string;
  scenarioOptions: ScenarioOptions;
  pipelining: string;
  workload: string;
  /** How its requests are coded. */
  way?: string;
  pin: Pin;
  transport: Transport;
  topology: Topology;
  keySize: number;
  /** Of the longest value; `shortestValue` is the same unless a range was asked for. */
  valueSize: number;
  shortestValue: number;
  keys: number;
  /** Worker processes on each machine, each with all of the tasks. */
  processes: number;
  openLoop: OpenLoopPlan | null;
}

export interface FaultPlan extends FaultSpec {
  /** When it strikes, from the start of a run. */
  atMs: number;
}

export interface OpenLoopPlan {
  ratePerSecond: number;
  /** The range of the search in which the rate is a step; null where the rate was asked for. */
  search: RateRange | null;
  /** The rate counts as sustained only if the p99 from the scheduled start is within this; null for any. */
  sloMs: number | null;
  arrivals: Arrivals;
  /** Multiple of the recorded rate. */
  speed?: number;
  whenFull: WhenFull;
  /** Commands in flight, in all processes together. */
  maxInFlight: number;
}

export interface Cell extends CellPoint {
  id: string;
  words: CellWords;
  chosen: { pipelining: Chosen; workload: Chosen };
  /** The same for all cells that are compared. */
  group: string;
  /** Null where the client has no package, or it is not installed. */
  release: Release | null;
  runtime: Runtime | null;
  /** Operations that a process can have in flight, and the size of their batches; null if unknown. */
  underWay?: { atOnce: number; batch: number } | null;
  /** Its client is the floor that the others are compared with. */
  floor: boolean;
  skipped: SkipReason | null;
}

/** Worded by report/words/skip-words.js; `own` is a plugin's text. */
export type SkipReason =
  | { kind: 'not-offered'; transport: string; offered: string[] }
  | { kind: 'not-installed'; package: string }
  | { kind: 'no-time'; budgetMs: number; needMs: number }
  | { kind: 'scenario-conflict'; own: string[] }
  | { kind: 'client-lacks'; client: string; own: string[] }
  | { kind: 'release-lacks'; client: string; version: string; what: string; since: string }
  | { kind: 'no-recorded-times'; workload: string }
  | { kind: 'computes-between'; workload: string; pipelining: string }
  | { kind: 'requests-in-batches'; workload: string; pipelining: string }
  | { kind: 'few-keys'; keys: number; count: number }
  | { kind: 'way-for-keys'; way: string; able: string[] }
  | { kind: 'of-one-node'; workload: string }
  | { kind: 'reads-own-replies'; workload: string }
  | { kind: 'encodes-none'; workload: string }
  | { kind: 'encoded-as-bytes'; encode: string }
  | { kind: 'cluster-over-unix'; topology: Topology }
  | { kind: 'external-standalone' }
  | { kind: 'distance-over-unix' }
  | { kind: 'fault-keys'; keys: number; most: number }
  | { kind: 'fault-of-single'; fault: string; able: string[]; topology: Topology }
  | { kind: 'fault-of-sentinels'; fault: string }
  | { kind: 'fault-over-unix'; fault: string }
  | { kind: 'fault-rate'; most: number }
  | { kind: 'fault-idle'; fault: string }
  | { kind: 'not-of-replicas'; able: string[] }
  | { kind: 'tasks-per-machine'; tasks: number; machines: number }
  | { kind: 'low-max-in-flight'; limit: number; processes: number; batch: number | null }
  | { kind: 'too-many-files'; connections: number; files: number; enough: number }
  | { kind: 'too-many-sockets'; sockets: number; files: number }
  | { kind: 'too-many-clients'; connections: number; before: number; free: number };

export interface Plan {
  cells: Cell[];
  /** Those that will run, by group. */
  groups: Cell[][];
  /** In all; at least, where cells race. */
  runs: number;
  /** Whether it may end before the estimate. */
  isAtMost: boolean;
  /** Null where it cannot be known beforehand. */
  estimateMs: number | null;
}

/** What this machine can hold at once. */
export interface Capacity {
  /** Free memory. */
  bytes: number;
  /** As many as the tool's limit of open files allows; Infinity where there is none. */
  processes: number;
}

/** What a server is to store: keys and values, or what a command stores. */
export interface MemoryNeed {
  keys: number;
  keySize?: number;
  valueSize?: number;
  command?: string;
}

/** Limits on connections; null where unknown. */
export interface Limits {
  /** That a process may have open. */
  files: number | null;
  /** By the key of the server: connections that each of its nodes still takes. */
  servers: Partial<Record<string, { free: number | null; nodes: number }>>;
}
