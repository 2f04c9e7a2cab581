import type { Target } from '../server/types.js';
import type { Distance } from '../store/types.js';

export type { Distance };

export type Upstream = Pick<Target, 'path' | 'host' | 'port' | 'tls'>;

export interface RelayJob {
  upstreams: Upstream[];
  /** Default: free ports of 127.0.0.1. */
  listen?: { host: string; port: number };
  distance?: Distance;
  seed?: number;
}

/** `pauses`: how often a full buffer paused a source. */
export interface RelayFigures {
  /** HdrHistogram of ns added to round trips beyond the delay asked for. */
  lateHdr: string;
  pauses: number;
}

/** Times are on the shared clock. */
export interface Interruption {
  /** `close` also cuts; `silence` drops data; `forget` drops lines that have been idle for `byMs`; `delay` is by `byMs`. */
  kind: 'cut' | 'silence' | 'delay' | 'close' | 'open' | 'forget';
  /** At once without it. */
  atMs?: number;
  byMs?: number;
  /** When `forget` ends. */
  untilMs?: number;
  /** Whether `forget` resets lines on the client's next packet instead of staying silent. */
  resets?: boolean;
  /** Where `open` leads to. */
  upstreams?: Upstream[];
}

/** `connections`: how many it met. */
export interface Interrupted {
  atMs: number;
  connections: number;
}
