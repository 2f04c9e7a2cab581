/** What became known of sockets, one after the other: of which, how many were whole by then, and when. Times are in ms of the shared clock. */
export interface Events {
  sockets: number[];
  counts: number[];
  /** No earlier, and no later. */
  from: number[];
  at: number[];
}

/** `written`, `read`: commands and replies before the first operation; `expected`: those of the calls since then. */
export interface WatchedSocket extends Record<'port' | 'written' | 'read' | 'expected', number> {}

export interface SeenInWorker {
  sockets: WatchedSocket[];
  /** By operation; one that did not end has an earlier end than its start. */
  startedAt: number[];
  endedAt: number[];
  /** In their order. */
  calls: Record<'operations' | 'sockets' | 'commands' | 'at', number[]>;
  written: Events;
  read: Events;
}

/** `ports`: of the clients' sockets. */
export interface SeenInRelay {
  ports: number[];
  arrived: Events;
}

/** In µs. Where no relay stood between, `roundTripUs` has the unread time too. */
export interface Parts {
  clientWaitUs: number;
  roundTripUs: number;
  unreadUs: number | null;
  handledUs: number;
  wholeUs: number;
}

/** What operations at these percentiles consist of, on average. `cpuRatio`: CPU per operation over that of the timed runs. */
export interface Breakdown {
  p50: Parts;
  p99: Parts;
  cpuRatio: number | null;
}

/**
 * Of a cell: of the operations of all its slices. `relayUs`: what a relay adds to a PING; `relayWaitedShare`: of the time, that it waited for
 * CPU; both null without one, and that where Linux does not tell.
 */
export interface CellBreakdown extends Breakdown {
  operations: number;
  relayUs: number | null;
  relayWaitedShare: number | null;
  slices: Breakdown[];
}

/** Why a cell that was asked for one has none. */
export type NoBreakdown =
  | { kind: 'load-elsewhere' }
  | { kind: 'opens-in-operations' }
  | { kind: 'answers-from-cache' }
  | { kind: 'several-sockets' }
  | { kind: 'one-after-other' }
  | { kind: 'foreign-sockets' }
  | { kind: 'uneven-operations' }
  /** `share`: of its operations. */
  | { kind: 'not-matched'; share: number }
  | { kind: 'few-followed'; operations: number; least: number }
  | { kind: 'no-shared-clock' }
  | { kind: 'no-time-for-pass' }
  /** `why`: the text of an error. */
  | { kind: 'pass-failed'; why: string };
