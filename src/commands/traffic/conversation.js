import Queue from 'yocto-queue';
import {
  ARRAY,
  createReplyScanner,
  createRequestScanner,
  PUSH,
  shapeReply,
  Unparsable,
} from './scan-resp.js';
import { shapeArguments } from './shape-arguments.js';

/** @import { Arguments, Scanned } from './scan-resp.js' */
/** @import { KnownCommand } from './shape-arguments.js' */
/** @import { Recording } from './recording.js' */
/** @import { Conversation } from './types.js' */

/**
 * @typedef {Pick<KnownCommand, 'name' | 'role'> & {begun: string, atUs: number, ended: string}} Sent a command that waits for
 *   its reply. `begun`: its line up to the reply; `ended`: after the time
 */

/** A command for which there was no memory. @type {Sent} */
const DROPPED = { name: '', role: undefined, begun: '', atUs: 0, ended: '' };

const SIMPLE = '+'.charCodeAt(0);
/** They are pushes in RESP3, and arrays in RESP2, known by their first word. */
const MESSAGES = new Set(['message', 'pmessage', 'smessage']);
const CONFIRMATIONS = new Set(
  'subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe'.split(' '),
);

/**
 * Pairs the commands of a connection with its replies. After what it cannot parse or pair, it only counts bytes.
 * @param {number} number of the connection @param {Recording} recording @returns {Conversation}
 */
export function createConversation(number, recording) {
  /** @type {Queue<Sent>} */
  const inFlight = new Queue();
  /** @type {Sent[] | null} between MULTI and EXEC */
  let queued = null;
  /** @type {string[]} their replies, from that of EXEC */
  let results = [];
  let hasSubscribed = false;
  let isParsed = true;
  let isOver = false;
  let atUs = 0;
  const counts = { pushes: 0, pushBytes: 0, unparsedBytes: 0 };

  const scanRequests = createRequestScanner(takeCommand);
  const scanReplies = createReplyScanner({
    onReply: takeReply,
    onMember(member) {
      if (queued !== null && results.length < queued.length && inFlight.peek()?.role === 'exec') {
        results.push(shapeReply(member));
      }
    },
    needsWords: () => hasSubscribed,
  });

  /** @param {Arguments} args */
  function takeCommand(args) {
    const command = recording.find(args);
    const { role, name } = command;
    const alone = inFlight.size + 1;
    const inAll = recording.pending.commands + 1;
    hasSubscribed ||= role === 'subscribe';
    if (recording.isFull() && role === undefined) {
      inFlight.enqueue(DROPPED);
      recording.leaveOut('dropped');
      return;
    }
    const known = Math.min(args.count, args.lengths.length);
    const rest =
      args.count > known && !command.hasPrivateArguments ? `,[${args.count - known},${args.restBytes}]` : '';
    const begun = `[${atUs},${number},"${name}",${shapeArguments(command, args, recording.keys)},`;
    const ended = `,${alone},${inAll}${rest}]\n`;
    recording.count();
    recording.hold(begun.length);
    inFlight.enqueue({ role, name, begun, atUs, ended });
    // What follows is no reply for each command.
    if (role === 'unread') throw new Unparsable();
  }

  /** @param {Scanned} reply */
  function takeReply(reply) {
    const sent = inFlight.peek();
    const mayBeTold = reply.type === PUSH || (hasSubscribed && reply.type === ARRAY);
    const isConfirmation = mayBeTold && CONFIRMATIONS.has(reply.word);
    // SUBSCRIBE is answered by the first confirmation; one follows for each further channel.
    if (isConfirmation && sent?.name.toLowerCase() !== reply.word) return;
    const isMessage = mayBeTold && (reply.type === PUSH || MESSAGES.has(reply.word));
    if (sent === undefined || (isMessage && !isConfirmation)) {
      counts.pushes++;
      counts.pushBytes += reply.bytes;
      return;
    }
    inFlight.dequeue();
    if (sent === DROPPED) return;
    const { role } = sent;
    const isSimple = reply.type === SIMPLE;
    if (role === 'exec' || role === 'discard' || role === 'reset') endTransaction();
    else if (queued !== null && isSimple) {
      queued.push(sent);
      return;
    }
    if (role === 'multi' && isSimple) queued = [];
    writeLine(sent, shapeReply(reply), recording.nowUs());
  }

  function endTransaction() {
    for (const [index, sent] of (queued ?? []).entries())
      writeLine(sent, results[index] ?? 'null', recording.nowUs());
    queued = null;
    results = [];
  }

  /** @param {Sent} sent @param {string} reply @param {number} [nowUs] */
  function writeLine(sent, reply, nowUs) {
    recording.release(sent.begun.length);
    const took = nowUs === undefined || reply === 'null' ? 'null' : Math.max(0, nowUs - sent.atUs);
    recording.write(`${sent.begun}${reply},${took}${sent.ended}`);
  }

  function giveUpAll() {
    endTransaction();
    for (const sent of inFlight.drain()) if (sent !== DROPPED) writeLine(sent, 'null');
  }

  /** @param {(bytes: Buffer) => void} scan @param {Buffer} bytes */
  function take(scan, bytes) {
    if (isOver) return;
    if (!isParsed) {
      counts.unparsedBytes += bytes.length;
      return;
    }
    try {
      scan(bytes);
    } catch (error) {
      if (!(error instanceof Unparsable)) throw error;
      isParsed = false;
      counts.unparsedBytes += bytes.length;
      recording.leaveOut('unparsed');
      giveUpAll();
    }
  }

  return {
    fromService(bytes) {
      atUs = recording.nowUs();
      take(scanRequests, bytes);
    },

    fromServer: (bytes) => take(scanReplies, bytes),

    close() {
      if (isOver) return;
      isOver = true;
      giveUpAll();
      const line = { type: 'close', atUs: recording.nowUs(), connection: number, ...counts };
      recording.write(`${JSON.stringify(line)}\n`);
    },
  };
}
