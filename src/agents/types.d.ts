import type { AgentFacts, Notice } from '../results/types.js';
import type { Observed, StartWorkers } from '../runner/types.js';
import type { Server, Target } from '../server/types.js';
import type { Job, RunLength } from '../worker/types.js';

/** The Redis that carries jobs between the machine that commands and the agents. */
export interface ControlRedis {
  /** Without credentials. */
  label: string;
  target: Target;
  /** null where INFO does not tell. */
  runId: string | null;
  /** Whether secrets may travel through it: nobody between can read them. */
  isPrivate: boolean;
  token: string | null;
  /** Whether somebody keeps a job active now. */
  isHeld(lease: AgentLease): Promise<boolean>;
  /** Milliseconds since 1970 by its clock. */
  time(): Promise<number>;
  queueNames(): Promise<string[]>;
  /** How long a lost connection of a queue waits before it is opened again; null once it is not needed any more. */
  retry(times: number): number | null;
  onClose(end: () => void): void;
  close(): void;
}

/** What has to be added to the monotonic clock of this machine to get that of the control Redis, in milliseconds. */
export interface ClockOffset {
  offsetMs: number;
  /** At most this far off. */
  errorMs: number;
}

export interface Clock {
  /** Milliseconds, by the clock of the control Redis. */
  now(): number;
  offset(): ClockOffset;
  /** Compares the clocks again, if that was a while ago. */
  refresh(): Promise<void>;
}

/** A job that somebody keeps active as long as he lives. */
export type AgentLease = { queue: string; job: string };

/** What an agent answers when it is asked who it is. */
export interface Hello extends AgentFacts {
  /** How far ahead of the control Redis' clock its own clock of the day is, in milliseconds. */
  aheadMs: number;
  /** Whom it works for; null for nobody. */
  worksFor: string | null;
  /** What later jobs are signed for; null where it takes jobs of anybody. */
  nonce: string | null;
}

/** One that cannot be used: its queue is none of this tool's, or it does not take these jobs. */
export type Refusing = { name: string; why: string };

/** What begins the work of an agent for a benchmark. */
export interface SessionOffer {
  tool: string;
  /** Who commands, in messages. */
  commander: string;
  lease: AgentLease;
}

/** What a benchmark will ask of an agent, so that it can refuse before anything is measured. */
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

/** The job of one agent, and what its workers run on. */
export interface AgentJob {
  job: Job;
  processes: number;
  /** A Node binary; null for the agent's own. */
  nodeBin: string | null;
  /** null for all. */
  cpus: number[] | null;
}

/** `startAtMs` by the clock of the control Redis. */
export type AgentRunLength = RunLength & { timed: boolean; startAtMs?: number };

export interface AgentRun {
  measured: Observed['measured'];
  clock: ClockOffset;
  /** How long before the common start it had heard of the run; null where there is none. */
  aheadMs: number | null;
}

/** One agent, seen from the machine that commands. */
export interface AgentLink {
  name: string;
  /** Why no answer comes any more, if so. */
  lost(): Error | null;
  /** Says so; everything that waits fails. */
  lose(reason: Error): void;
  call(method: string, data?: object, onSecond?: (second: any) => void): Promise<any>;
  /** null where nobody answers. */
  hello(): Promise<Hello | null>;
  /** Has it work for this benchmark alone, until the link is closed. */
  open(offer: SessionOffer): Promise<void>;
  close(): Promise<void>;
}

export interface Fleet {
  agents: AgentFacts[];
  /** Whether they are certainly on this machine. */
  areLocal: boolean;
  /** What the user should know of them. */
  notes: Notice[];
  /** What is known of the end of one before its queue shows it. */
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
  /** Of --allow, in the order in which they are listed. */
  words: string[];
}
