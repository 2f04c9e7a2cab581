import type { Command } from 'commander';
import type { CommandData } from '../commands/types.js';
import type { OptionTable } from '../options/types.js';
import type { PluginFolders } from '../plugins/types.js';

/** What the command line uses from outside the program; bin/ provides it. */
export interface Outside extends Omit<World, 'stdout' | 'stderr'> {
  stdout: Output;
  stderr: Output;
}

/** The same, with printers: no command holds a stream. */
export interface World {
  stdout: Printer;
  stderr: Printer;
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
  say(text: string): void;
}

export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };

export interface Printer {
  readonly color: boolean;
  /** Undefined if the terminal does not report its size. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** Whether lines can be drawn again. */
  readonly animated: boolean;
  /** Each text is one line, whatever it holds. */
  lines(texts: string[]): void;
  /** A line that begins with a coloured mark. */
  marked(mark: [look: 'green' | 'yellow' | 'red', text: string], text: string): void;
  /** What a format made of texts that are printable already: its lines and colours stay, nothing else. */
  rendered(text: string): void;
  /** Draws what a format rendered and the lines below it in place of the lines before, and stays on the last; returns the new ones. */
  redraw(before: string[], rendered: string[], texts: string[]): string[];
}

/** A command as its file has it. */
export interface CommandPart {
  define?(command: Command, context: CliContext): void;
  /** Resolves to the exit code; undefined means success. */
  run(given: Record<string, any>, context: RunContext, ...args: string[]): Promise<number | undefined>;
  /** Where it measures something else than a benchmark does. */
  data?: CommandData;
}
