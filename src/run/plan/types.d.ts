// @ts-ignore inferred from code: programs that use the package see any

import type { Release, Runtime } from '../../machine/types.js';
// @ts-ignore as above
import type { parseClient } from '../../options/client-options.js';
import type { Transport } from '../../options/types.js';
import type { Stored } from '../../store/types.js';
// @ts-ignore as above
import type { capacityOf } from '../memory-check.js';
// @ts-ignore as above
import type { lackOf } from './capacity.js';
// @ts-ignore as above
import type { readNames } from './cells.js';
// @ts-ignore as above
import type { createPlan } from './plan.js';
// @ts-ignore as above
import type { reasonToSkip } from './reason-to-skip.js';

/** One of --clients. */
export type AskedClient = ReturnType<typeof parseClient>;

/** The variant of the client that it extends, and its options. */
export type OwnVariant = NonNullable<Cell['ownVariant']>;

export type ReadNames = ReturnType<typeof readNames>;

/** What was found for the requested releases and Node binaries. */
export interface Sources {
  names?: ReadNames;
  /** By the requested name: `redis@5.8`. */
  releases?: Map<string, Release>;
  runtimes?: Runtime[];
  /** Measured side by side; one if missing. */
  servers?: ServerChoice[];
}

/** One of several servers, as cells name it, and what it offers. */
export interface ServerChoice extends Pick<CellPoint, 'server' | 'serverConfig'> {
  transports: Transport[];
}

/** What is asked for; a cell also has what was found for it. */
export type CellPoint = Omit<
  Cell,
  'id' | 'group' | 'release' | 'runtime' | 'inFlight' | 'floor' | 'chosen' | 'words' | 'skipped'
>;

export type FaultPlan = Stored<'FaultPlan'>;
export type OpenLoopPlan = Stored<'OpenLoopPlan'>;
export type Cell = Stored<'Cell'>;

export type SkipReason =
  | NonNullable<ReturnType<typeof reasonToSkip> | ReturnType<typeof lackOf>>
  | { kind: 'no-time'; budgetMs: number; needMs: number };

export type Plan = ReturnType<typeof createPlan>;
export type Capacity = ReturnType<typeof capacityOf>;

/** What a server is to store: keys and values, or what a command stores. */
export interface MemoryNeed {
  keys: number;
  keySize?: number;
  valueSize?: number;
  command?: string;
}

/** Limits on connections; null where unknown. */
export interface Limits {
  /** That a process may have open. */
  files: number | null;
  /** By the key of the server: connections that each of its nodes still takes. */
  servers: Partial<Record<string, { free: number | null; nodes: number }>>;
}
