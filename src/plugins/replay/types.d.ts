import type { ReplyShape } from '../../traffic/types.js';

/** As it is sent: its name and its arguments. */
export type Command = [string, ...string[]];

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
