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

/** @import { Arguments } from './arguments.js' */
/** @import { Scanned } from './scan-resp.js' */
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

const MESSAGES = new Set(['message', 'pmessage', 'smessage']);
const CONFIRMATIONS = new Set(
  'subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe'.split(' '),
);

/** SUBSCRIBE and its kin get a reply for each channel: a push in RESP3, an array in RESP2, where messages are arrays too. */
function createSubscriptions() {
  let asked = false;
  /** Subscriptions by the command that made them. @type {Record<string, number>} */
  let counts = {};
  /** As the server counts them: channels with patterns, and shard channels. @type {Record<string, number>} */
  let totals = {};
  /** Confirmations that the current command still waits for; null before its first. @type {number | null} */
  let missing = null;

  /** @param {Scanned} reply */
  const isArrayOf = ({ type, word }, /** @type {Set<string>} */ words) =>
    (type === ARRAY || type === PUSH) && words.has(word);

  return {
    /** @param {number} channels */
    ask(channels) {
      asked ||= channels >= 0;
    },

    everAsked: () => asked,

    /** @param {Scanned} reply */
    isMessage: (reply) =>
      asked && (isArrayOf(reply, MESSAGES) || (reply.type === PUSH && !CONFIRMATIONS.has(reply.word))),

    /** @param {Scanned} reply @param {number} channels that are named; 0: all @returns {number} of missing replies */
    confirm(reply, channels) {
      if (!isArrayOf(reply, CONFIRMATIONS)) {
        missing = null;
        return 0;
      }
      const kind = reply.word.replace('un', '');
      const total = kind === 'ssubscribe' ? 'shards' : 'channels';
      // UNSUBSCRIBE from all channels gets a reply for each, and one if there is none.
      missing ??= channels > 0 ? channels : Math.max(1, counts[kind] ?? 0);
      counts[kind] = Math.max(0, (counts[kind] ?? 0) + reply.integer - (totals[total] ?? 0));
      totals[total] = reply.integer;
      missing--;
      if (missing > 0) return missing;
      missing = null;
      return 0;
    },

    clear() {
      counts = {};
      totals = {};
      missing = null;
    },
  };
}
