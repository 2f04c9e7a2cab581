import type { GenericSchema, InferOutput } from 'valibot';
import type { ReadFrom, Topology, Transport } from '../options/types.js';
import type { Notice, ServerFacts } from '../store/types.js';

export interface Target {
  transport: Transport;
  topology?: Topology;
  host?: string;
  port?: number;
  path?: string;
  username?: string;
  password?: string;
  database?: number;
  tls?: TlsOptions;
  /** Cluster masters, or the primary behind Sentinels; `host` and `port` are those of the first. */
  nodes?: NodeAddress[];
  sentinels?: NodeAddress[];
  masterName?: string;
  /** Credentials of Sentinels, if they differ from the servers'. */
  sentinelUsername?: string;
  sentinelPassword?: string;
  /** Set if replicas may be read, and always behind Sentinels. */
  replicas?: NodeAddress[];
  readFrom?: ReadFrom;
  /** Redirects sockets of workers from an announced `host:port`. */
  addressMap?: Record<string, NodeAddress>;
}

export interface TlsOptions {
  /** PEM; default: the system's authorities. */
  ca?: string;
  cert?: string;
  key?: string;
  rejectUnauthorized: boolean;
  servername?: string;
}

export interface NodeAddress {
  host: string;
  port: number;
}

/** PEM, signed by an authority of this invocation. */
export interface Certificates {
  ca: string;
  cert: string;
  key: string;
}

/** The tool's own connection. */
export interface Control {
  command(...args: string[]): Promise<unknown>;
  /** For a command of the user, which may take long. */
  commandWithin(limitMs: number, ...args: string[]): Promise<unknown>;
  /** For what is read of a reply, see replies.js; a ServerError where the reply is another. */
  ask<Schema extends GenericSchema>(schema: Schema, ...args: string[]): Promise<InferOutput<Schema>>;
  ping(): Promise<unknown>;
  /** For a command whose reply has the right type and makes no sense. */
  wrong(args: string[], why: string): Error;
  /** With the bytes that asking took; null if it is denied. */
  info(section?: string): Promise<InfoReply | null>;
  /** Null if it is denied, or unknown to the server. */
  config(name: string): Promise<string | null>;
  close(): void;
}

export interface InfoReply extends Cost {
  fields: Record<string, string>;
}

/** What it cost to ask. */
export interface Cost {
  requestBytes: number;
  replyBytes: number;
}

/** A server process of the tool's own. */
export interface ManagedProcess {
  targets: { tcp: Target; unix: Target; tls?: Target };
  control: Control;
  stop(): Promise<void>;
  folder: string;
  another(): Promise<ManagedProcess>;
  /** Waits for the end and recreates the folder; what it returns restarts it at the same addresses. */
  revive(): Promise<(args: string[]) => void>;
}

/** Servers that Sentinels watch. */
export interface Watched {
  name: string;
  sentinels: ManagedProcess[];
  servers: ManagedProcess[];
}

/** `node`: host:port or socket path. */
export interface ServerNode {
  node: string;
  control: Control;
}

export interface OpenOptions {
  topology?: Topology;
  /** Managed only. */
  withTls?: boolean;
  /** Masters of a managed cluster. */
  clusterNodes?: number;
  /** For each managed master. */
  replicas?: number;
  /** Silence before managed Sentinels consider a server down. */
  downAfterMs?: number;
  /** External cluster only. */
  withReplicas?: boolean;
  /** Where announced servers are reached, by `host:port`. */
  addressMap?: Record<string, NodeAddress>;
  serverBin?: string;
  /** Lines of redis.conf. */
  settings?: string[];
  /** Which cells run on it. */
  key?: string;
  /** Its name in rows. */
  name?: string;
  /** Managed standalone only. */
  serverArgs?: string[];
}

/** A server, or all nodes of one. */
export interface Server {
  key: string;
  kind: 'external' | 'managed';
  topology: Topology;
  targets: Partial<Record<Transport, Target>>;
  nodes: ServerNode[];
  isLocal: boolean;
  /** Missing for an external server. */
  processes?: ManagedProcess[];
  watched?: Watched;
  control: Control;
  /** One for each node; null if not in INFO. */
  memory: NodeMemory[] | null;
  /** Why there is no INFO: no permission, or no such command. */
  noInfo: 'denied' | 'unknown' | null;
  /** Replicas included; null if not in INFO. */
  runIds: string[] | null;
  pids: number[];
  freeConnections: number | null;
  facts: ServerFacts;
  warnings: Notice[];
  /** Command, then the arguments after the key. */
  removal: string[];
  /** To start one more of the same kind. */
  options: OpenOptions;
  close(): Promise<void>;
  replicated(): Promise<void>;
  /** Totals over nodes; null if INFO is denied. A ServerError if another server answers. */
  snapshot(): Promise<Snapshot | null>;
  /**
   * How many of 100 commands that this tool itself sends are missing in the server's counters: some servers and proxies do
   * not count all. Asked once, where a client seems to send less than it claims.
   */
  uncounted(prefix: string): Promise<number>;
  /** What each node has now; null if not in INFO. */
  askMemory(onRead?: (read: Cost) => void): Promise<NodeMemory[] | null>;
  /** A ServerError if the server is gone or another one. */
  confirm(): Promise<void>;
  /** Keys removed, by prefix. */
  removeKeys(prefixes: string[]): Promise<Map<string, number>>;
  /** Keys per invocation, by its prefix. */
  findPrefixes(): Promise<Map<string, number>>;
  /** Waits as long as workers do for a command of the user. */
  onKey(...command: [string, string, ...string[]]): Promise<unknown>;
}

export type { ServerFacts };

export interface NodeMemory {
  /** 0 for no limit. */
  maxBytes: number;
  usedBytes: number;
  policy: string;
  residentBytes: number;
  /** What the machine has; null if not in INFO. */
  systemBytes: number | null;
}

interface Counts {
  commands: number | null;
  reads: number | null;
  connections: number | null;
  netInputBytes: number | null;
  netOutputBytes: number | null;
  mainThreadCpuUs: number | null;
  allThreadsCpuUs: number | null;
  /** How often each command was called, by its name in lower case. */
  calls: Record<string, number> | null;
}

/** What one server has counted, with the cost of asking. */
export interface Counters extends Counts, Cost {
  runId: string | null;
  evictedKeys: number | null;
  expiredKeys: number | null;
  memory: NodeMemory[] | null;
  /** Failed calls, by the error's first word. */
  errors: Record<string, number> | null;
}

export interface NodeCounters {
  node: string;
  snapshot: Counters;
}

/** The sum of a cluster's masters; replicas are not part of it. */
export interface Snapshot extends Counters {
  nodes?: NodeCounters[];
  replicas?: NodeCounters[];
}

/** What others did between two snapshots. */
export interface ServerDelta extends Counts {
  /** Redirections by cluster nodes: permanent (MOVED), one command (ASK). */
  moved: number | null;
  asked: number | null;
  nodes: NodeDelta[] | null;
  sleeps?: number | null;
  /** Not part of the other counters, except `calls`. */
  replicas?: ReplicasDelta;
}

export interface NodeDelta {
  node: string;
  commands: number | null;
  mainThreadCpuUs: number | null;
}

export interface ReplicasDelta
  extends Pick<Counts, 'commands' | 'reads' | 'netInputBytes' | 'netOutputBytes'> {
  nodes: NodeDelta[];
  /** Reads that were left to primaries. */
  primaryCommands: number | null;
}
