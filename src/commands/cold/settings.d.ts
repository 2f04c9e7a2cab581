declare module '../../options/types.js' {
  interface Settings {
    bundle?: ('none' | 'esbuild')[];
  }
}

export {};
