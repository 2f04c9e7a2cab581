import type { ReadFrom, Topology, Transport } from '../../options/types.js';
import type { Stored } from '../store/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { makeCertificates } from './certificates.js';
// @ts-ignore as above
import type { infoReply } from './control.js';
// @ts-ignore as above
import type { openServer } from './open.js';

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
export type Certificates = ReturnType<typeof makeCertificates>;

export interface Control {
  ping(): Promise<unknown>;
  info(): Promise<InfoReply | null>;
  config(name: string): Promise<string | null>;
  command(...args: string[]): Promise<unknown>;
  close(): void;
}

export interface ManagedProcess {
  targets: { tcp: Target; unix: Target; tls?: Target };
  control: Control;
  stop(): Promise<void>;
  folder: string;
  another(): Promise<ManagedProcess>;
  ended(): Promise<void>;
  /** Waits for the end and recreates the folder; `launch` restarts it at the same addresses. */
  revive(args?: string[]): Promise<{ launch(): void }>;
}

export interface Watched {
  name: string;
  sentinels: ManagedProcess[];
  servers: ManagedProcess[];
}

export interface ServerSource {
  /** null if there is only one server and configuration. */
  server: string | null;
  serverConfig: string | null;
  /** From 1, for comparing a server with itself. */
  serverCopy: number;
  external: Target | null;
  /** null if found on PATH. */
  binary: string | null;
  settings: string[];
  transports: Transport[];
}

export type Server = Awaited<ReturnType<typeof openServer>>;
export type ServerFacts = Stored<'ServerFacts'>;
/** With the bytes that asking took. */
export type InfoReply = NonNullable<ReturnType<typeof infoReply>>;

export interface Snapshot extends ServerCounters {
  runId: string | null;
  evictedKeys: number | null;
  expiredKeys: number | null;
  /** Failed calls, by the error's first word. */
  errors: Record<string, number> | null;
  nodes: { node: string; snapshot: Snapshot }[] | null;
  /** Not part of the sum. */
  replicas?: { node: string; snapshot: Snapshot }[];
  /** Cost of the snapshot itself. */
  requestBytes: number;
  replyBytes: number;
}

export interface ServerDelta extends ServerCounters {
  /** Redirections by cluster nodes: permanent (MOVED), one command (ASK). */
  moved: number | null;
  asked: number | null;
  sleeps?: number | null;
  nodes: NodeDelta[] | null;
  /** Not part of the other counters, except `calls`. */
  replicas?: ReplicasDelta;
}

/** Read-only commands. Replicated writes count for the primary. */
export interface ReplicasDelta
  extends Pick<ServerCounters, 'commands' | 'reads' | 'netInputBytes' | 'netOutputBytes'> {
  nodes: NodeDelta[];
  /** Read-only commands of the primaries. */
  primaryCommands: number | null;
}

export interface NodeDelta {
  node: string;
  commands: number | null;
  mainThreadCpuUs: number | null;
}

export interface ServerCounters {
  commands: number | null;
  reads: number | null;
  connections: number | null;
  netInputBytes: number | null;
  netOutputBytes: number | null;
  mainThreadCpuUs: number | null;
  allThreadsCpuUs: number | null;
  /** By command, lower case. */
  calls: Record<string, number> | null;
}

/** What was done about another invocation's keys. */
export interface Swept {
  prefix: string;
  /** When it started; null if unknown. */
  at: string | null;
  /** Left alone, because it may still run. */
  inUse: boolean;
  removed: number;
  failure: string | null;
}
