// @ts-ignore inferred from code: programs that use the package see any
import type { startRecording } from './recording.js';

/** The first line of a profile. */
export interface ProfileHeader {
  type: 'profile';
  profileVersion: 2;
  tool: { name: 'redis-pipe-bench'; version: string };
  startedAt: string;
}

/** Connections are numbered from 1. */
type OpenLine = { type: 'open'; atUs: number; connection: number };

/** Also written for open connections when the recording ends. */
interface CloseLine extends Omit<OpenLine, 'type'> {
  type: 'close';
  /** Sent by the server unasked: messages, invalidations. */
  pushes: number;
  pushBytes: number;
  /** Bytes after something that could not be parsed. */
  unparsedBytes: number;
}

export type EndReason = 'time' | 'interrupted' | 'full' | 'most';

/** The last line, unless the profile was cut off. */
export interface EndLine {
  type: 'end';
  atUs: number;
  reason: EndReason;
  commands: number;
  /** Because the disk was too slow. */
  dropped: number;
  /** Whether some keys share a number. */
  keysShared: boolean;
}

/** Its number, unique in the profile, and its size in bytes. */
export type KeyArgument = [key: number, bytes: number];

/**
 * - `[17, 12]`: a key
 * - `100`: content of 100 bytes
 * - `-3`: a number of 3 characters, not recorded itself (a score, an amount)
 * - `'EX'`, `'60'`: a word of the syntax; a count, an index or a duration
 */
export type Argument = KeyArgument | number | string;

/** Its first byte; `_` for null in RESP2 too. */
export type ReplyType = '+' | ':' | '$' | '_' | '*' | '%' | '~' | '#' | ',' | '(' | '=';

/**
 * - `['$', 100]`: type and bytes of content
 * - `['*', 300, 4, 1]`: bytes of all content, 4 members (or pairs of a map), 1 null among them
 * - `['-', 'WRONGTYPE']`: an error; `OTHER` if Redis has no such word
 * - `null`: none (CLIENT REPLY OFF, or the connection or the recording ended before)
 */
export type ReplyShape =
  | [type: ReplyType, bytes: number]
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
  underWay: number;
  underWayInAll: number;
  /** Further arguments. */
  rest: { count: number; bytes: number };
}

export type ProfileLine = OpenLine | CloseLine | CommandLine | EndLine;

export type RecordingState = ReturnType<ReturnType<typeof startRecording>['state']>;
export type RecordingFigures = Omit<RecordingState, 'failure' | 'ended'>;

/** A recorded connection. It gets bytes after they were passed on. */
export interface Conversation {
  fromService(bytes: Buffer): void;
  fromServer(bytes: Buffer): void;
  close(): void;
}

/** After all but `plain` commands, the connection does not have one reply per command. */
export type Role =
  | ('plain' | 'subscribe' | 'reply' | 'monitor' | 'reset' | 'sync')
  | ('multi' | 'exec' | 'discard');

/**
 * How a replay sends a command.
 *
 * - `read`: with keys of its own, stored so that the reply is the recorded one; after a miss, with a key that is never stored
 * - `write`: with keys that commands of other types never touch, so that none fails
 * - `take`: it takes away what other commands or the preparation have stored
 * - `plain`: without keys
 */
export type Way = 'read' | 'write' | 'take' | 'plain';

/** The type of a command's keys. */
export type Family =
  | ('string' | 'integer' | 'float' | 'bits' | 'hll')
  | ('hash' | 'hash-integer' | 'hash-float' | 'list' | 'set')
  | ('zset' | 'stream' | 'any');

/** A blocking command in its form that does not block. */
export type Unblocked = Pick<CommandLine, 'name' | 'args' | 'reply'>;

/** What is known of a command besides its keys and number of words, which `@ioredis/commands` knows. */
export interface CommandRow {
  /** See shape-arguments.js. Without it, all arguments are values. */
  syntax?: string;
  /** Its arguments are secrets, or names of clients and machines. */
  isPrivate?: boolean;
  role?: Role;
  /** Each member of its reply is a hit or a miss. */
  hits?: 'members';
  /** Commands without it are left out. */
  replay?: Way;
  family?: Family;
  /** Its key grows each time. */
  grows?: boolean;
  /** Method of a connection, with this number of arguments. */
  method?: ['get' | 'set' | 'hset' | 'exists' | 'del', number];
  /** Types of its reply that depend on earlier commands. */
  mayReply?: ('null' | 'text' | 'number' | 'members')[];
  /** Each reply differs: it is random, or the time. */
  varies?: boolean;
  /** Whether a number is a time that must not pass, or the upper end of a range. */
  isLarge?: (args: Argument[], place: number) => boolean;
  /** Place of an offset, which creates a string of that length. */
  offsetAt?: number;
  /** Stores what makes the reply as recorded. */
  data?: (use: ReadUse) => RedisCommand[];
  /** For the key that had something. */
  unblocked?: (line: CommandLine, key: KeyArgument) => Unblocked;
  /** It blocks only with this option. */
  blocksBy?: string;
  /** Its arguments in a replay, if not as recorded. */
  sentAs?: (texts: string[], keys: string[]) => string[];
  /** Place of a stream's group among its words. */
  groupAt?: number;
  leftOut?: LeftOutReason;
}

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
