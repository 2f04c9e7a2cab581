declare module '../../options/types.js' {
  interface Settings {
    bundle?: ('none' | 'esbuild')[];
  }
}

declare module '../../store/types.js' {
  interface Run {
    cold?: ColdRun;
  }
  interface Summary {
    cold?: Partial<ColdRun>;
  }
}

/** Medians over the fresh processes of a run, up to the first reply. */
export interface ColdRun {
  firstReplyMs: number | null;
  startMs: number | null;
  importMs: number | null;
  connectMs: number | null;
  replyMs: number | null;
  cpuMs: number | null;
  startCpuMs: number | null;
  importCpuMs: number | null;
  connectCpuMs: number | null;
  replyCpuMs: number | null;
  modules: number | null;
  rssBytes: number | null;
  installedBytes: number | null;
}
