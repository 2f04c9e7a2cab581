import Queue from 'yocto-queue';
import { createArguments, fill } from './arguments.js';
import { MOST_BYTES } from './format.js';
import { createReplyScanner, PUSH } from './reply-scanner.js';
import { createNumberReader, Unparsable } from './scan-number.js';
import { createSubscriptions, shapeReply } from './server-replies.js';
import { shapeArguments } from './shape-arguments.js';

/** @import { Arguments } from './arguments.js' */
/** @import { Scanned } from './reply-scanner.js' */
/** @import { Recording } from './recording.js' */
/** @import { Conversation, Role } from './types.js' */

/**
 * @typedef {{role: Role, begun: string, atUs: number, ended: string, words: number}} Sent a command that waits for its
 *   reply. `begun`: its line up to the reply; `ended`: after the time
 */

/** A command for which there was no memory. @type {Sent} */
const DROPPED = { role: 'plain', begun: '', atUs: 0, ended: '', words: 0 };

/**
 * Pairs the commands of a connection with its replies. After something that it cannot parse, it only counts bytes.
 * @param {number} number of the connection @param {Recording} recording @returns {Conversation}
 */
export function createConversation(number, recording) {
  /** @type {Queue<Sent>} */
  const underWay = new Queue();
  const subscriptions = createSubscriptions();
  /** @type {Sent[] | null} between MULTI and EXEC */
  let queued = null;
  /** @type {string[]} their replies, from that of EXEC */
  let results = [];
  let isMonitor = false;
  let repliesAreOff = false;
  let skipsNext = false;
  let isParsed = true;
  let isOver = false;
  let atUs = 0;
  const counts = { pushes: 0, pushBytes: 0, unparsedBytes: 0 };

  const scanRequests = createRequestScanner(takeCommand);
  const scanReplies = createReplyScanner({
    onReply: takeReply,
    onMember(member) {
      if (queued !== null && results.length < queued.length && underWay.peek()?.role === 'exec') {
        results.push(shapeReply(member));
      }
    },
    needsWords: () => subscriptions.everAsked(),
  });

  /** @param {Arguments} args */
  function takeCommand(args) {
    const command = recording.find(args);
    const { role, name } = command;
    const hasReply = expectsReply(role, args);
    const alone = underWay.size + 1;
    const inAll = recording.pending.commands + 1;
    if (role === 'subscribe') subscriptions.ask(args.count - 1);
    if (hasReply && recording.isFull() && role === 'plain') {
      underWay.enqueue(DROPPED);
      recording.leaveOut('dropped');
      return;
    }
    const known = Math.min(args.count, args.lengths.length);
    const rest =
      args.count > known && !command.hasPrivateArguments ? `,[${args.count - known},${args.restBytes}]` : '';
    const sent = {
      role,
      begun: `[${atUs},${number},"${name}",${shapeArguments(command, args, recording.keys)},`,
      atUs,
      ended: `,${alone},${inAll}${rest}]\n`,
      words: args.count,
    };
    recording.count(name);
    if (hasReply) {
      recording.hold(sent.begun.length);
      underWay.enqueue(sent);
    } else recording.write(`${sent.begun}null,null${sent.ended}`);
    // A copy of the server's data follows.
    if (role === 'sync') throw new Unparsable();
  }

  /** @param {Role} role @param {Arguments} args */
  function expectsReply(role, args) {
    const isSkipped = skipsNext;
    skipsNext = false;
    if (role === 'reply' && args.count === 3) {
      const mode = args.text(2).toUpperCase();
      if (mode === 'ON') repliesAreOff = false;
      if (mode === 'OFF') repliesAreOff = true;
      if (mode === 'SKIP' && !repliesAreOff) skipsNext = true;
      if (mode === 'SKIP') return false;
    }
    if (role === 'reset') repliesAreOff = false;
    return !repliesAreOff && !isSkipped;
  }

  /** @param {Scanned} reply */
  function takeReply(reply) {
    const isUnasked = isMonitor || subscriptions.isMessage(reply);
    const first = isUnasked ? undefined : underWay.peek();
    if (first === undefined || (reply.type === PUSH && first.role !== 'subscribe')) {
      counts.pushes++;
      counts.pushBytes += reply.bytes;
      return;
    }
    if (first.role === 'subscribe' && subscriptions.confirm(reply, first.words - 1) > 0) return;
    underWay.dequeue();
    if (first !== DROPPED) takeAnswer(first, reply);
  }

  /** @param {Sent} sent @param {Scanned} reply */
  function takeAnswer(sent, reply) {
    const { role } = sent;
    const isSimple = reply.type === 0x2b;
    if (role === 'exec' || role === 'discard' || role === 'reset') endTransaction();
    else if (queued !== null && isSimple) {
      queued.push(sent);
      return;
    }
    if (role === 'multi' && isSimple) queued = [];
    if (role === 'monitor' && isSimple) isMonitor = true;
    if (role === 'reset') subscriptions.clear();
    tell(sent, shapeReply(reply), recording.nowUs());
  }

  function endTransaction() {
    for (const [index, sent] of (queued ?? []).entries())
      tell(sent, results[index] ?? 'null', recording.nowUs());
    queued = null;
    results = [];
  }

  /** @param {Sent} sent @param {string} reply @param {number} [nowUs] */
  function tell(sent, reply, nowUs) {
    recording.release(sent.begun.length);
    const took = nowUs === undefined || reply === 'null' ? 'null' : Math.max(0, nowUs - sent.atUs);
    recording.write(`${sent.begun}${reply},${took}${sent.ended}`);
  }

  function forget() {
    endTransaction();
    for (const sent of underWay.drain()) if (sent !== DROPPED) tell(sent, 'null');
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
      forget();
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
      forget();
      const line = { type: 'close', atUs: recording.nowUs(), connection: number, ...counts };
      recording.write(`${JSON.stringify(line)}\n`);
    },
  };
}

const [STAR, DOLLAR, CR, LF] = Buffer.from('*$\r\n');
/** The limits of Redis. */
const MOST_WORDS = 1024 * 1024;
const LONGEST_INLINE_BYTES = 64 * 1024;
const [START, COUNT, BULK, LENGTH, PAYLOAD, ENDING, INLINE] = [0, 1, 2, 3, 4, 5, 6];

/**
 * Parses commands chunk by chunk. It keeps no values, only the beginnings of words that span chunks.
 * @param {(args: Arguments) => void} onCommand gets each; the object is reused for the next
 */
function createRequestScanner(onCommand) {
  const args = createArguments();
  const number = createNumberReader();
  let state = START;
  let missingWords = 0;
  let missingBytes = 0;
  /** @type {Buffer[]} of an inline command that spans chunks */
  let inline = [];

  /** @type {Record<number, (bytes: Buffer, at: number) => number>} each returns the next position */
  const steps = {
    [START](bytes, at) {
      number.begin();
      state = bytes[at] === STAR ? COUNT : INLINE;
      return state === COUNT ? at + 1 : at;
    },

    [COUNT](bytes, at) {
      const next = number.read(bytes, at);
      if (next === -1) return bytes.length;
      missingWords = number.value();
      if (missingWords > MOST_WORDS) throw new Unparsable();
      args.clear();
      state = missingWords > 0 ? BULK : START;
      return next;
    },

    [BULK](bytes, at) {
      if (bytes[at] !== DOLLAR) throw new Unparsable();
      number.begin();
      state = LENGTH;
      return at + 1;
    },

    [LENGTH](bytes, at) {
      const next = number.read(bytes, at);
      if (next === -1) return bytes.length;
      const length = number.value();
      if (length < 0 || length > MOST_BYTES) throw new Unparsable();
      args.begin(length, next);
      missingBytes = length > 0 ? length : 2;
      state = length > 0 ? PAYLOAD : ENDING;
      return next;
    },

    [PAYLOAD](bytes, at) {
      const next = Math.min(at + missingBytes, bytes.length);
      args.proceed(at, next);
      missingBytes -= next - at;
      if (missingBytes > 0) return next;
      missingBytes = 2;
      state = ENDING;
      return next;
    },

    [ENDING](bytes, at) {
      if (bytes[at] !== (missingBytes === 2 ? CR : LF)) throw new Unparsable();
      if (--missingBytes > 0) return at + 1;
      missingWords--;
      state = missingWords > 0 ? BULK : START;
      if (missingWords === 0) {
        onCommand(args);
        args.clear();
      }
      return at + 1;
    },

    [INLINE](bytes, at) {
      const feed = bytes.indexOf(LF, at);
      // A copy: the chunk is reused.
      inline.push(Buffer.from(bytes.subarray(at, feed === -1 ? bytes.length : feed)));
      const line = feed === -1 && inline.length === 1 ? inline[0] : Buffer.concat(inline);
      if (line.length > LONGEST_INLINE_BYTES) throw new Unparsable();
      inline = [line];
      if (feed === -1) return bytes.length;
      inline = [];
      state = START;
      const words = inlineWords(line.toString('latin1'));
      // An empty line has no reply.
      if (words.length > 0) {
        fill(
          args,
          words.map((word) => Buffer.from(word, 'latin1')),
        );
        onCommand(args);
      }
      args.clear();
      args.enter(bytes);
      return feed + 1;
    },
  };

  /** @param {Buffer} bytes @throws {Unparsable} */
  return function scan(bytes) {
    args.enter(bytes);
    for (let at = 0; at < bytes.length; ) at = steps[state](bytes, at);
    args.leave();
  };
}

/** @param {string} line @returns {string[]} its words, without quotes, with escapes */
const inlineWords = (line) =>
  [...line.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\'|[^'])*)'|[^\s"']\S*/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
