import type { Socket } from 'node:net';
import type { Target } from '../server/types.js';
import type { ProfileHeader, RecordingState } from '../traffic/types.js';

export interface Distance {
  /** 0 for a relay that passes everything on at once. */
  rttMs: number;
  /** Of each delay, up or down. */
  jitterPercent: number;
  /** Instead of `rttMs` to replicas; missing where they are as far away. */
  replicaRttMs?: number;
}

export interface Room {
  /** Bytes that may wait in a direction before its source is paused: what all together leave. */
  ofDirection(): number;
  /** Told of bytes that begin to wait, and, as a negative number, of those that no longer do. */
  take(bytes: number): void;
  onFull(): void;
}

/** Where a listener of the relay passes its connections on to. */
export type Upstream = Pick<Target, 'path' | 'host' | 'port' | 'tls'> & { isReplica?: boolean };

export interface RelayJob {
  upstreams: Upstream[];
  /** Free ports of 127.0.0.1 where it is missing. */
  listen?: { host: string; port: number };
  /** Missing where everything is passed on as it comes. */
  distance?: Distance;
  seed?: number;
  /** Missing where nothing is recorded. */
  recording?: { file: string; header: ProfileHeader };
}

export interface Listener {
  fromClient(bytes: Buffer): void;
  fromServer(bytes: Buffer): void;
}

/** How exact the relay was since it was last asked. */
export interface RelayFigures {
  /** What round trips took longer than was asked, in the relay; an HdrHistogram of nanoseconds. */
  lateHdr: string;
  /** How often a source was paused because too much waited. */
  pauses: number;
}

/** Whatever becomes of the recording, connections go on. */
export type RelayRecording = RecordingState & { open: number };

export interface Line {
  client: Socket;
  upstream: Socket;
  /** Nothing passes any more, and neither side notices. */
  isSilent: boolean;
  /** Which of the upstreams it leads to. */
  route: number;
  /** Whether that stood as a replica when the relay was started. */
  toReplica: boolean;
  /** What is to pass once the network is back; null where it is not away. */
  held: (() => void)[] | null;
}

/** Something that the relay breaks, or mends: plain JSON. */
export interface RelayFault {
  /**
   * `cut` resets all connections; `silence` lets nothing more through those that are open; `delay` makes round trips
   * longer; `close` resets all and accepts none, `open` accepts them again; `forget`, until a time, what is idle;
   * `hold` lets nothing through, new connections neither, until `release` passes on all that was sent meanwhile.
   */
  kind: 'cut' | 'silence' | 'delay' | 'close' | 'open' | 'forget' | 'hold' | 'release';
  /** Of `hold`: which of the upstreams it meets. */
  route?: number;
  /** By the clock that all processes of a machine share; at once where it is missing. */
  atMs?: number;
  /** Of `delay`; of `forget`, for how long a connection may be idle. */
  byMs?: number;
  /** Of `forget`. */
  untilMs?: number;
  /** Of `forget`: whether the next packet of the client is answered by a reset, and not by silence. */
  resets?: boolean;
  /** Of `open`: where connections lead from now on. */
  upstreams?: Upstream[];
}

export interface Struck {
  /** By the shared clock. */
  struckAtMs: number;
  connections: number;
}
