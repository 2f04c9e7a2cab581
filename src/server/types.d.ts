import type { ReadFrom, Topology, Transport } from '../options/types.js';
import type { Notice } from '../results/types.js';

/** Where a client connects to: plain JSON. */
export interface Target {
  transport: Transport;
  /** `standalone` where it is missing. */
  topology?: Topology;
  host?: string;
  port?: number;
  path?: string;
  username?: string;
  password?: string;
  database?: number;
  tls?: TlsOptions;
  /** The masters of a cluster, or the primary behind Sentinels, host and port being those of the first. */
  nodes?: NodeAddress[];
  /** With the topology `sentinel`: the Sentinels, and what they call the primary. */
  sentinels?: NodeAddress[];
  masterName?: string;
  /** What Sentinels ask for, where that differs from the servers. */
  sentinelUsername?: string;
  sentinelPassword?: string;
  /** Of the server, or of all masters of a cluster; missing where reads are for the primaries only, unless behind Sentinels. */
  replicas?: NodeAddress[];
  /** Which servers clients are to read from, where that was asked for; missing for the client's own way. */
  readFrom?: ReadFrom;
  /** Where the sockets of workers are led instead of to the `host:port` that a server announces. */
  addressMap?: Record<string, NodeAddress>;
}

/** Options of Node's tls.connect. */
export interface TlsOptions {
  /** Certificates in PEM; the system's authorities by default. */
  ca?: string;
  /** The client's certificate, in PEM. */
  cert?: string;
  key?: string;
  rejectUnauthorized: boolean;
  servername?: string;
}

export interface NodeAddress {
  host: string;
  port: number;
}

/** This invocation's own authority and a certificate signed by it, in PEM. */
export interface Certificates {
  ca: string;
  cert: string;
  key: string;
}

export interface Control {
  ping(): Promise<unknown>;
  info(): Promise<InfoReply | null>;
  config(name: string): Promise<string | null>;
  set(key: string, value: string): Promise<unknown>;
  command(...args: string[]): Promise<unknown>;
  close(): void;
}

export interface ManagedProcess {
  targets: { tcp: Target; unix: Target; tls?: Target };
  /** Where other servers and Sentinels reach it, if not at its own address. */
  announced?: NodeAddress;
  control: Control;
  stop(): Promise<void>;
  /** Goes with the server. */
  folder: string;
  /** Starts one more of the same kind, on other ports. */
  another(): Promise<ManagedProcess>;
  /** Resolves when the server and its folder are gone. */
  ended(): Promise<void>;
  /** After its end makes its folder again; `launch` starts it at the same addresses, with these options more. */
  revive(args?: string[]): Promise<{ launch(): void }>;
}

export interface Watched {
  /** What the Sentinels call their primary. */
  name: string;
  sentinels: ManagedProcess[];
  servers: ManagedProcess[];
}

/** What a server is started from, or where it runs, and how cells name it. */
export interface ServerSource {
  /** null where there is one only, as with its settings. */
  server: string | null;
  serverConfig: string | null;
  /** From 1; more where the same is measured against itself. */
  serverCopy: number;
  /** null for a managed one. */
  external: Target | null;
  /** null for the one that is found on PATH. */
  binary: string | null;
  settings: string[];
  transports: Transport[];
}

/** A standalone server or a whole cluster. */
export interface Server {
  key: string;
  kind: 'managed' | 'external';
  topology: Topology;
  isLocal: boolean;
  targets: Partial<Record<Transport, Target>>;
  /** Without replicas. */
  nodes: { node: string; control: Control }[];
  /** To all nodes at once. */
  control: Control;
  /**
   * The counters of all nodes together; null where INFO is not allowed.
   * @throws {ServerError} when it is not the server any more that was opened
   */
  snapshot(): Promise<Snapshot | null>;
  /** What its nodes have logged since the last call; empty at the first one, and where a node does not tell. */
  slowCommands(): Promise<SlowCommand[]>;
  /** Resolves when it still is there, the same as at the start. @throws {ServerError} otherwise */
  confirm(): Promise<void>;
  /** Removes every key that starts with one of these, on every node. @returns how many there were of each */
  removeKeys(prefixes: string[]): Promise<Map<string, number>>;
  /** The command by which this user may remove a key, and what follows the key. */
  removal: string[];
  /**
   * Resolves when its replicas have all that their primaries had at the call; at once where there are none.
   * @throws {ServerError} when that takes too long
   */
  replicated(): Promise<void>;
  /** Sends a command about a key to the node that has it. */
  onKey(command: string, key: string, ...rest: string[]): Promise<unknown>;
  /** Of a managed server; missing for an external one. */
  processes?: ManagedProcess[];
  /** Managed Sentinels, and the servers that they watch, of which the first was the primary when they started. */
  watched?: Watched;
  /** Starts one more of the same kind, which the caller closes. */
  another?(more: {
    withTls: boolean;
    serverArgs: string[];
    downAfterMs?: number;
    /** Puts something between servers and Sentinels, and returns where these reach each server then. */
    between?: (places: NodeAddress[]) => Promise<NodeAddress[]>;
  }): Promise<Server>;
  /** How many keys there are of each invocation of this tool, by its prefix. */
  findPrefixes(): Promise<Map<string, number>>;
  /** Of each node; null where INFO does not tell. */
  memory: MemoryFacts[] | null;
  /** Of every node that a connection may reach, replicas included; null where INFO does not tell. */
  runIds: string[] | null;
  pids: number[];
  /** Connections that each node can still accept; null where it does not tell. */
  freeConnections: number | null;
  facts: ServerFacts;
  warnings: Notice[];
  close(): Promise<void>;
}

/** Why no server is profiled. */
export type NoServerProfile =
  | { kind: 'perf-not-here'; platform: string }
  | { kind: 'server-far' }
  | { kind: 'server-without-pid' }
  | { kind: 'server-unseen' }
  | { kind: 'perf-missing' }
  /** `why`: its first line; null where it said nothing. */
  | { kind: 'perf-refused'; why: string | null; paranoid: number | null }
  | { kind: 'perf-failed'; why: string }
  | { kind: 'server-cpu-unknown' }
  | { kind: 'perf-without-samples'; operations: number };

/** Says by perf which code the main threads of a server's processes run. */
export interface Sampler {
  /** The files that they run. */
  binaries: string[];
  /**
   * @returns what the work returned, and what perf says of it: a line for each sample
   * @throws what the work throws; a perf that fails is reported instead
   */
  sampleDuring<T>(
    work: () => Promise<T>,
  ): Promise<{ done: T; text: string; failure?: undefined } | { failure: NoServerProfile }>;
}

export interface MemoryFacts {
  /** 0 for no limit. */
  maxBytes: number;
  usedBytes: number;
  policy: string;
}

export interface ServerFacts {
  kind: 'managed' | 'external';
  /** What rows call it, with its settings; missing where there is one server only. */
  name?: string;
  software: string;
  version: string | null;
  mode: string | null;
  transports: string[];
  /** host:port of each master of a cluster. */
  nodes: string[] | null;
  /** host:port of each replica; missing where none are known of. */
  replicas?: string[];
  config: Record<string, string | null>;
  /** What the fastest of some PINGs took from here, to an external server. */
  roundTripUs?: number;
  /** The name of one before it that is the same process, reached by another address. */
  sameAs?: string;
}

export interface InfoReply {
  /** Every field of every section by its name. */
  fields: Record<string, string>;
  requestBytes: number;
  replyBytes: number;
}

/** Counters of a server at one moment; null where it does not tell. */
export interface Snapshot extends ServerCounters {
  runId: string | null;
  /** Keys that it has evicted since its start, and those whose time to live was over. */
  evictedKeys: number | null;
  expiredKeys: number | null;
  /** Calls that ended with an error, by its first word. */
  errors: Record<string, number> | null;
  /** The parts of this sum, for a cluster. */
  nodes: { node: string; snapshot: Snapshot }[] | null;
  /** Of its replicas, which are no part of the sum; missing where there are none. */
  replicas?: { node: string; snapshot: Snapshot }[];
  /** Bytes that the snapshot itself cost. */
  requestBytes: number;
  replyBytes: number;
}

/** A command of which a server says that it was slow. */
export interface SlowCommand {
  ms: number;
  /** In upper case. */
  name: string;
}

/** What a server did between two snapshots, without the tool's own commands. */
export interface ServerDelta extends ServerCounters {
  /** Commands that a cluster's node sent elsewhere: for good (MOVED), or this time (ASK). */
  moved: number | null;
  asked: number | null;
  /** How often the main threads of its processes went to sleep; missing where nobody looked. */
  sleeps?: number | null;
  nodes: NodeDelta[] | null;
  /** What replicas did for clients; missing where there are none. All other counters but `calls` are those of the primaries. */
  replicas?: ReplicasDelta;
}

/** What replicas did for clients: commands that only read. Writes came to them from their primaries, which have counted them. */
export interface ReplicasDelta
  extends Pick<ServerCounters, 'commands' | 'reads' | 'writes' | 'netInputBytes' | 'netOutputBytes'> {
  nodes: NodeDelta[];
  /** Commands that only read, which the primaries answered. */
  primaryCommands: number | null;
}

export interface NodeDelta {
  /** host:port */
  node: string;
  commands: number | null;
  mainThreadCpuUs: number | null;
}

export interface ServerCounters {
  commands: number | null;
  reads: number | null;
  writes: number | null;
  connections: number | null;
  netInputBytes: number | null;
  netOutputBytes: number | null;
  mainThreadCpuUs: number | null;
  /** Of all threads, that of the main one included. */
  allThreadsCpuUs: number | null;
  /** Calls by command, in lower case. */
  calls: Record<string, number> | null;
}
