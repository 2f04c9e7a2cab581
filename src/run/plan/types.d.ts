import type { CommandPlan } from '../../commands/types.js';
import type { Imported, Release, Runtime } from '../../machine/types.js';
import type { Encoding, Topology, Transport } from '../../options/types.js';
import type { Chosen } from '../../plugins/types.js';
import type { Cell, OpenLoopPlan } from '../../store/types.js';

/** One of --clients. */
export interface AskedClient {
  client: string;
  variant: string;
  /** A version, a range, a tag or `path:…`; null for the release that is installed with this tool. */
  wanted: string | null;
  own?: OwnVariant;
}

/** The variant of the client that it extends, and its options. */
type OwnVariant = NonNullable<Cell['ownVariant']>;

/** What the names in settings mean. */
export interface ReadNames {
  /** Each with the name that the user wrote. */
  chosen: Record<'workload' | 'pipelining', Map<string, Chosen>>;
  clients: AskedClient[];
}

/** What was found for the requested releases and Node binaries. */
export interface Sources {
  names?: ReadNames;
  /** Each with the requested name: `redis@5.8`. */
  releases?: Map<string, Release>;
  runtimes?: Runtime[];
  /** Null for none. */
  imports?: (Imported | null)[];
  /** Measured side by side; one if missing. */
  servers?: ServerChoice[];
  command?: CommandPlan;
}

/** One of several servers, as cells name it, and what it offers. */
export interface ServerChoice extends Pick<CellPoint, 'server' | 'serverConfig'> {
  transports: Transport[];
}

/** What is asked for; a cell also has what was found for it. */
export type CellPoint = Omit<
  Cell,
  'id' | 'group' | 'release' | 'runtime' | 'inFlight' | 'floor' | 'chosen' | 'words' | 'skipped'
>;

export type { Cell, OpenLoopPlan };

/** Why a cell is skipped, and what its sentence tells; a command adds its own. */
export interface SkipReasons {
  'cluster-over-unix': { topology: Topology };
  'external-standalone': object;
  'distance-over-unix': object;
  'not-of-replicas': { workload?: string; able: string[] };
  'requests-in-batches': { workload: string; pipelining: string };
  'computes-between': { workload: string; pipelining: string };
  'of-one-node': { workload: string };
  'way-for-keys': { workload?: string; way: string; able: string[] };
  'few-keys': { workload?: string; keys: number; count: number };
  'reads-own-replies': { workload: string };
  'encodes-none': { workload: string };
  'encoded-as-bytes': { encode: Encoding };
  'no-recorded-times': { workload: string };
  'tasks-per-machine': { tasks: number; machines: number };
  'low-max-in-flight': { limit: number; processes: number; batch: number | null };
  'not-offered': { transport: Transport; offered: Transport[] };
  'not-installed': { package: string };
  'scenario-conflict': { own: string[] };
  'client-lacks': { client: string; own: string[] };
  'release-lacks': { client: string; version: string; what: string; since: string };
  'too-many-files': { connections: number; files: number; enough: number };
  'too-many-sockets': { sockets: number; files: number };
  'too-many-clients': { connections: number; before: number; free: number; closing?: number };
  'no-time': { budgetMs: number; needMs: number };
}

export type SkipReason = {
  [Kind in keyof SkipReasons]: { kind: Kind } & SkipReasons[Kind];
}[keyof SkipReasons];

export interface Plan {
  cells: Cell[];
  /** Cells that will run. */
  groups: Cell[][];
  /** Runs of all cells; where these race, at least so many. */
  runs: number;
  /** Whether it may end before the estimate. */
  isAtMost: boolean;
  /** Null where it cannot be known. */
  estimateMs: number | null;
}

/** How many workers this machine holds at once. */
export interface Capacity {
  bytes: number;
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
  /** Files that a process may have open. */
  files: number | null;
  /** Connections that each node of a server still takes, with the key of the server. */
  servers: Partial<Record<string, { free: number | null; nodes: number }>>;
}
