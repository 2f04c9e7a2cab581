import type { Release } from '../../machine/types.js';
import type { PluginFolders } from '../../plugins/types.js';
import type { Observed } from '../../run/types.js';
import type { Target, TlsOptions } from '../../server/types.js';
import type { CommandName } from '../types.js';

declare module '../../options/types.js' {
  interface Settings {
    /** The URL of the control Redis, or how many are started here. */
    agents?: string | { local: number };
    machines?: number[];
    queueToken?: string;
  }
}

declare module '../../store/types.js' {
  interface ResultHeader {
    agents?: AgentFacts[];
  }
  interface Notices {
    agents:
      | { kind: 'agent-node'; agent: string; node: string; here: string }
      | { kind: 'agent-package'; agent: string; package: string; version: string; here: string | null }
      | { kind: 'agent-silent'; agent: string }
      | { kind: 'agent-refuses'; why: string };
  }
}

export interface AgentFacts {
  name: string;
  tool: string;
  node: string;
  packages: Record<string, string>;
  /** `machine`: equal for all agents of a machine. */
  cpuModel: string;
  machine: string;
  cpuCount: number;
  openFiles: number | null;
  /** Added to its monotonic clock, `offsetMs` gives the control Redis time, to within `errorMs`. */
  clock: { offsetMs: number; errorMs: number };
}

export interface Hello extends AgentFacts {
  /** How far its wall clock is ahead of the control Redis' clock. */
  aheadMs: number;
  /** null for nobody. */
  worksFor: string | null;
  /** What jobs are signed for; null where it takes jobs of anybody. */
  nonce: string | null;
  /** What its key holds as long as it lives. */
  lease: string;
}

/** An agent that cannot be used: its queue is not this tool's, or it does not take these jobs. */
export type Refusing = { name: string; why: string };

/** What begins the work of an agent for a commander, whose key holds the lease as long as it lives. */
export type Offer = { tool: string; commander: string; lease: string };

/** A server as agents know it: `at` host:port, or the path of a socket; `nodes` of a cluster. */
export type Place = { transport: Target['transport']; at: string; database?: number; nodes?: string[] };

/** What a user typed, as far as workers depend on it. */
export interface Typed {
  options: Record<string, unknown>;
  /** Missing for a benchmark. */
  command?: CommandName;
  suite: { options?: Record<string, unknown> };
  folders: PluginFolders;
  /** How cells name their servers, and by what they are reached. */
  servers: object[];
  /** By the name that was asked for. */
  releases: Record<string, Release>;
  cells: string[];
  targets: Place[];
}

/** What needs a word of --allow; scripts are commands that may reach other keys than their own. */
export interface Wants
  extends Record<'pluginFolders' | 'releases' | 'nodeBins' | 'profiles' | 'scripts', string[]> {
  targets: Place[];
}

export interface AgentRun {
  measured: Observed['measured'];
  /** What the clock of the control Redis is ahead of its monotonic clock, at most so far off. */
  clock: { offsetMs: number; errorMs: number };
  /** How long before the common start it had received the run; null where there is none. */
  aheadMs: number | null;
}

/** Who started agents here may tell them of servers with all that they need. */
export type Owner = { name(target: Target): Promise<void> };

export interface Allowed {
  isAny: boolean;
  servers: Target[];
  /** Whom the agent trusts, where it uses TLS at all. */
  tls?: TlsOptions;
  profiles: string[];
  words: string[];
  /** Whether the process that started it names servers, and is trusted with their options. */
  isOwned?: boolean;
}
