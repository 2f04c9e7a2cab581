import type { ReadFrom, Topology, Transport } from '../options/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { makeCertificates } from './certificates.js';
// @ts-ignore as above
import type { connectControl } from './control.js';
// @ts-ignore as above
import type { difference, snapshotOf } from './counters.js';
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

export type Control = Awaited<ReturnType<typeof connectControl>>;

export type Server = Awaited<ReturnType<typeof openServer>>;
export type { ServerFacts } from '../store/types.js';
export type InfoReply = NonNullable<Awaited<ReturnType<Control['info']>>>;

export type Counters = NonNullable<ReturnType<typeof snapshotOf>>;
export type NodeCounters = { node: string; snapshot: Counters };
/** The sum of a cluster's masters; replicas are not part of it. */
export type Snapshot = Counters & { nodes?: NodeCounters[]; replicas?: NodeCounters[] };
export type ServerDelta = NonNullable<ReturnType<typeof difference>> & { sleeps?: number | null };
export type NodeDelta = NonNullable<ServerDelta['nodes']>[number];
