import type { CodeDifference, Contrast } from '../analysis/types.js';
import type { PluginOptions } from '../api.js';
import type { Placement } from '../machine/types.js';
import type {
  CostModel,
  ProfileSettings,
  RecordSettings,
  Settings,
  Transport,
  Written,
} from '../options/types.js';
import type { Cell, Plan, SkipReason } from '../plan/types.js';
import type { SuitePlugin } from '../plugins/types.js';
import type { CostKind, Fact, Run } from '../results/types.js';
import type { ServerFacts } from '../server/types.js';
import type { AssumedReplies, EndReason, RecordingFigures } from '../traffic/types.js';
import type { Second } from '../worker/types.js';

export interface BenchmarkOptions
  extends Written<Omit<Settings, 'iterations' | 'profile'>>,
    Written<PluginOptions> {
  /** The name of a suite, a file that holds one, or the suite itself. */
  suite?: string | Partial<SuitePlugin>;
  iterations?: number | `${number}` | 'auto' | CostModel;
  profile?: boolean | string | readonly string[] | ProfileSettings;
}

export type BenchmarkEvent =
  | { type: 'install'; release: string; folder: string }
  | { type: 'plan'; plan: Plan; settings: Settings; server: ServerFacts; servers: ServerFacts[] }
  | { type: 'group'; index: number; cells: Cell[] }
  | { type: 'run'; cell: Cell; round: number }
  | { type: 'run-end'; cell: Cell; round: number; run: Run }
  | { type: 'second'; cell: Cell; second: Second }
  | { type: 'round-end'; round: number }
  | { type: 'step'; cell: Cell; held: boolean; runs: Run[] }
  | { type: 'profile'; cell: Cell; kind: CostKind }
  /** `message`: the fact in words. */
  | { type: 'note'; cell: Cell | null; fact: Fact | string; message: string }
  | { type: 'stall'; cell: Cell; stalledMs: number }
  | { type: 'failure'; cell: Cell; message: string };

/** As it happens, before notes have words. */
export type BareEvent =
  | Exclude<BenchmarkEvent, { type: 'note' }>
  | Omit<Extract<BenchmarkEvent, { type: 'note' }>, 'message'>;

export interface Shape {
  transport: Transport;
  connections: number;
  /** Commands in flight on each connection. */
  depth: number;
}

/** The ceiling of one shape: medians over the runs, latencies of all of them. */
export interface CeilingResult extends Shape {
  opsPerSecond: number;
  p50Us: number;
  p99Us: number;
  cpuUsPerOp: number;
  /** How much of the time the server's main thread was busy; null if the server does not say. */
  serverBusy: number | null;
  /** Every reply byte was right, and the server counted the same number of commands. */
  verified: boolean;
  /** Operations per second of the C programs; null for one that gave no figure. */
  peers: Record<string, number | null>;
}

export interface Calibration {
  server: ServerFacts;
  placement: Placement;
  size: number;
  poll: boolean;
  peers: string[];
  results: CeilingResult[];
  /** Why a peer has no figure, or has one from fewer runs. */
  notes: string[];
}

export interface Check {
  title: string;
  found: string;
  ok: boolean;
  /** What to do if it is not ok. */
  advice: string | null;
}

/** The release that changed a figure. */
export interface Bisection {
  client: string;
  metric: string;
  unit: string;
  /** The oldest first. */
  releases: string[];
  /** The oldest and the newest release, and their ratio; null until they are measured. */
  ends: { test: string; medians: { low: number; high: number }; contrast: Contrast } | null;
  questions: BisectionQuestion[];
  /** Each change: the last release before it and the first after it. Empty if the ends do not differ. */
  steps: {
    before: string;
    after: string;
    /** What an operation of the later one costs more, by code; null where it could not be profiled. */
    code: CodeDifference | null;
  }[];
}

/** A release compared with two others, one on each side of the change. */
export interface BisectionQuestion {
  low: string;
  release: string;
  high: string;
  /** `between`: the change comes in several steps; `broken`: it could not be measured. */
  side: 'low' | 'high' | 'between' | 'broken';
  /** Whether the statistics decide; otherwise it is the nearer side. */
  sure: boolean;
  medians: { low: number; release: number; high: number } | null;
  toLow: Contrast | null;
  toHigh: Contrast | null;
  test: string | null;
  /** Why it could not be measured. */
  reason: string | null;
}

/** A release that `releases` was asked for. */
export interface MeasuredRelease {
  /** With release and variant: `redis@5.8.3:default`. */
  name: string;
  client: string;
  variant: string;
  version: string;
  /** `there`: the folder had it; `missing`: it is not measured yet; `left out`: it cannot be. */
  state: 'there' | 'added' | 'missing' | 'left out';
  /** Its saved result, where it was added. */
  file: string | null;
  /** Why it is left out, or why runs of it failed. */
  why: SkipReason | string | null;
}

/** What `record` takes: each option as on the command line, as text or as a value. */
export interface RecordOptions extends Written<Omit<RecordSettings, 'listen'>> {
  listen?: number | string | RecordSettings['listen'];
}

export type RecordEvent =
  /** `ofCluster`: the server is a node of a cluster, as far as it tells without the service's password. */
  | { type: 'listening'; host: string; port: number; ofCluster: boolean }
  | { type: 'monitoring' }
  | { type: 'progress'; figures: RecordingFigures & { open: number } }
  /** Nothing more is recorded, and the relay goes on. */
  | { type: 'stopped'; reason: EndReason; failure: string | null };

/** What was recorded. */
export interface Recorded {
  file: string;
  reason: EndReason;
  /** Why the profile could not be written to its end. */
  failure: string | null;
  figures: RecordingFigures;
  /** Of the profile. */
  bytes: number;
  /** What is assumed of replies; null where they were seen. */
  assumed: AssumedReplies | null;
}
