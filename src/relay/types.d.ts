import type { ProfileHeader, RecordingState } from '../commands/traffic/types.js';
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
export type Struck = Awaited<ReturnType<Relay['faults']>>;

/** Connections outlive a failed recording. */
export type RelayRecording = RecordingState & { open: number };
