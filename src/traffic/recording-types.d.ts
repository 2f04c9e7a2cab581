import type { Arguments } from './arguments.js';
import type { KnownCommand } from './commands-known.js';
import type { KeyNumbers } from './key-numbers.js';

/** What all connections of a recording have in common. */
export interface Recording {
  /** Microseconds since the start. */
  nowUs(): number;
  find(args: Arguments): KnownCommand;
  keys: KeyNumbers;
  /** A line with its line feed. */
  write(line: string): void;
  /** A command of this name came. */
  count(name: string): void;
  /** The number of a new connection; null when there have been too many. */
  connect(): number | null;
  /** A connection cannot be parsed any further. */
  countUnparsed(): void;
  /** A line of MONITOR is left out. */
  leaveOut(what: 'script' | 'unreadable'): void;
  /** All that are under way. */
  held: { commands: number; bytes: number };
  /** A command waits for its reply, and holds so many characters. */
  hold(characters: number): void;
  release(characters: number): void;
  /** Whether there is no room for another one. */
  isFull(): boolean;
  /** It is left out for that. */
  drop(): void;
}
