// @ts-ignore inferred from code: programs that use the package see any
import type { capacityOf } from '../../benchmark/run/memory-check.js';
// @ts-ignore as above
import type { createPlan } from '../../benchmark/run/plan.js';
// @ts-ignore as above
import type { parseClient } from '../../options/client-options.js';
import type { Topology, Transport } from '../../options/types.js';
import type { Release, Runtime } from '../machine/types.js';
import type { Stored } from '../store/types.js';
// @ts-ignore as above
import type { readNames } from './cells.js';

/** One of --clients. */
export type AskedClient = ReturnType<typeof parseClient>;

/** The variant of the client that it extends, and its options. */
export type OwnVariant = NonNullable<Cell['ownVariant']>;

export type ReadNames = ReturnType<typeof readNames>;

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

/** What is asked for; a cell also has what was found for it. */
export type CellPoint = Omit<
  Cell,
  'id' | 'group' | 'release' | 'runtime' | 'underWay' | 'floor' | 'chosen' | 'words' | 'skipped'
>;

export type FaultPlan = Stored<'FaultPlan'>;
export type OpenLoopPlan = Stored<'OpenLoopPlan'>;
export type Cell = Stored<'Cell'>;

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

export type Plan = ReturnType<typeof createPlan>;
export type Capacity = ReturnType<typeof capacityOf>;

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
