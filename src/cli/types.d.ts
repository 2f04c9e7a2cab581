import type { Command } from 'commander';

/** What the command line touches of the world, handed to it by bin/. */
export interface World {
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /** For signals. */
  process: NodeJS.EventEmitter;
}

export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** A command of the command line: the default export of a file in commands/. */
export interface CliCommand {
  name: string;
  summary: string;
  /** Gives it its arguments and options. */
  define?(command: Command): void;
  /** Resolves to the exit code. */
  run?(options: Record<string, any>, world: World, ...args: string[]): Promise<number>;
  /** Its own commands. */
  commands?: CliCommand[];
}
