import type { AxisPoint, CellWords } from '../axes/types.js';
import type { Release, Runtime } from '../machine/types.js';
import type { Arrivals, FaultSpec, Pin, RateRange, Topology, Transport, WhenFull } from '../options/types.js';
import type { Chosen, ScenarioOptions } from '../plugins/types.js';

/** What the user means by one of --clients. */
export interface AskedClient {
  client: string;
  variant: string;
  /** A version, a range, a tag or `path:…`; null for the release that is installed with this tool. */
  wanted: string | null;
  /** Missing for a variant that comes with the client. */
  own?: OwnVariant;
}

/** A variant of the user's own. */
export interface OwnVariant {
  /** The variant of the client's that these options come on top of. */
  base: string;
  options: Record<string, unknown>;
}

/** What the names in the settings mean. */
export interface ReadNames {
  clients: AskedClient[];
  /** Workloads and pipelining modes by their names. */
  chosen: Record<'workload' | 'pipelining', Map<string, Chosen>>;
}

/** What was found for the requested releases and Node binaries. */
export interface Sources {
  /** Parsed already, if the caller has done so. */
  names?: ReadNames;
  /** By the requested name: `redis@5.8`. */
  releases?: Map<string, Release>;
  runtimes?: Runtime[];
  /** The servers that are measured side by side; one if missing. */
  servers?: ServerChoice[];
}

/** One of several servers, as cells name it, and what it offers. */
export interface ServerChoice extends Pick<CellPoint, 'server' | 'serverConfig' | 'serverCopy'> {
  transports: Transport[];
}

/** A command that stands beside the measured operations. */
export interface BackgroundPart {
  /** `GET 1mb @ 20/s` */
  name: string;
  command: 'get' | 'set' | 'eval' | 'blpop';
  /** Of its value. */
  bytes: number | null;
  /** How long the server is busy, or the command waits. */
  ms: number | null;
  /** Of all processes together; null where the next is sent when the last is answered. */
  perSecond: number | null;
  /** Sent by other clients of the server, each in a process of its own. */
  byOthers?: boolean;
}

/** One point of the matrix. */
export interface CellPoint extends AxisPoint {
  client: string;
  /** The release that was asked for: an exact version, or `path:…`; null where none was. */
  version: string | null;
  variant: string;
  /** Missing for a variant that comes with the client. */
  ownVariant?: OwnVariant;
  /** From 1; more where the same client is measured against itself. */
  copy: number;
  /** Missing or null where there is one server only, as are its settings. */
  server?: string | null;
  serverConfig?: string | null;
  /** From 1; more where the same server is measured against itself. */
  serverCopy?: number;
  /** The Node that its worker runs on; null for the tool's own. */
  node: string | null;
  scenario: string;
  scenarioOptions: ScenarioOptions;
  pipelining: string;
  workload: string;
  /** How its requests are coded; missing for other workloads. */
  way?: string;
  pin: Pin;
  transport: Transport;
  topology: Topology;
  keySize: number;
  /** Of the longest value; the shortest is as long unless a range was asked for. */
  valueSize: number;
  shortestValue: number;
  keys: number;
  /** Worker processes, each with all of the tasks; on each machine, where there are several. */
  processes: number;
  openLoop: OpenLoopPlan | null;
}

export interface FaultPlan extends FaultSpec {
  /** When it strikes, since the start of a run. */
  atMs: number;
}

/** One life of the workers of a group, and the rounds that they run. */
export interface Start {
  /** From 1. */
  start: number;
  first: number;
  last: number;
  isLast: boolean;
  /** The ids of those that take part; missing for all. What is left out once is never started again. */
  cells?: string[];
  /** What is left of the time that it may take; missing where nothing bounds it. */
  leftMs?: () => number;
}

/** An open loop as it was asked for; null in a cell with a closed loop. */
export interface OpenLoopPlan {
  ratePerSecond: number;
  /** The rate is a step of a search between these; null where it was asked for. */
  search: RateRange | null;
  /** The rate is sustained only with a p99 latency, from the scheduled start, within this; null for any. */
  sloMs: number | null;
  arrivals: Arrivals;
  /** Of a recording whose times are kept: how many times as fast. */
  speed?: number;
  whenFull: WhenFull;
  /** Commands in flight at most, in all processes together. */
  maxInFlight: number;
}

export interface Cell extends CellPoint {
  id: string;
  /** Missing in results of releases that did not save it. */
  words?: CellWords;
  /** What the names of its pipelining mode and workload mean. */
  chosen: { pipelining: Chosen; workload: Chosen };
  /** The same for all cells that are compared with each other. */
  group: string;
  /** The package that it measures; null where the client has none, or it is not installed. */
  release: Release | null;
  /** The Node binary that was asked for. */
  runtime: Runtime | null;
  /**
   * Operations that a process can have in flight at once, and the size of their batches; null if not known.
   */
  underWay?: { atOnce: number; batch: number } | null;
  /** Whether its client is the floor that the others are compared with. */
  floor: boolean;
  /** Why it is skipped, if it is; a sentence in results of earlier releases. */
  skipped: SkipReason | string | null;
}

/** Its words are made by report/words/skip-words.js; those in `own` are a plugin's. */
export type SkipReason =
  | { kind: 'not-offered'; transport: string; offered: string[] }
  | { kind: 'not-installed'; package: string }
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
  /** `topology`: missing in older results, which knew clusters only. */
  | { kind: 'cluster-over-unix'; topology?: Topology }
  | { kind: 'external-standalone' }
  | { kind: 'messages-with-load' }
  | { kind: 'messages-held-back'; pipelining: string }
  | { kind: 'distance-over-unix' }
  | { kind: 'only-with-fault'; workload: string }
  | { kind: 'not-with-fault'; workload: string }
  | { kind: 'fault-keys'; keys: number; most: number }
  | { kind: 'fault-of-managed'; fault: string }
  | { kind: 'fault-changes'; fault: string }
  | { kind: 'fault-with-agents' }
  /** `topology`: missing in older results, which knew clusters only. */
  | { kind: 'fault-of-single'; fault: string; able: string[]; topology?: Topology }
  | { kind: 'fault-of-sentinels'; fault: string }
  | { kind: 'fault-of-cluster'; fault: string }
  | { kind: 'fault-over-unix'; fault: string }
  | { kind: 'fault-in-batches'; pipelining: string }
  | { kind: 'fault-rate'; most: number }
  | { kind: 'fault-idle'; fault: string }
  | { kind: 'writes-unnumbered'; able: string[] }
  | { kind: 'values-too-short'; least: number }
  | { kind: 'tasks-per-machine'; tasks: number; machines: number }
  | { kind: 'low-max-in-flight'; limit: number; processes: number; batch: number | null }
  | { kind: 'too-many-files'; connections: number; files: number; enough: number }
  | { kind: 'too-many-sockets'; sockets: number; files: number }
  | { kind: 'too-many-clients'; connections: number; before: number; free: number };

/** Which decides what is measured next, and when to stop. */
export type PolicyName = 'rounds' | 'map' | 'search';

export interface Plan {
  policy: PolicyName;
  cells: Cell[];
  /** The cells that will run, by group. */
  groups: Cell[][];
  /** Timed runs in all. */
  runs: number;
  /** About how long all of it takes; null where that cannot be known beforehand. */
  estimateMs: number | null;
}

/** What this machine can hold at once. */
export interface Capacity {
  /** Memory that is free. */
  bytes: number;
  /** Worker processes, each of which takes open files of the tool; Infinity where that is no limit. */
  processes: number;
}

/** What a server is to store: keys with values of a size, or what a command stores. */
export interface MemoryNeed {
  keys: number;
  keySize?: number;
  valueSize?: number;
  command?: string;
}

/** How many connections there can be; null where that is not known. */
export interface Limits {
  /** That a process of this tool may have open, other files included. */
  files: number | null;
  /** That each server still takes, on each of its nodes, by its key. */
  servers: Partial<Record<string, { free: number | null; nodes: number }>>;
}
