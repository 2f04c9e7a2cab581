import type { Command } from 'commander';
import type { PluginFolders } from '../core/plugins/types.js';
import type { OptionTable } from '../options/types.js';

/** What the command line uses from outside the program; bin/ provides it. */
export interface World {
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /** For signals. */
  process: NodeJS.EventEmitter & { connected?: boolean };
  /** With plugins besides the tool's own. */
  pluginFolders?: PluginFolders;
  /** When this process began, in ms since 1970. */
  startedAtMs?: number;
}

export interface CliContext extends World {
  /** All benchmark options, including those of plugins. */
  options: OptionTable;
}

export interface RunContext extends CliContext {
  /** Writes a line to stderr. */
  say(text: string): void;
}

export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** A command as its file has it. */
export interface CommandPart {
  /** Adds its arguments and options. */
  define?(command: Command, context: CliContext): void;
  /** Resolves to the exit code; undefined means success. */
  run(given: Record<string, any>, context: RunContext, ...args: string[]): Promise<number | undefined>;
}
