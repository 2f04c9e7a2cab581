import type { Figure } from '../metrics/types.js';
import type { Answers } from '../plugins/types.js';
import type {
  Batching,
  ClientCost,
  ColdRun,
  CostKind,
  CountedStart,
  FaultRun,
  InstructionCounts,
  Latency,
  OpenLoopRun,
  RunPart,
  ServerCost,
} from '../results/types.js';
import type { CodeFrame, FaultCrash, ReceiverCall } from '../worker/types.js';

/** Between which figures the true one lies. */
export interface Interval {
  low: number;
  high: number;
  /** The coverage that was reached: 0.9375 for five runs, which are too few for 0.95. */
  level: number;
}

export interface Summary {
  runs: number;
  failedRuns: number;
  /** Medians over the runs. */
  averageMs: number;
  elapsedMs: number;
  spreadMs: number;
  opsPerSecond: number;
  opsPerSecondLow: number;
  opsPerSecondHigh: number;
  /** By the ids of metrics, of the medians over the runs; null with fewer than two runs, or where runs do not have the figure. */
  intervals: Record<string, Interval | null>;
  /** How much the operations a second vary from run to run: their standard deviation over their mean. */
  variation: number | null;
  /** Whether its runs were far shorter than planned, so that nothing can be said of it. */
  tooShort: boolean;
  /** Of all runs together, as the answers are. */
  latency: Latency | null;
  answers: Answers | null;
  /** Missing where no run distinguished parts. */
  parts?: RunPart[];
  /** Missing or null where it is not known which write a reply is of. */
  staleShare?: number | null;
  staleReplies?: number | null;
  staleWrites?: number | null;
  /** Missing or null where the client has no cache of its own. */
  cacheHitRate?: number | null;
  batching: Batching | null;
  openLoop: OpenLoopSummary | null;
  /** Where something broke: of each figure the median, or the most of all runs; missing in older results. */
  fault?: Partial<FaultRun> | null;
  /** Where operations were fresh processes: medians over the runs. */
  cold?: Partial<ColdRun> | null;
  /** Medians over the counted starts; missing where nothing was counted. */
  counted?: Pick<
    InstructionCounts,
    'instructionsPerOp' | 'instructionsPerCommand' | 'kernelInstructionsPerOp'
  >;
  client: ClientCost;
  server: ServerCost;
  bottleneck: Bottleneck;
  waits: Waits | null;
}

/** How long worker and server waited for processors that others used. */
export interface Waits {
  slices: number;
  /** Of those, how many counted as disturbed. */
  disturbed: number;
  /** Slices that were run once more for that reason. */
  repeats: number;
  /** Of the time of all slices. */
  waitedShare: number;
  /** What the hypervisor gave to others, of the time of all slices; null where the system does not tell. */
  stolenShare: number | null;
}

/** Medians over the runs; `held` if most of them did; sums of what must not happen at all. */
export interface OpenLoopSummary extends OpenLoopRun {
  heldRuns: number;
  /** From the scheduled start; the median of the runs' own p99, because `held` goes by most runs. */
  p99Us: number | null;
}

/** What limited a cell, and the shares of time that say so. */
export interface Bottleneck {
  /** null where the figures do not say. */
  limit: 'client' | 'application' | 'server' | 'round-trips' | 'processor' | null;
  /** Without the application's own work. */
  clientBusy: number;
  /** The application's own work; null without any. */
  appBusy: number | null;
  /** Of a cluster the busiest node, or the processor that its nodes share. */
  serverBusy: number | null;
  /** Processors that all threads of the server used together; missing where its main thread did the work. */
  serverThreads?: number;
  /** Where client and server share a processor, the client's part of it; else null. */
  clientCpu: number | null;
  sharedCore: boolean;
}

/** One figure of each run of a cell, above 0. */
export type Sample = Figure[];

/** A cell against another one. */
export interface Contrast {
  /** The cell's median over the other's, as a reader divides them. */
  ratio: number;
  /** The test's 95 % interval for this comparison alone, made wider where the ratio lies outside of it. */
  low: number;
  high: number;
  p: number;
  /** Corrected for the number of comparisons (Holm). */
  pAdjusted: number;
  /** Whether a difference can be claimed. */
  differs: boolean;
  /** The time carries the difference, but nothing else does, and other programs were at work. */
  notBorneOut?: NotBorneOut;
}

export interface NotBorneOut {
  rounds: number;
  disturbedRounds: number;
  /** By how much the slower cell looks slower. */
  times: number;
  /** Its CPU per operation over the faster one's; null where unknown. */
  cpuRatio: number | null;
}

/** How far one sample lies above another. */
export interface Shift {
  /** The p of no shift at all. */
  p: number;
  /** The 95 % interval by default, worked out when it is asked for: of many comparisons only p is needed. */
  interval(level?: number): { low: number; high: number };
}

/** Which test decided what differs. */
export interface Tested {
  by: 'starts' | 'mann-whitney' | 'welch' | 'paired' | null;
  comparisons: number;
  /** How often each cell was started, at least; absent where runs were compared. */
  starts?: number;
  /**
   * Smaller differences could not be claimed, 0.08 for 8 %: of no pair, or where none was claimed, of the pair that
   * varies most. Absent where runs were compared.
   */
  tellsApart?: number;
  /** Why there was none. */
  reason: 'one-cell' | 'too-few-runs' | 'open-loop' | null;
}

/** The cells of a group, compared with each other. */
export interface GroupComparison {
  group: string;
  tested: Tested;
  /** The fastest first. */
  ranking: {
    cell: string;
    opsPerSecond: number;
    /** Than the fastest; null of a cell that finished no operation, which has no ratio. */
    timesSlower: number | null;
    /** Its operations a second over those of the fastest; null for the fastest, and with fewer than two runs. */
    againstFastest: Contrast | null;
    /** The same over those of the cell that the user named first. */
    againstFirst: Contrast | null;
    /** Its share of the floor's operations a second; null where no floor was measured. */
    ofCeiling: number | null;
  }[];
  /** The releases of a client, or of Node, that stand side by side. */
  versions: VersionSeries[];
}

export interface Comparison extends GroupComparison {
  /** Which test says what differs, in words. */
  test: string;
  /** The few sentences below its table on the first screen. */
  outcome: string[];
  /** Which is fastest and by how much. */
  conclusion: string;
  /** Why, in sentences built from the measured figures. */
  explanation: string[];
}

/** Cells that differ in nothing but the release of their client, or the Node that they run on. */
export interface VersionSeries {
  axis: 'release' | 'node';
  /** The oldest first. */
  entries: VersionEntry[];
}

export type VersionEntry = { cell: string; version: string } & Record<
  'opsPerSecond' | 'cpuUsPerOp',
  VersionFigure
> & {
    /** Where they were counted. */
    instructionsPerOp?: VersionFigure;
  };

export interface VersionFigure {
  median: number | null;
  /** This version's over the one's before; null for the oldest, and with fewer than two runs. */
  toPrevious: Contrast | null;
  /** This version's over the newest's. */
  toNewest: Contrast | null;
}

/** Two reports of the same cells. */
export interface ReportComparison extends ComparedReports {
  /** Which test says what differs, in words. */
  test: string;
  cells: ComparedCell[];
  /** The names of the cells that the other report does not have, or has no result of. */
  onlyBase: string[];
  onlyNew: string[];
  /** What else differs between the two, and may be why. */
  warnings: string[];
}

/** The same before it has words; cells are ids. */
export interface ComparedReports {
  metric: string;
  unit: string;
  /** null where neither more nor less is. */
  moreIsBetter: boolean | null;
  tested: Tested;
  cells: ComparedFigures[];
  /** Of the ratios of all cells, new over base. */
  geometricMean: number;
  onlyBase: string[];
  onlyNew: string[];
  findings: ComparisonFinding[];
}

/** A cell that two reports have, with the medians over its runs. */
export interface ComparedFigures {
  cell: string;
  base: number;
  new: number;
  /** New over base. */
  ratio: number;
  /** null with fewer than two runs on a side. */
  contrast: Contrast | null;
}

export interface ComparedCell extends ComparedFigures {
  name: string;
  /** What the cells of its group have in common, in words. */
  group: string;
}

/** What may explain why two reports differ. */
export type ComparisonFinding =
  /** `clients`: whose options. */
  | { kind: 'difference'; subject: Subject; changes: Change[]; clients?: string[] }
  | { kind: 'ended-early'; report: 'base' | 'new' }
  /** In one of the results, so that they are not compared. */
  | { kind: 'started-once'; cells: string[] }
  /** Other programs kept these cells waiting for most of a result, so that nothing can be said of a regression. */
  | { kind: 'disturbed'; cells: string[]; baseWaitedShare: number | null; newWaitedShare: number | null }
  /** All cells, or this tool's own client, moved the same way: that may be the machine. */
  | { kind: 'moved'; what: 'floor' | 'all'; cells: string[]; ratio: number };

export type Subject = 'machine' | 'versions' | 'files' | 'server' | 'placement' | 'settings' | 'options';

export type Change = { name: string; base: string | null; new: string | null };

export interface AssertionResult {
  text: string;
  strict: boolean;
  holds: boolean;
  /** What the sides of its comparisons came to, or why that cannot be said. */
  figures: string[];
}

/**
 * What was concluded from the figures, as data. Words are made of it by the report. `group` is null for what
 * is about the whole benchmark; `cells` are the ids of the cells that it is about.
 */
export type Finding = { group: string | null; cells: string[] } & FindingFigures;

export type FindingFigures =
  | MapFinding
  | NoConclusion
  /** Less is replayed than was recorded; `cells`: one of each recording. */
  | { kind: 'partial-replay' }
  | ChoiceFinding
  | Certainty
  | GroupFinding
  | RateFinding
  | LowestP99
  | VersionFinding
  | DistanceFinding
  | BackgroundFinding
  | ReplicaReads
  | FaultFinding
  /** When each cell had its first reply, the soonest first. */
  | {
      kind: 'first-replies';
      replies: { cell: string; firstReplyMs: number; importMs: number }[];
    }
  /**
   * What grew while a cell was called at a rate for `ms`; `perHour`: operations; `missing`: so many more runs would tell
   * where there are no figures.
   */
  | { kind: 'growth'; cell: string; ms: number; perHour: number; missing: number; figures: Growth[] }
  | InstructionFinding
  | CoverageFinding
  /** What the slowest operations of a cell waited for, of each the most specific. */
  | {
      kind: 'slow-operations';
      cell: string;
      count: number;
      leastUs: number;
      mostUs: number;
      /** `what` as in `SlowOperation`. */
      waits: { what: string; count: number }[];
    }
  | WarningFinding;

/** How fast a figure grows: its slope with its interval. */
export interface Trend {
  /** The figure at first. */
  from: number;
  slope: number;
  low: number;
  high: number;
  /** The slope of the second half. */
  late: number;
}

/** How much a figure of a process grows per hour, its garbage collected. */
export interface Growth extends Trend {
  figure: 'heapBytes' | 'sockets' | 'cpuUsPerOp';
  /** Whether a test carries that, it goes on, and it matters. */
  grows: boolean;
}

/** What is known of a point of a map. */
export interface PointVerdict {
  /**
   * `tied`: one or more are the best, and of others it is not known whether they are as good; `open`: no best is known.
   */
  state: 'decided' | 'tied' | 'open' | 'not-measured';
  /** Of the cells that had most. */
  starts: number;
  /** The cells that one more start must have. */
  left: string[];
  /** The best and all that are known to be as good, of an undecided point as well; the fastest first. */
  winners: string[];
  /** The best first. */
  standing: { cell: string; standing: 'good' | 'open' | 'behind'; opsPerSecond: number }[];
}

export interface MapPoint extends PointVerdict {
  group: string;
  /** Places in the map. */
  row: number;
  column: number;
  /** The cells that were not measured here, because they are far behind at all corners around it. */
  leftOut: string[];
  /** The best that is behind, and how many times fewer operations a second it does; null where none is. */
  next: { cell: string; timesSlower: number } | null;
  /** Whether workers were measured before they were warm, for lack of time. */
  isCold: boolean;
}

/** A condition of a map: its values as cells that have them. */
export type MapSide = { axis: string; ordered: boolean; examples: string[] };

/** A combination of choices, the same at all points. */
export interface MapChoice {
  /** A cell of it. */
  cell: string;
  letter: string;
  /** At how many points it is the only winner, and one that is as good as any. */
  alone: number;
  tied: number;
  /** At how many points it is known whether it is. */
  known: number;
  /** At how many points it was left out. */
  leftOut: number;
  /** Where it is best or as good. */
  region: Region[];
  /** How many times slower it is than the best, where it is most; null where it is good everywhere. */
  worst: { group: string; timesSlower: number } | null;
}

/** A part of a map: rows and columns from one to another. */
export type Region = Record<'rows' | 'columns', [first: number, last: number]>;

/** Under which conditions which choice wins. */
export type MapFinding = {
  kind: 'map';
  rows: MapSide;
  columns: MapSide;
  /** What all its points share, of a condition that tells several maps apart: a cell that has it. */
  third: { axis: string; example: string } | null;
  points: MapPoint[];
  choices: MapChoice[];
  /** The fewest choices of which one is good at each point where one is known to be, and where to take which. */
  advice: { choice: number; region: Region[]; points: number }[];
  /** Which choice was fastest at most points, proven or not; null where nothing was measured. */
  ahead: { choice: number; points: number } | null;
  /** Where at least half of the choices are as good as the best. */
  indifferent: Region[];
  values: MapValue[];
};

/** A value of one choice, together with whichever others suit it best. */
export interface MapValue {
  axis: string;
  value: string;
  /** At how many points it is best or as good, and at how many that is known. */
  good: number;
  known: number;
  region: Region[];
  /** How many times slower its best is elsewhere. */
  slower: { least: number; most: number } | null;
  /** How many times slower its best was wherever it was measured, proven or not. */
  slowest: number;
}

/** Why nothing can be concluded. */
export type NoConclusion = { kind: 'no-conclusion' } & (
  | {
      /**
       * The runs were too short to mean anything; no cell has a result; no group has two that have; no two cells have two
       * runs; cells that were not warm are far ahead of all that were (`cells`); different cells are best in different
       * groups (`cells`); only cells that differ in several choices differ.
       */
      reason:
        | 'smoke'
        | 'no-result'
        | 'nothing-to-compare'
        | 'single-runs'
        | 'ahead-though-cold'
        | 'no-single-best'
        | 'no-choice-differs';
    }
  /** Nothing differs but copies of the same cell. */
  | { reason: 'copies-differ'; mostTimes: number }
  /** None differs, and all are known precisely enough to say so. */
  | ({ reason: 'no-difference' } & Scatter)
  /** Runs or starts vary too much, or are too few, to say whether the cells lie apart. */
  | ({ reason: 'too-noisy'; farthestApartTimes: number } & Scatter)
);

/** How much runs vary. */
export interface Scatter {
  fewestRuns: number;
  mostRuns: number;
  /** What the test of starts can tell apart; absent where runs were compared. */
  tellsApart?: number;
  /** Of half of the cells it is at most this: the standard deviation over the mean. */
  medianVariationShare: number;
  /** The ± of the cell that is known least precisely. */
  widestReachShare: number;
}

/** `best` are the values of an axis that no other value was shown to beat anywhere; none where that depends on the rest. */
export type ChoiceFinding =
  | {
      kind: 'choice';
      axis: string;
      /** The client that it is about; null for all. */
      client: string | null;
      best: string[];
      /** A cell of each of those. */
      examples: string[];
      /** The largest ratio between the medians of two of them, though no difference can be claimed. */
      apartTimes: number;
      gains: Gain[];
      /** How many pairs of cells hold one of the best against one of the others. */
      pairs: number;
    }
  /** Different choices are best under different conditions, and it can be said where. */
  | {
      kind: 'where-it-changes';
      rows: MapSide;
      columns: MapSide;
      /** The first is good at most points; each further one at points that those before it are not. */
      parts: { cell: string; region: Region[]; points: number }[];
      points: number;
    }
  /**
   * What was not tried, and would change what is fastest: a distance, where this limits the winners; writes, where a
   * client's cache answered so much.
   */
  | { kind: 'untried'; what: 'distance'; limits: ('client' | 'round-trips')[] }
  | { kind: 'untried'; what: 'writes'; hitRate: number }
  /** For the same commands one server takes less CPU than another, in all of its threads. */
  | {
      kind: 'server-work';
      axis: string;
      /** Cells of the two. */
      less: string;
      more: string;
      /** The CPU of the one over that of the other, in the pairs of cells in which they were shown to differ. */
      low: number;
      high: number;
      shown: number;
      pairs: number;
      /** What a command costs the one more; missing where the main threads of the two were not profiled. */
      code?: CodeDifference;
    };

/** Operations a second of one cell over those of another that differs in one choice alone. */
export type Gain = Record<'winner' | 'loser' | 'better' | 'worse', string> &
  Pick<Contrast, 'ratio' | 'low' | 'high' | 'pAdjusted'>;

/** How sure the choices are. */
export type Certainty = {
  kind: 'certainty';
  worstPAdjusted: number;
  tested: Tested[];
  groups: number;
} & Scatter;

export type GroupFinding =
  /** `cells` are all that are compared. */
  | {
      kind: 'fastest';
      cell: string;
      opsPerSecond: number;
      /** Those of which no difference from it can be claimed, though they are about as fast. */
      ties: string[];
      /** Those that cannot be claimed to be slower either, though their medians are far lower. */
      doubtful: { cell: string; timesSlower: number }[];
      /** Operations a second of the fastest over theirs. */
      slower: { cell: string; ratio: number; low: number; high: number }[];
    }
  | ({ kind: 'limit'; cell: string } & Limit)
  /** `nearest`: why the first of the choices beats its nearest rival. */
  | ({ kind: 'slower'; nearest: boolean } & Slower);

/** As in a cell's bottleneck. */
export interface BusyShares {
  clientBusyShare: number;
  appBusyShare: number | null;
  serverBusyShare: number | null;
  serverThreads?: number;
  /** How much of the time it waited for processors that others used; null where that is not known. */
  waitedShare: number | null;
}

/** What limited a cell. */
export interface Limit extends BusyShares, Pick<Bottleneck, 'limit' | 'sharedCore'> {
  clientCpuShare: number | null;
  clientCpuUsPerOp: number | null;
  appWorkUsPerOp: number | null;
  serverCpuUsPerCommand: number | null;
  /** The part of the server that is as busy as `serverBusyShare` says. */
  busiest: 'main-thread' | 'node' | 'processor';
  /** Operations; null where that is not known. */
  underWayAtMost: number | null;
  p50Us: number | null;
  /** Set where all tasks go in step on one connection. */
  inStep: InStep | null;
  /** Whether it had background load, whose CPU is part of the figures. */
  withCompany: boolean;
  /** Set where its operations wait for what blocks their connection. */
  behind?: BehindBlocking;
}

/** A blocking read in the background of a connection, for which half of them wait so long or longer. */
export type BehindBlocking = { company: string; p50Us: number };

/** Commands that come in one read and are answered in one write: client and server take turns. */
export type InStep = { tasks: number; commandsPerRead: number };

export interface Slower {
  cell: string;
  than: string;
  timesSlower: number;
  causes: Cause[];
  /** Whether the causes account for it. */
  explained: boolean;
}

/** What an operation costs, or a command of the server. */
interface ProfiledCosts {
  cell: string;
  kind: CostKind;
  unit: 'µs' | 'bytes';
  perOp: number;
  /** The CPU of the profiled run over that of the timed ones, less 1; null where it does not matter. */
  offBy: number | null;
}

/** The same by the code that it is spent in. */
export interface CodeCosts extends ProfiledCosts {
  samples: number;
  /** Of the cell, the samples being those of the first; of a server its nodes, all sampled. */
  processes: number;
  /** The largest first: by whose code, by package, by file, by function. Small functions are not in the last. */
  kinds: CodeCost[];
  parts: CodeCost[];
  modules: CodeCost[];
  functions: CodeCost[];
}

interface CostOfCode extends CodeFrame {
  perOp: number;
  /** One standard error of the profile alone. */
  samplingError: number;
  /** One standard error, that of the timed runs included. */
  error: number;
}

export type CodeCost = CostOfCode & { share: number };

/** What an operation of one cell costs more than one of another, as far as the profiles and the timed runs can tell. */
export interface CodeDifference extends ProfiledCosts {
  than: string;
  againstPerOp: number;
  againstOffBy: number | null;
  /** The largest first; what became less is negative. */
  kinds: CodeChange[];
  modules: CodeChange[];
  functions: CodeChange[];
}

export type CodeChange = CostOfCode & { againstPerOp: number; more: number };

/** What costs a slower cell more, each carried by a test of its own. */
export type Cause =
  | { kind: 'placement'; pin: string; insteadOf: string; ratio: number }
  /** A blocking read holds up what comes behind it on its connection. */
  | { kind: 'behind-company'; company: string; p50Us: number; againstP50Us: number }
  /** What the fastest PINGs took to the one server and to the other. */
  | { kind: 'farther'; roundTripUs: number; againstRoundTripUs: number }
  /** The other's client answers so many of its commands itself. */
  | { kind: 'not-cached'; hitRate: number; againstHitRate: number }
  | { kind: 'opens-connections'; connectionsPerCommand: number }
  | { kind: 'more-commands'; commandsPerOp: number; againstCommandsPerOp: number }
  | { kind: 'smaller-batches'; commandsPerRead: number; againstCommandsPerRead: number }
  | {
      kind: 'cpu';
      /** Of a server with several threads at work that of all; of its main thread, where the other server has some. */
      of: 'client' | 'server' | 'main-thread' | 'server-threads';
      ratio: number;
      /** An operation of the client, a command of the server. */
      us: number;
      againstUs: number;
      /** Where the difference is; missing where it was not profiled. */
      code?: CodeDifference;
    }
  | { kind: 'encoding'; us: number; againstUs: number }
  /** How long an operation takes, in round trips. */
  | { kind: 'more-round-trips'; perOp: number; againstPerOp: number; roundTripUs: number }
  /** Its server slept more often per command, so that more writes had to wake it. */
  | { kind: 'server-sleeps'; sleepsPerCommand: number; againstSleepsPerCommand: number }
  | { kind: 'garbage'; share: number }
  | ({ kind: 'in-step' } & InStep & IdleShares)
  /** Operations at most. */
  | ({ kind: 'fewer-under-way'; underWay: number; againstUnderWay: number } & IdleShares)
  | ({ kind: 'waiting' } & IdleShares);

/** Of two sides that both have time to spare. */
type IdleShares = Record<'clientBusyShare' | 'serverBusyShare', number>;

/** How clients came through while something broke. */
export type FaultFinding =
  | { kind: 'came-through'; outcomes: FaultOutcome[] }
  /** Of the whole benchmark. */
  | {
      kind: 'faults';
      /** What is known of their operations. */
      proves: FaultOutcome['proves'][];
      harms: Harm[];
      ranking: FaultRanking[];
      contrasts: FaultContrast[];
      /** Of the cells in whose runs something broke. */
      outcomes: FaultOutcome[];
    };

/** How one combination of choices came through all faults; the least harmed is the first. */
export interface FaultRanking {
  /** One for each fault by which it can be judged. */
  cells: string[];
  /** Whether those are all by which any can be judged. */
  complete: boolean;
  /** Of its cells those that were harmed. */
  harmed: string[];
  runs: FaultRange;
}

/** What one fault cost those that it did not harm. */
export interface FaultContrast {
  cells: string[];
  /** The most of all. */
  waitMs: number;
  failedShare: number;
  /** null where the runs show no difference. */
  shortest: FaultBest | null;
  fewest: FaultBest | null;
}

/** Those that have least of something, their most, and the most that each of the others has. */
export interface FaultBest {
  cells: string[];
  most: number;
  others: { low: number; high: number };
}

/** What must not happen, and did. */
export interface Harm {
  what:
    | 'crash'
    | 'wrong'
    | 'lost'
    | 'doneTwice'
    | 'doneInPart'
    | 'undelivered'
    | 'outOfOrder'
    | 'unanswered'
    | 'doneThoughFailed';
  cell: string;
  /** How often in a run. */
  range: FaultRange;
}

/** From the least to the most of a cell's runs; both null where it never happened in any. */
export interface FaultRange {
  low: number | null;
  high: number | null;
  /** Whether it never happened in some run. */
  never: boolean;
}

/** What its runs have in common; see FaultRun. */
export interface FaultOutcome {
  cell: string;
  group: string;
  runs: number;
  /** Whether there was a fault at all. */
  struck: boolean;
  /** Whether something was lost or done twice, a caller was never answered, or a process ended. */
  harmed: boolean;
  /** Whether a run ended while the fault still lasted: nobody can be blamed for having no answer then. */
  outlasted: boolean;
  /** The share of operations in time just before the fault, in the best run; null where there were too few. */
  inTimeBefore: number | null;
  /** Runs that ended too soon after the fault to show whether the rate recovers; `heldAgainMs` is without them, and without those that were
   * late before the fault. */
  unseenRuns: number;
  /** For how long operations began after the end of the fault, in the shortest of all. */
  watchedMs: number;
  /** How long runs should last to show the recovery. */
  neededMs: number;
  scheduled: FaultRange;
  firstSuccessMs: FaultRange;
  heldAgainMs: FaultRange;
  /** Where its client was frozen: the same, from when it was thawed. */
  afterThawMs?: FaultRange;
  /** Where Sentinels promoted a replica in every run: the same, from when clients could learn of it. */
  afterPromotionMs?: FaultRange;
  /** Of an idle client: what its first caller waited, the errors that it got, and how many connections the fault met. */
  idle?: { firstCallMs: FaultRange; errors: string[]; met: FaultRange };
  /** By the nodes of a cluster: how often, and from the first to the last. */
  redirected?: { count: FaultRange; forMs: FaultRange };
  longestWaitMs: FaultRange;
  failed: FaultRange;
  late: FaultRange;
  unanswered: FaultRange;
  /** What is known of its operations: the following are never where that does not tell. */
  proves: NonNullable<FaultRun['proves']>;
  wrong: FaultRange;
  doneTwice: FaultRange;
  doneInPart: FaultRange;
  undelivered: FaultRange;
  missed: FaultRange;
  outOfOrder: FaultRange;
  /** Missing for other workloads, and where no message was taken after the fault. */
  receiverBackMs?: FaultRange;
  blocked: ReceiverCall[];
  lost: FaultRange;
  /** Until the last of these was acknowledged, where one was lost. */
  lastLostMs?: FaultRange;
  lostWithServer: FaultRange;
  /** Operations that were done, though their callers got an error or nothing. */
  doneThoughFailed: FaultRange;
  crashes: FaultCrash[];
}

/** Of an open loop. */
export type RateFinding =
  /** How one cell kept to its rate, and what gave way where it did not. */
  | ({ kind: 'rate'; cell: string; gaveWay: GaveWay | null } & RateFigures)
  | {
      kind: 'sustained-rate';
      /** The highest rate below the first that was not sustained; null where none was. */
      held: RateFigures | null;
      /** The first that was not sustained. */
      broken: (RateFigures & GaveWay) | null;
    };

export type RateFigures = {
  /** Sustained except for its latency. */
  tooLate: boolean;
} & Pick<OpenLoopSummary, 'intendedPerSecond' | 'achievedPerSecond' | 'dropped' | 'held' | 'p99Us'>;

export interface GaveWay extends BusyShares {
  what: 'client' | 'application' | 'server' | 'processor' | 'company' | 'distance' | 'bound' | 'neither';
  behind?: BehindBlocking;
  /** Set where it is longer than the latency that was allowed. */
  roundTripUs?: number;
  peakRssBytes: number;
  garbageShare: number;
  movedBytes: number;
  maxInFlight: number | null;
}

/** The client's CPU an operation along the releases of a client, or of Node. */
export interface VersionFinding {
  kind: 'version-change';
  axis: VersionSeries['axis'];
  from: string;
  to: string;
  /** Client CPU of the cell `to` over that of the cell `from`; null where no difference can be claimed. */
  ratio: number | null;
  low: number | null;
  high: number | null;
  /** What an operation of `to` costs more; only where both were profiled. */
  code?: CodeDifference;
  /** The same step with other options of the client, as far as one was shown. */
  twins: { cell: string; ratio: number | null }[];
}

/** How far away a group's server was, in microseconds. */
export interface DistanceFinding {
  kind: 'distance';
  /** To which; missing where there is one server only. */
  server?: string;
  /** 0 for a relay without delay. */
  askedUs: number;
  /** What a PING took longer than directly, before the runs. */
  addedP50Us: number;
  addedP99Us: number;
  /** The same through the relay without delay: what it costs. */
  relayUs: number;
  /** What the relay made of it during the runs, in the cell in which it was least exact; null where none has ended. */
  inRuns: { p50Us: number; p99Us: number } | null;
  /** Whether it was another distance than was asked for, before the runs. */
  isOff: boolean;
}

/** Latencies of a cell with background load, and of the same cell alone. */
export interface BackgroundFinding {
  kind: 'beside-company';
  cell: string;
  alone: string;
  with: BackgroundLatencies;
  without: BackgroundLatencies;
  p50Us: LatencyDifference;
  p99Us: LatencyDifference;
}

/** Of the measured operations, all runs together; the p99 of an open loop is that of the median run. */
export type BackgroundLatencies = Pick<Latency, 'p50Us' | 'p99Us' | 'maxUs'>;

/** How sure it is that two latencies differ. */
export interface LatencyDifference {
  /** Whether a test carries it; null with fewer than two runs. */
  shown: boolean | null;
  /** Whether all runs of one lie above all of the other, and far from them. */
  inEveryRun: boolean;
  runs: number;
  /** About how many runs a test would need; null where it carries the difference already, or that cannot be said. */
  enoughRuns: number | null;
}

/** At a rate that several cells of a group sustained. */
export interface LowestP99 {
  kind: 'lowest-p99';
  /** Of the median run, from the planned start; the lowest first. */
  figures: { cell: string; p99Us: number }[];
  /** Each of `higher` differs from each of `lower`, in which the lowest is; both are empty where nothing differs. */
  lower: string[];
  higher: string[];
  /** Whether a test carries that, or it was so in every run. */
  by: 'test' | 'every-run' | null;
  /** Of one of `lower` and one of `higher`, and of how many of them a test carries it. */
  pairs: number;
  shownPairs: number;
  /** Whether there were enough runs for a test. */
  tested: boolean;
  runs: number;
  /** About how many runs a test would need; null where it carries the difference already, or that cannot be said. */
  enoughRuns: number | null;
}

export interface CoverageFinding {
  kind: 'not-measured';
  /** What had one value in all cells with a result. */
  constant: { axis: string; value: string | number | null }[];
  planned: number;
  skipped: number;
  failed: number;
  partial: boolean;
}

/** What cells execute per operation, by their counted starts: claims of their own, not about time. */
export interface InstructionFinding {
  kind: 'instructions';
  source: CountedStart['source'];
  /** Of the cell that has the fewest. */
  starts: number;
  fewest: { cell: string; perOp: number };
  /** Against `fewest`; `inTime`: in operations per second, as far as that was shown. Those with enough starts. */
  others: (Pick<Contrast, 'ratio' | 'low' | 'high' | 'differs'> & {
    cell: string;
    inTime: 'slower' | 'faster' | 'open';
  })[];
  /** The cells whose commands met in other batches while they were counted: commands per read. */
  otherwise: { cell: string; timed: number; counted: number }[];
}

export type WarningFinding =
  /** How far the CPU of profiled runs was off that of the timed ones; `server`: that of its main thread. */
  | { kind: 'profiled'; server?: true; offBy: { cell: string; share: number; beyondRuns: number }[] }
  /** Where the server's main thread spends its time; `modules` are the largest. */
  | { kind: 'server-code'; costs: Pick<CodeCosts, 'cell' | 'perOp' | 'kinds' | 'modules'>[] }
  /** `cells` are those whose figures are those of a busy machine. */
  /** `server`: in which slices its waits are known as well; `isWhole`: whether all cells were seen, and not only those that have processors of their own. */
  | ({ kind: 'disturbance'; server: 'all' | 'some' | 'none'; isWhole: boolean } & Waits)
  /** What the starts of each cell, compared with each other, let this machine tell apart. */
  | { kind: 'control'; starts: number; tellsApart: number }
  /** Differences that are not claimed, because only the time shows them, next to other programs. */
  | { kind: 'not-borne-out'; slower: string; faster: string; of: NotBorneOut }
  /**
   * Cells that did not become warm, or still became faster while they were timed; of `leftOut` some starts are not
   * compared.
   */
  | {
      kind: 'not-warm';
      laterFaster: { cell: string; ratio: number }[];
      leftOut?: { cell: string; starts: number }[];
    }
  | { kind: 'few-runs'; runs: number }
  /** Those that --until-stable waited for in vain; null where there are too few runs to say. */
  | { kind: 'unstable'; limitPercent: number; reaches: { cell: string; percent: number | null }[] };

/** What became of reads whose clients were configured to read from replicas. */
export interface ReplicaReads {
  kind: 'replica-reads';
  /** Replies to reads in all runs of such cells, and those that were older than the last write acknowledged before. */
  reads: number;
  stale: number;
  /** How many writes such a reply was behind, at most. */
  behind: number;
  /** The part of the reads that replicas answered, in the run with the least and in that with the most; null where no server tells. */
  lowShare: number | null;
  highShare: number | null;
  /** Whether anything was written in these runs. */
  wrote: boolean;
}
