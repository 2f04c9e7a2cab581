// @ts-ignore inferred from code: programs that use the package see any
import type { ReplaySummary } from './summarize-replay.js';

/** How a profile came about: the relay between a service and its server, MONITOR, or a text of MONITOR. */
export type ProfileSource = 'relay' | 'monitor' | 'text';

/** The first line of a profile. */
export interface ProfileHeader {
  type: 'profile';
  profileVersion: 1;
  tool: { name: 'redis-pipe-bench'; version: string };
  startedAt: string;
  source: ProfileSource;
  /** `seen`: the replies were; `assumed`: MONITOR shows none, so their types and sizes follow rules. */
  replies: 'seen' | 'assumed';
}

/** A connection of the service was opened. They are numbered from 1. */
type OpenLine = { type: 'open'; atUs: number; connection: number };

/** A connection was closed, or the recording ended with it open. */
interface CloseLine extends Omit<OpenLine, 'type'> {
  type: 'close';
  /** What the server sent unasked: messages of channels, invalidations. */
  pushes: number;
  pushBytes: number;
  /** Bytes that passed after something came that could not be parsed; 0 where all could. */
  unparsedBytes: number;
}

/** Why a recording ended. */
export type EndReason = 'time' | 'interrupted' | 'full' | 'most' | 'input';

/** The last line; a profile that was cut off has none. */
export interface EndLine {
  type: 'end';
  atUs: number;
  reason: EndReason;
  commands: number;
  /** Not written because the disk was too slow. */
  dropped: number;
  /** Lines of scripts, or of no known form, that were left out; 0 from the relay. */
  leftOut: { script: number; unreadable: number };
  /** Whether there were more keys than are distinguished. */
  keysShared: boolean;
}

/** A key: its number, and its size in bytes. The same key has the same number in all of a profile. */
export type KeyArgument = [key: number, bytes: number];

/**
 * An argument of a command.
 *
 * - `[17, 12]`: a key
 * - `100`: content of so many bytes
 * - `-3`: a number of so many characters, which the syntax asks for and which is not kept (a score, an amount)
 * - `'EX'`, `'60'`: a word of the syntax; or a count, an index or a duration
 */
export type Argument = KeyArgument | number | string;

/** The first byte of a reply; `_` for null in RESP2 too. */
export type ReplyType = '+' | ':' | '$' | '_' | '*' | '%' | '~' | '#' | ',' | '(' | '=';

/**
 * - `['$', 100]`: its type and the bytes of its content, protocol not counted
 * - `['*', 300, 4, 1]`: 4 members (of a map: 4 pairs), all nested content in bytes, 1 null among the members
 * - `['-', 'WRONGTYPE']`: an error and its first word; `OTHER` for one that is not Redis's own
 * - `null`: none was seen (CLIENT REPLY OFF, or the connection or the recording ended before)
 */
export type ReplyShape =
  | [type: ReplyType, bytes: number]
  | [type: '*' | '%' | '~', bytes: number, members: number, nulls: number]
  | ['-', string]
  | null;

/** A command, read from its line. */
export interface CommandLine {
  type: 'command';
  /** Since the recording started, when its last byte came; commands of one chunk have the same time. */
  atUs: number;
  connection: number;
  /** In capitals, with its subcommand: `GET`, `CONFIG GET`; `OTHER` for one that Redis itself does not have. */
  name: string;
  /** The first ones; none of commands whose arguments are secrets or names of clients. */
  args: Argument[];
  reply: ReplyShape;
  /** Until its reply was whole; null without one. */
  tookUs: number | null;
  /** On its connection, itself included. */
  underWay: number;
  underWayInAll: number;
  /** The arguments after the first ones. */
  rest: { count: number; bytes: number };
}

/** Everything in a profile after its header. */
export type ProfileLine = OpenLine | CloseLine | CommandLine | EndLine;

/** How far a recording is. */
export interface RecordingFigures {
  atUs: number;
  commands: number;
  connections: number;
  dropped: number;
  /** Connections on which something came that is not RESP. */
  unparsed: number;
  script: number;
  unreadable: number;
  underWay: number;
  /** The most frequent commands. */
  names: [name: string, count: number][];
}

export interface RecordingState extends RecordingFigures {
  /** Why nothing more can be written; null while it can. */
  failure: string | null;
  /** Why the recording has ended; what it records may go on. */
  ended: EndReason | null;
}

/** A connection that is recorded. It gets bytes after they were passed on. */
export interface Conversation {
  fromService(bytes: Buffer): void;
  fromServer(bytes: Buffer): void;
  close(): void;
}

/** Percentiles of what was counted. */
export interface Spread {
  p50: number;
  p90: number;
  p99: number;
  max: number;
}

/** All commands of a name. */
export interface NamedTraffic {
  name: string;
  count: number;
  /** Of all commands, 0 to 1. */
  share: number;
  /** Bytes of contents that one command sends: its values and keys. */
  sentBytes: Spread;
  /** Bytes of contents in its reply; null where none was seen. */
  replyBytes: Spread | null;
  tookUs: Spread | null;
  /** Of the values that were asked for, how many there were, 0 to 1; null where none was asked for. */
  hitRate: number | null;
  errors: number;
}

/** What a profile holds, in figures. */
export interface TrafficSummary
  extends Pick<NamedTraffic, 'sentBytes' | 'replyBytes' | 'tookUs'>,
    Pick<EndLine, 'dropped' | 'leftOut'> {
  file: string;
  header: ProfileHeader;
  /** What is missing at its end: nothing, the closing line, or the rest of a line. */
  cutOff: 'no' | 'end' | 'torn';
  reason: EndReason | null;
  durationUs: number;
  commands: number;
  perSecond: number;
  /** Of any whole second. */
  mostPerSecond: number;
  /** Commands a second in equal parts of the time. */
  rates: { fromUs: number; perSecond: number }[];
  /** The most frequent first. */
  names: NamedTraffic[];
  /** Contents of all commands and of all replies. */
  bytes: { sent: number; replies: number };
  hits: number;
  misses: number;
  errors: { word: string; count: number }[];
  keys: {
    distinct: number;
    /** Of all uses of keys, how many fall to so many of the most used. */
    top: { keys: number; share: number }[];
    /** Used only once. */
    once: number;
    shared: boolean;
  };
  underWay: Spread;
  underWayInAll: Spread;
  /** How many commands came together with the one before them, in one write of the service. */
  together: number;
  transactions: number;
  connections: { opened: number; most: number; pushes: number; unparsed: number; unparsedBytes: number };
  /** What a replay sends of it. */
  replay?: ReplaySummary | { refused: string };
}

/** What a command changes on its connection: after all but `plain` ones, replies come otherwise than one for each. */
export type Role =
  | ('plain' | 'subscribe' | 'reply' | 'monitor' | 'reset' | 'sync')
  | ('multi' | 'exec' | 'discard');

/**
 * How a replay sends a command.
 *
 * - `read`: it changes nothing, and gets keys of its own, stored so that every reply is the recorded one. A recorded
 *   miss gets a key that is never stored.
 * - `write`: it works on keys for writing, which commands of other types never touch, so that none fails.
 * - `take`: it takes something away that others, or the preparation, have put there.
 * - `plain`: without keys
 */
export type Way = 'read' | 'write' | 'take' | 'plain';

/** The type of a command's keys. */
export type Family =
  | ('string' | 'integer' | 'float' | 'bits' | 'hll')
  | ('hash' | 'hash-integer' | 'hash-float' | 'list' | 'set')
  | ('zset' | 'geo' | 'stream' | 'any');

/** A command that blocks, in the form that does not. */
export type Unblocked = Pick<CommandLine, 'name' | 'args' | 'reply'>;

/** What is known of a command besides what Redis itself says of it: its keys and how many words it has. */
export interface CommandRow {
  /** Its arguments; shape-arguments.js explains the letters. All are values without it. */
  syntax?: string;
  /** Its arguments are secrets, or name clients and machines. */
  isPrivate?: boolean;
  role?: Role;
  /** The reply that is assumed where MONITOR shows none; monitored.js says what each is. */
  reply?:
    | ('done' | 'pong' | 'number' | 'value' | 'one')
    | ('values' | 'each' | 'range' | 'all' | 'pairs' | 'empty');
  /** The place of the string that it stores, or pairs of keys and strings. */
  valueAt?: number | 'pairs';
  /** Each member of its reply is a hit or a miss. */
  hits?: 'members';
  /** A command with `replay` is sent again, others are left out. */
  replay?: Way;
  family?: Family;
  /** Each time there is more under its key. */
  grows?: boolean;
  /** The method of a connection, where it has so many arguments. */
  method?: ['get' | 'set' | 'hset' | 'exists' | 'del', number];
  /** The types of its reply, where these depend on what came before. */
  mayReply?: ('null' | 'text' | 'number' | 'members')[];
  /** Each reply is another one: it draws by lot, or tells the time. */
  varies?: boolean;
  /** Whether a number is a time that is never over, or the higher end of a range. */
  isLarge?: (args: Argument[], place: number) => boolean;
  isCoordinate?: (args: Argument[], place: number) => boolean;
  /** The place of an offset, which makes a string of that length. */
  offsetAt?: number;
  /** What must be stored for its reply to be as recorded. */
  data?: (use: ReadUse) => RedisCommand[];
  /** To which key it adds how many elements that others may wait for. */
  pushes?: (args: Argument[], keys: KeyArgument[]) => [key: KeyArgument | undefined, elements: number];
  /** The form that does not block, for the key that had something. */
  unblocked?: (line: CommandLine, key: KeyArgument) => Unblocked;
  /** The option with which alone it blocks. */
  blocksBy?: string;
  /** Its arguments as they are sent, if not as they were recorded. */
  sentAs?: (texts: string[], keys: string[]) => string[];
  /** The place of a stream's group among its words. */
  groupAt?: number;
  leftOut?: LeftOutReason;
}

/** How large replies are taken to be where they were not seen. */
export interface AssumedReplies {
  valueBytes: number;
  /** Of a whole hash, list or set; and of a range at most. */
  members: number;
  mostMembers: number;
}

/** Why a replay does not send a command; its words are made by report/words/replay-words.js. */
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
  | 'no-partner'
  | 'empty-transaction'
  | 'large-transaction';

export interface LeftOut {
  reason: LeftOutReason;
  /** How many, by name in capitals. */
  commands: Record<string, number>;
}

/** As it is sent: its name and its arguments. */
export type RedisCommand = [string, ...string[]];

/** A command that reads, with keys of its own. */
export interface ReadUse {
  /** In capitals. */
  name: string;
  /** As they are sent. */
  args: string[];
  reply: NonNullable<ReplyShape>;
  keys: string[];
  /** Whether scores stood between the members (RESP2), and not each with its member. */
  isFlat: boolean;
  content: (bytes: number, place?: number) => string;
  /** Bytes of an entry of a stream, on average; 0 where that is not known. */
  entryBytes: number;
}
