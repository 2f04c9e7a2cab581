import type { Command } from 'commander';
import type { OptionTable } from '../options/types.js';
import type { PluginFolders } from '../plugins/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type * as toolbox from './toolbox.js';

/** Everything outside the program that the command line uses, handed to it by bin/. */
export interface World {
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /** For signals. */
  process: NodeJS.EventEmitter & { connected?: boolean };
  /** Folders with plugins besides the tool's own. */
  pluginFolders?: PluginFolders;
  /** When this process began, in ms since 1970. */
  startedAtMs?: number;
}

/** What a command is given besides its own options. */
export interface CliContext extends World {
  /** Every option of a benchmark, those that plugins bring included. */
  options: OptionTable;
}

/** What a command is given once it runs. */
export interface RunContext extends CliContext {
  tools: typeof toolbox;
  /** Writes a line to stderr. */
  say(text: string): void;
}

export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** A command of the command line: the default export of a file in commands/. */
export interface CliCommand {
  name: string;
  summary: string;
  /** Gives it its arguments and options. */
  define?(command: Command, context: CliContext): void;
  /** Resolves to the exit code; to nothing where all is done. */
  run?(given: Record<string, any>, context: RunContext, ...args: string[]): Promise<number | undefined>;
  /** Its own commands. */
  commands?: CliCommand[];
}
