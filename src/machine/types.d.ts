import type { Pin } from '../options/types.js';
import type { PluginFile } from '../plugins/types.js';

/** Where the package of a client comes from. */
export interface Release {
  package: string;
  version: string;
  /** Of a checkout or a tarball, as the user gave it. */
  path: string | null;
  /** The URL of the file that is imported; null for the package that comes with this tool. */
  entry: string | null;
  /** Of a git checkout. */
  commit: string | null;
}

/** A Node binary that workers run on. */
export interface Runtime {
  /** Its version; with its path, where two binaries have the same version. */
  name: string;
  version: string;
  v8: string;
  path: string;
}

/** A release of a client in the cache. */
export interface CachedRelease {
  /** `redis@5.8.3` */
  release: string;
  bytes: number;
}

/** A process, distinct from a later one with the same id. */
export interface ProcessIdentity {
  pid: number;
  /** When it was started, in the system's own terms. */
  start: string;
  /** The machine or container that it runs in. */
  place: string;
}

export interface Placement {
  pin: Pin;
  serverCpus: number[] | null;
  workerCpus: number[] | null;
  /** Of the relay, where there is one. */
  relayCpus?: number[];
  /** Why it is not what was asked for, or not all of it; a sentence in results of earlier releases. */
  note: PlacementNote | string | null;
}

/** Its words are made by report/words/fact-words.js. */
export type PlacementNote =
  | { kind: 'pin-off' }
  | { kind: 'no-taskset' }
  | { kind: 'one-cpu' }
  | { kind: 'server-elsewhere' }
  | { kind: 'server-not-pinned' };

export interface Environment {
  node: string;
  v8: string;
  os: string;
  arch: string;
  cpuModel: string;
  cpuCount: number;
  memoryBytes: number;
  packages: Record<string, string>;
  /** The user's own files that were measured; missing where there were none. */
  plugins?: PluginFile[];
}

/** Time in which work was ready and had no processor, in milliseconds; null where the system does not tell. */
export interface RunQueue {
  /** The worker's main thread. */
  workerQueuedMs: number | null;
  /** That it ran, without its helper threads. */
  workerRanMs: number | null;
  /** The main threads of the server, where it runs on this machine. */
  serverQueuedMs: number | null;
  /** Given to others by the hypervisor, in steps of 10 ms. */
  stolenMs: number | null;
}
