declare module '../../store/types.js' {
  interface Notices {
    traffic: ReplayNote;
  }
  interface RunWarnings {
    traffic: { kind: 'not-replayed'; command: string; why: string };
  }
}

export type ReplayNote =
  | { kind: 'replay-lacks'; file: string; missing: number; recorded: number; leftOut: LeftOut[] }
  | { kind: 'replay-transactions'; file: string; transactions: number; sent: number }
  | { kind: 'replay-unblocked'; file: string; commands: Record<string, number> }
  | { kind: 'replay-tasks'; file: string; tasks: number }
  | { kind: 'replay-beginning'; file: string; sent: number };

/** The first line. */
export interface ProfileHeader {
  type: 'profile';
  profileVersion: number;
  tool: { name: 'redis-pipe-bench'; version: string };
  startedAt: string;
}

/** Connections are numbered from 1. */
export interface OpenLine {
  type: 'open';
  atUs: number;
  connection: number;
}

/** Also written for open connections when the recording ends. */
export interface CloseLine {
  type: 'close';
  atUs: number;
  connection: number;
  /** What the server sent unasked. */
  pushes: number;
  pushBytes: number;
  /** Those after something that could not be parsed. */
  unparsedBytes: number;
}

/** The last line, unless the profile was cut off. */
export interface EndLine {
  type: 'end';
  atUs: number;
  reason: 'time' | 'interrupted' | 'full' | 'most';
  commands: number;
  /** Commands for which the disk was too slow. */
  dropped: number;
  keysShared: boolean;
}

export type EndReason = EndLine['reason'];
export type ProfileLine = OpenLine | CloseLine | CommandLine | EndLine;

/** Its number, unique in the profile, and its size in bytes. */
export type KeyArgument = [key: number, bytes: number];

/**
 * - `[17, 12]`: a key
 * - `100`: content of 100 bytes
 * - `-3`: a number of 3 characters, not recorded itself (a score, an amount)
 * - `'EX'`, `'60'`: a word of the syntax; a count, an index or a duration
 */
export type Argument = KeyArgument | number | string;

/**
 * - `['$', 100]`: type (its first byte; `_` for null in RESP2 too) and bytes of content
 * - `['*', 300, 4, 1]`: bytes of all content, 4 members (or pairs of a map), 1 null among them
 * - `['-', 'WRONGTYPE']`: an error; `OTHER` if Redis has no such word
 * - `null`: none (the connection or the recording ended before)
 */
export type ReplyShape =
  | [type: '+' | ':' | '$' | '_' | '*' | '%' | '~' | '#' | ',' | '(' | '=', bytes: number]
  | [type: '*' | '%' | '~', bytes: number, members: number, nulls: number]
  | ['-', string]
  | null;

export interface CommandLine {
  type: 'command';
  /** When its last byte came; the same for all commands of a chunk. */
  atUs: number;
  connection: number;
  /** `GET`, `CONFIG GET`; `OTHER` for a command that Redis does not have. */
  name: string;
  /** The first ones; none if they are secrets or names of clients. */
  args: Argument[];
  reply: ReplyShape;
  /** Null without a reply. */
  tookUs: number | null;
  /** On its connection, including itself. */
  inFlight: number;
  underWayInAll: number;
  /** Further arguments. */
  rest: { count: number; bytes: number };
}

export interface RecordingState {
  atUs: number;
  commands: number;
  connections: number;
  dropped: number;
  unparsed: number;
  inFlight: number;
  /** Why nothing more can be written. */
  failure: string | null;
  /** Why it has ended; the traffic may go on. */
  ended: EndReason | null;
}

/** A recorded connection. It gets bytes after they were passed on. */
export interface Conversation {
  fromService(bytes: Buffer): void;
  fromServer(bytes: Buffer): void;
  close(): void;
}

/** A blocking command in its form that does not block. */
export type Unblocked = Pick<CommandLine, 'name' | 'args' | 'reply'>;

/** What is known of a command besides its keys and number of words, which `@ioredis/commands` knows. */
export interface CommandRow {
  /** See shape-arguments.js. Without it, all arguments are values. */
  syntax?: string;
  /** Its arguments are secrets, or names of clients and machines. */
  isPrivate?: boolean;
  /** After such a command, the connection does not have one reply per command; `unread`: it is not parsed any more. */
  role?: 'subscribe' | 'reset' | 'multi' | 'exec' | 'discard' | 'unread';
  /** Each member of its reply is a hit or a miss. */
  hits?: 'members';
  /**
   * How a replay sends it; commands without it are left out.
   *
   * - `read`: with keys of its own, stored so that the reply is the recorded one; after a miss, with a key that is never stored
   * - `write`: with keys that commands of other types never touch, so that none fails
   * - `take`: it takes away what other commands or the preparation have stored
   * - `plain`: without keys
   */
  replay?: 'read' | 'write' | 'take' | 'plain';
  /** Its keys' type, by name. */
  family?: string;
  /** Its key grows each time. */
  grows?: boolean;
  /** Method of a connection, with this number of arguments. */
  method?: ['get' | 'set' | 'hset' | 'exists' | 'del', number];
  /** Types of its reply that depend on earlier commands. */
  mayReply?: ('null' | 'text' | 'number' | 'members')[];
  /** Each reply differs: it is random, or the time. */
  varies?: boolean;
  /** Place of a time that must not pass, or of the upper end of a range. */
  largeAt?: (args: Argument[]) => number;
  /** Place of an offset, which creates a string of that length. */
  offsetAt?: number;
  /** Stores what makes the reply as recorded. */
  data?: (use: ReadUse) => RedisCommand[];
  /** With the first of its keys, which is filled before each run. */
  unblocked?: (line: CommandLine, key: KeyArgument) => Unblocked;
  /** It blocks only with this option. */
  blocksBy?: string;
  /** Its arguments in a replay, if not as recorded. */
  sentAs?: (texts: string[], keys: string[]) => string[];
  /** Place of a stream's group among its words. */
  groupAt?: number;
  leftOut?: LeftOutReason;
}

/** Connections outlive a failed recording. */
export type RelayRecording = RecordingState & { open: number };

export type LeftOutReason =
  | 'set-up'
  | 'channels'
  | 'scripts'
  | 'watched'
  | 'not-carried-out'
  | 'whole-database'
  | 'blocks'
  | 'groups'
  | 'unknown'
  | 'many-arguments'
  | 'large'
  | 'failed'
  | 'unanswered'
  | 'in-vain'
  | 'empty-transaction'
  | 'large-transaction';

export interface LeftOut {
  reason: LeftOutReason;
  /** By name in capitals. */
  commands: Record<string, number>;
}

/** Name first. */
export type RedisCommand = [string, ...string[]];

export interface ReadUse {
  /** In capitals. */
  name: string;
  args: string[];
  reply: NonNullable<ReplyShape>;
  keys: string[];
  /** RESP2: scores between the members. */
  isFlat: boolean;
  content: (bytes: number, place?: number) => string;
  /** Average of a stream; 0 if unknown. */
  entryBytes: number;
}
