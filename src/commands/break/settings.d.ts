import type { FaultPlan } from './types.js';

declare module '../../options/types.js' {
  interface Settings {
    fault?: FaultSpec[];
    faultAtMs?: number;
    /** Pauses, in ms; 0 for none. */
    idle?: number[];
  }
}

declare module '../../run/plan/types.js' {
  interface SkipReasons {
    'fault-keys': { keys: number; most: number };
    'fault-of-sentinels': { fault: string };
    'fault-of-single': { fault: string; able: string[]; topology: string };
    'fault-over-unix': { fault: string };
    'fault-idle': { fault: string };
    'fault-rate': { most: number };
  }
}

export type FaultSpec = Omit<FaultPlan, 'atMs'>;
