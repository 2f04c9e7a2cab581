import type { Placement } from '../../../machine/types.js';
import type { Verdict } from '../../../statistics/types.js';
import type { About, CodeDifference, Decision, Fastest, Interval, NoVerdict } from '../judge/types.js';

/** A conclusion as data; the report makes its words. */
export type Finding = { [Kind in keyof Findings]: { kind: Kind } & Figures<Kind> }[keyof Findings];

export type Figures<Kind extends keyof Findings> = About & Findings[Kind];

/** The figures of each kind. */
export interface Findings {
  'too-busy': TooBusy;
  'partial-replay': unknown;
  'no-conclusion': NoVerdict;
  'sustained-rate': { held: HeldRate | null; broken: (HeldRate & Bottleneck) | null };
  /**
   * `figures`: of the median run, the lowest first. Each of `higher` differs from each of `lower`, which has the lowest; both are
   * empty where nothing differs.
   */
  'lowest-p99': {
    figures: { cell: string; p99Us: number }[];
    lower: string[];
    higher: string[];
    /** Too few runs to be compared with the lowest. */
    notCompared: string[];
  };
  choice: Decision;
  'version-change': Interval & { axis: 'release' | 'node'; from: string; to: string; code?: CodeDifference };
  fastest: Fastest;
  slower: Slower;
  /**
   * `budgetMs`: which would do; null where more time would not, or where nobody knows, as cells of some groups were started once or
   * twice only (`isOfFewStarts`).
   */
  undecided: {
    inGroups: number;
    groups: number;
    compared: number;
    budgetMs: number | null;
    isOfFewStarts?: true;
  };
  disturbance: Disturbance;
  'kept-awake': KeptAwake;
  untried: { what: 'writes'; hitRate: number } | { what: 'distance'; limits: ('client' | 'round-trips')[] };
  /** `askedUs`: 0 for a relay without delay; `relayUs`: what the relay itself adds; `isOff`: not as far as was asked for. */
  distance: {
    server?: string;
    askedUs: number;
    addedP50Us: number;
    addedP99Us: number;
    relayUs: number;
    isOff: boolean;
  };
  /** `constant`: what had the same value in all cells with a result. */
  'not-measured': {
    constant: { axis: string; value: unknown }[];
    planned: number;
    skipped: number;
    failed: number;
    partial: boolean;
  };
  /** `cells`: their warm-up gave up; `laterFaster`: their CPU per operation fell while they were timed. */
  'not-warm': { laterFaster: { cell: string; ratio: number }[] };
  'few-runs': { runs: number };
  /** `runs`: of each start; `ofRuns`, `ofStarts`: how much they vary, as a part of the speed. */
  'runs-of-starts': { runs: number[]; ofRuns: number; ofStarts: number };
  /** At which percentile most of the time of an operation is lost, in µs. */
  'where-time-goes': { at: 'p50' | 'p99'; part: 'unread' | 'client'; us: number; wholeUs: number };
  /** `share`: how far the CPU of the profiled run was off; `beyondRuns`: off the nearest timed run, 0 among them. */
  profiled: { offBy: { cell: string; share: number; beyondRuns: number }[] };
}

/** The smallest difference that could have been claimed is null where that is no reason, or more than ten times. */
export interface TooBusy {
  waitedShare: number | null;
  tellsApart: number | null;
}

export interface HeldRate {
  intendedPerSecond: number;
  held: boolean;
  p99Us: number | null;
}

/** What kept a rate from being sustained, the CPU that other programs used included. */
export interface Bottleneck {
  what: 'client' | 'application' | 'server' | 'processor' | 'distance' | 'bound' | 'neither';
  roundTripUs?: number;
  clientBusyShare: number;
  appBusyShare: number | null;
  serverBusyShare: number | null;
  serverThreads?: number;
  waitedShare: number | null;
  garbageShare: number;
  maxInFlight: number | null;
}

export interface Slower {
  cell: string;
  than: string;
  timesSlower: number;
  causes: Cause[];
  explained: boolean;
  /** The largest difference, where no test shows that any is more than chance. */
  unproven?: { of: 'client' | 'server'; us: number; againstUs: number };
}

/**
 * How long cells waited for CPU. `cells`: waited in most slices; `server`: in which its waits are known; `isWhole`: all cells were
 * watched: processes that share CPUs wait for each other, so their waits mean nothing; `limitedTo`: the CPU limit that was reached.
 */
export interface Disturbance {
  slices: number;
  disturbed: number;
  repeats: number;
  waitedShare: number;
  stolenShare: number | null;
  server: 'all' | 'some' | 'none';
  limitedTo?: number;
  isWhole: boolean;
}

/** The cells in the race as the machine is, and while no CPU could sleep, the fastest first. */
export interface KeptAwake {
  asIs: RankedInState[];
  awake: RankedInState[];
  /** Whether what is fastest as the machine is was shown to be slower than another one. */
  turned: boolean;
  costs: { cell: string; asIs: StateCosts; awake: StateCosts }[];
}

export interface RankedInState {
  cell: string;
  timesSlower: number;
  low: number | null;
  high: number | null;
  verdict: Verdict | null;
}

/** Medians of its runs: what shows who sleeps how often, and what that costs. */
export type StateCosts = Record<'commandsPerRead' | 'sleepsPerCommand' | 'cpuUsPerOp', number>;

/** Why a cell is slower, each proven by a test of its own. */
export type Cause = {
  [Kind in keyof Causes]: { kind: Kind; explainsUs: number } & Causes[Kind];
}[keyof Causes];

type Pin = Placement['pin'];

/** The figures of each cause; those of the faster cell begin with `against`. */
export interface Causes {
  placement: { pin: Pin; insteadOf: Pin; ratio: number };
  'not-cached': { hitRate: number | null; againstHitRate: number };
  farther: { roundTripUs: number; againstRoundTripUs: number };
  'one-at-a-time': { inFlight: number; againstUnderWay: number; limit: string };
  'fewer-in-flight': { inFlight: number; againstUnderWay: number } & IdleShares;
  'opens-connections': { connectionsPerCommand: number };
  'more-round-trips': { perOp: number; againstPerOp: number; roundTripUs: number };
  'split-by-slot': { keys: number; commandsPerOp: number; nodes: number };
  'more-commands': { commandsPerOp: number; againstCommandsPerOp: number };
  'more-bytes': { bytesPerOp: number; againstBytesPerOp: number };
  'smaller-batches': { commandsPerRead: number; againstCommandsPerRead: number };
  cpu: CpuFigures & { code?: CodeDifference };
  encoding: { us: number; againstUs: number };
  garbage: { us: number; againstUs: number; bytesPerOp: number; againstBytesPerOp: number };
  /** At the p50 of their breakdowns. */
  unread: { unreadUs: number; againstUnreadUs: number; wholeUs: number };
  lockstep: { tasks: number; commandsPerRead: number } & IdleShares;
  waiting: IdleShares;
}

export interface CpuFigures {
  of: 'client' | 'server' | 'main-thread' | 'server-threads';
  us: number;
  againstUs: number;
}

export interface IdleShares {
  clientBusyShare: number;
  serverBusyShare: number;
}
