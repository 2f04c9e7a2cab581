declare module '../../options/types.js' {
  interface Settings {
    /** The URL of the control Redis, or how many are started here. */
    agents?: string | { local: number };
    machines?: number[];
    queueToken?: string;
  }
}

export {};
