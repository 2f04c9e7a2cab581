/**
 * How closed loops are measured: every constant of it, with where it comes from ("the first minute" in
 * docs/measuring.md has the method and its figures).
 *
 * A *start* is one life of a cell's worker: it is spawned, warmed up briefly, and measured in many short slices, in
 * shuffled turns with all cells of the group. What disturbs a machine for seconds then falls on all cells alike, and
 * ratios within a start scatter by 4.5 % where single figures scatter by 9 %. A *run* is what is printed: some slices of
 * a start, one after the other.
 */
export const MEASURING = Object.freeze({
  /** Of the fastest cell, and of all that are much slower. 24 of them: ratios within 4.5 %. */
  sliceMs: 25,
  /** Of a start at least, as the machine is: the task asks for three of each cell. */
  runs: 3,
  /** Of a start that visits several conditions. */
  runsOfSeveral: 2,
  /**
   * Of a start near the best, until it is known how much runs and starts vary. Means of three runs scatter by 4 to 14 % from start
   * to start, and most of that is the noise of these runs: 24 slices a start bring the error of a ratio to 1.2 to 3.8 % in three.
   */
  usualRuns: 6,
  mostRuns: 16,
  /** Of what is hopeless, for its row. */
  hopelessRuns: 2,
  /** The part of these that comes on top with processors kept awake: they vary less (5.7 % from run to run), and are not what is claimed. */
  keptAwake: 1 / 6,
  /** Four slices. In both states of the processors, a start then has 16 of them. */
  runTimeMs: 100,
  /** Cells do as many iterations as the fastest one where that takes no more than so many times its slice. */
  alikeWithin: 1.25,
  /** Per task, while a slice stays within the next: slices of a dozen cost open-and-close 15 % more CPU per operation. */
  fewestIterations: 25,
  longestSliceMs: 60,
  /** Of the slices of a run, where a race shows that a cell is far behind. */
  briefPart: 1 / 2,
  mostSlices: 50,

  /** Warm-up. Throughput is level after 8 to 12 windows (12 default cells). */
  windowMs: 50,
  /** Two windows that cost at least this share of the best four before them: level. */
  windows: { compared: 4, last: 2, level: 0.95 },
  /** Without the time that it waited for CPU. */
  warmUpMs: 650,
  /**
   * After fewer operations nothing is level, and the time may be half as long again: opening a connection runs much code,
   * and after 0.6 s cost 1.4 to 1.8 times its CPU.
   */
  fewOperations: 15_000,
  fewTakeLonger: 1.5,
  /** Of later starts in a race: slices go on warming up, and all cells are as warm. */
  laterWarmUp: 0.55,
  /** Of one that comes from another condition, or whose server is moved away: 0.1 s. */
  settlePart: 0.15,
  /** What that takes, with a window that sizes its runs. */
  settledMs: 180,
  /** Of a cell that will stay far behind once warm. */
  behindWarmUp: 2 / 3,
  /**
   * So many times as long, where other programs keep the processors busy, but in this share of the time that is left. At least as
   * long as after few operations.
   */
  patience: 3,
  warmUpShare: 0.4,
  /** The lowest was disturbed least. */
  fixedCostRuns: 3,

  /**
   * The share of a slice that worker and server together may wait for CPU or lose to steal. Of 1,800 slices on a quiet
   * machine, 99 % waited for less than 6.6 %; with three busy loops, 886 of 900 exceeded 10 %, half of them 40 %.
   */
  disturbed: 0.1,
  /** Share of the slices of a start that are repeated because they waited. Beside steady load repeating helps nobody. */
  repeats: 0.25,

  /** Racing. The budget of a group of cells, where the user gives none. */
  budgetMs: 30_000,
  /** After the last start: keys, workers, the server, the report. Measured: 0.3 s, on a busy machine 0.8 s. */
  endingMs: 800,
  /** Of a warm cell whose CPU time the report explains. */
  profileMs: 1000,
  /** A cell once more, to see where its time goes: 2.3 s of six default cells. */
  breakdownMs: 2300,
  /** Of so many cells where the user asks for details only. */
  bestBreakdowns: 3,
  /** A cell that is this many times slower once warm has the fewest runs and the shorter warm-up. */
  farBehind: 2,
  /** A cell whose slices are surely this many times slower takes no second start: starts differ by 4 to 14 %. */
  surelyBehind: 1.6,
  /** A cell this many times slower has few runs. */
  hopeless: 5,
  /**
   * After so many windows it is warmed up no further if it will stay so once warm: pools that were 3 to 4 times behind then looked
   * 6 to 12 times behind before.
   */
  hopelessWindows: 4,
  fasterOnceWarm: 4,
  /** By one start, where there is no time to start all of the others often enough. */
  likelyBehind: 1.5,
  /** With four starts of what is near the best, a difference of 10 % shows. */
  leastStarts: 4,
  /**
   * Where several conditions show together how much starts vary. A start costs as much as 15 slices of each cell, and processes have no
   * luck of their own: what one has left over in two conditions does not correlate (r = -0.02, 433 pairs).
   */
  leastStartsOfSeveral: 2,
  /** The part of the cells that races on, by the 12 default ones. */
  expectedNear: 1 / 3,
  /** Of freedom, (cells - 1) (starts - 1): with fewer, a state of the processors by itself shows little. */
  degrees: 6,
  /** Of a cell, against the first start, in which slow ones warm up and profiles are taken. */
  laterCost: 0.75,
  /** A smaller difference is a tie: no service notices. */
  tie: 1.1,
  /** More starts say little more. */
  mostStarts: 24,
  /** The starts after which the result is looked at for the first time, then after each. */
  firstLook: 3,
  /** Where several conditions show together how much starts vary. */
  firstLookOfSeveral: 2,
  /** Where all cells are started equally often: --runs, assertions, releases. As many as cells near the best get. */
  fixedStarts: 4,

  /** Of a warm-up, on average, where no operation opens a connection. */
  usualWarmUpMs: 650,
  /** Starting a worker, loading its client, storing its data. */
  startMs: 350,
  /** Average of the default run: other cells take so much longer than the fastest. */
  slower: 1.5,
  /** Between slices: two INFO, a request, the reply. */
  betweenMs: 8,
  /** The least that a cell is worth starting for. */
  leastStartMs: 700,
  /** The least for one whose process comes from another condition: a window, and a run. */
  leastVisitMs: 250,

  /** Of a highest rate: a step is decided once so many of its runs agree, and the search ends within the noise of a machine. */
  search: { agreeingRuns: 2, resolution: 1.05 },
});
