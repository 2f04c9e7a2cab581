/** What the command line touches of the world, handed to it by bin/. */
export interface World {
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /** For signals. */
  process: NodeJS.EventEmitter;
}

export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
