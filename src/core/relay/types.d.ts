import type { Socket } from 'node:net';
import type { ProfileHeader, RecordingState } from '../../traffic/types.js';
import type { Target } from '../server/types.js';
import type { Stored } from '../store/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { startRelay } from './relay.js';

export type Distance = Stored<'Distance'>;

export type Upstream = Pick<Target, 'path' | 'host' | 'port' | 'tls'>;

export interface RelayJob {
  upstreams: Upstream[];
  /** Default: free ports of 127.0.0.1. */
  listen?: { host: string; port: number };
  distance?: Distance;
  seed?: number;
  recording?: { file: string; header: ProfileHeader };
}

type Relay = Awaited<ReturnType<typeof startRelay>>;
export type RelayFigures = ReturnType<NonNullable<Relay['delay']>['takeFigures']>;
/** On the shared clock. */
export type Struck = Awaited<ReturnType<Relay['faults']>>;

/** Connections outlive a failed recording. */
export type RelayRecording = RecordingState & { open: number };

export interface Line {
  client: Socket;
  upstream: Socket;
  /** Nothing passes any more, and neither end notices. */
  isSilent: boolean;
}

export interface RelayFault {
  /** `close` also cuts; `silence` drops data; `forget` drops idle lines. */
  kind: 'cut' | 'silence' | 'delay' | 'close' | 'open' | 'forget';
  /** Shared clock; default: at once. */
  atMs?: number;
  /** For `delay`; for `forget`, the idle time. */
  byMs?: number;
  /** For `forget`. */
  untilMs?: number;
  /** For `forget`: resets on the client's next packet instead of staying silent. */
  resets?: boolean;
  /** For `open`: new destinations. */
  upstreams?: Upstream[];
}
