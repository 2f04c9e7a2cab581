import type { AgentFacts, Notice } from '../results/types.js';
import type { Observed, StartWorkers } from '../runner/types.js';
import type { Server } from '../server/types.js';
import type { Job, RunLength } from '../worker/types.js';

/** What the clock of the control Redis is ahead of this machine's monotonic clock. */
export interface ClockOffset {
  offsetMs: number;
  /** At most this far off. */
  errorMs: number;
}

/** A job that a process keeps active as long as it lives. */
export type AgentLease = { queue: string; job: string };

/** How an agent describes itself. */
export interface Hello extends AgentFacts {
  /** How far its wall clock is ahead of the control Redis' clock. */
  aheadMs: number;
  /** null for nobody. */
  worksFor: string | null;
  /** What later jobs are signed for; null where it takes jobs of anybody. */
  nonce: string | null;
}

/** An agent that cannot be used: its queue is not this tool's, or it does not take these jobs. */
export type Refusing = { name: string; why: string };

/** What begins the work of an agent for a benchmark. */
export interface SessionOffer {
  tool: string;
  /** The name of the commander, for messages. */
  commander: string;
  lease: AgentLease;
}

/** What a benchmark will ask of an agent, which can refuse before anything is measured. */
export interface Wants {
  /** host:port, or the path of a socket. */
  targets: string[];
  pluginFolders: string[];
  releases: string[];
  nodeBins: string[];
  profiles: string[];
  /** Of a cell, on each machine. */
  processes: number;
}

export interface AgentJob {
  job: Job;
  processes: number;
  /** null for the agent's own. */
  nodeBin: string | null;
  /** null for all. */
  cpus: number[] | null;
}

/** `startAtMs` by the clock of the control Redis. */
export type AgentRunLength = RunLength & { timed: boolean; startAtMs?: number };

export interface AgentRun {
  measured: Observed['measured'];
  clock: ClockOffset;
  /** How long before the common start it had received the run; null where there is none. */
  aheadMs: number | null;
}

export interface Fleet {
  agents: AgentFacts[];
  /** Whether they are certainly on this machine. */
  areLocal: boolean;
  notes: Notice[];
  /** Reports the end of an agent before its queue shows it. */
  lose(name: string, reason: Error): void;
  startWorkers: StartWorkers;
  /** @throws when a server is the control Redis itself, or an agent may not do what is asked */
  check(servers: Server[], wants: Omit<Wants, 'targets'>): Promise<void>;
  close(): Promise<void>;
}

export interface Allowed {
  /** host:port, or the path of a socket; null for any. */
  targets: string[] | null;
  /** Those among them that were named by rediss://. */
  onlyTls: string[];
  profiles: string[];
  /** Of --allow. */
  words: string[];
}
