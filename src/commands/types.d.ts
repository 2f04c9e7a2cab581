import type { AskedClients, OptionSpec, OptionTable, Settings } from '../options/types.js';
import type { Account, Catalogue, SuitePlugin } from '../plugins/types.js';
import type { CommonReport, Report as PrintedReport } from '../report/types.js';
import type { Cell, CellPoint, SkipReason } from '../run/plan/types.js';
import type { Fleet, PlanContext, RunContext } from '../run/types.js';
import type { Ending, Notice, Report as Result, ResultHeader, ResultRecord } from '../store/types.js';
import type { OpenCell } from '../worker/types.js';
import type { BareEvent } from './benchmark/types.js';

/** The commands that measure something else than a benchmark does. */
export type CommandName = 'break' | 'cold' | 'messages';

/** What measures: data, and doors to what it does. */
export interface Measuring {
  name: 'benchmark' | CommandName;
  /** No running server can be named: yours must not break. */
  startsItsServers?: boolean;
  /** Options that --details asks for, where the user says nothing else. */
  withDetails?: Partial<Settings>;
  ownOptions?(): Promise<Record<string, OptionSpec>>;
  /** Servers that its options name besides those that are measured; TLS options apply to them too. */
  otherServers?(settings: Settings): { flag: string; url: string }[];
  /** Its settings, where a suite has a say in them. */
  resolve?(given: Record<string, unknown>, suite: SuitePlugin, table: OptionTable): Promise<Settings>;
  /** Checks what only it knows, before servers are looked for. */
  checkSettings?(settings: Settings): Promise<void>;
  /** What it says of its cells; nothing by default. */
  plan?(): Promise<CommandPlan>;
  /** What follows from its settings and clients, and what the user should know before the run. */
  settle?(settings: Settings, asked: AskedClients): Promise<{ settings: Settings; notes: Notice[] }>;
  /** Checks its settings against the cells, before servers are opened; resolves to what its groups need besides. */
  prepare?(
    settings: Settings,
    cells: (Cell & { reason?: string })[],
    onEvent: (event: BareEvent) => void,
  ): Promise<Partial<RunContext>>;
  /** Load that comes from other machines; null where it comes from this one. */
  fleet?(settings: Settings): Promise<{
    openFleet(settings: Settings, signal: AbortSignal): Promise<Fleet>;
  } | null>;
  /** In each process of a cell, where it has any: opens the cell for a job. */
  worker?(): Promise<{ open: OpenCell }>;
  run(): Promise<Pick<PlanContext, 'runGroup' | 'setsOf'>>;
  /** What its results show; without it, its tables say it. */
  conclude?(): Promise<{ conclude(header: ResultHeader, records: ResultRecord[], ending: Ending): Result }>;
}

/** What the plan asks a command. */
export interface CommandPlan {
  skip?(
    cell: CellPoint & Pick<Cell, 'release' | 'chosen'>,
    settings: Settings,
    catalogue: Catalogue,
  ): SkipReason | null;
  /** What a client must be capable of; `relay`: whether it connects to several nodes through relays. */
  needs?(cell: CellPoint): { capabilities: string[]; relay?: boolean };
  /** How many different keys a cell uses. `account`: of a workload whose operations can be followed. */
  keys?(
    cell: CellPoint,
    workload: { account: Account | undefined; keysPerOperation: number },
    settings: Settings,
  ): number;
  /** How long a run of a cell sends, where that is not --duration, and pauses. */
  lasts?(cell: CellPoint): { durationMs: number | undefined; pauseMs: number };
  /** What so many cells take after their runs. */
  afterMs?(settings: Settings, cells: number): number;
  /** Whether it puts relays before its servers, besides those of --rtt. */
  relays?(settings: Settings): boolean;
  /** Whether its load takes only part of a processor, so that servers never wait for one. */
  sparesServers?: boolean;
  /** Instead of the usual bounds. */
  mostInFlight?: { commands: number; bytes: number };
}

export interface CommandData extends Measuring {
  name: CommandName;
  title: string;
  /** The options that it has; any other is refused. */
  takes: string[];
  /** Instead of those of a benchmark. */
  defaults: Record<string, unknown>;
  /** Its workloads, where it has not those of a benchmark. */
  workloads?: string[];
  help?: Record<string, string>;
  /** Why it refuses a workload of another command, which `typed` would measure. */
  otherWorkload?(name: string, typed: string): string;
  report(): Promise<{ reportOf(result: Result, common: CommonReport): PrintedReport }>;
  /** What replaces settings that the user did not choose. */
  smoke(settings: Settings): Partial<Settings>;
}
