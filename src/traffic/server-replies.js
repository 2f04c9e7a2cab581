import { OTHER } from './format.js';
import { ARRAY, BULK_ERROR, ERROR, IS_AGGREGATE, PUSH } from './reply-scanner.js';

/** @import { Scanned } from './reply-scanner.js' */

/** The first words of Redis's own errors; those of scripts may be anything. */
const ERROR_WORDS = new Set(
  `ASK BUSY BUSYGROUP BUSYKEY CLUSTERDOWN CROSSSLOT DENIED ERR EXECABORT FAILOVER INPROG IOERR INVALIDOBJ LOADING
  MASTERDOWN MISCONF MOVED NOADDR NOAUTH NOGOODSLAVE NOGROUP NOMASTERLINK NOPERM NOPROTO NOREPLICAS NOSCRIPT
  NOTBUSY NOTREADY OOM READONLY STALE TRYAGAIN UNBLOCKED UNKILLABLE WRONGPASS WRONGTYPE`.split(/\s+/),
);

/** @param {Scanned} reply @returns {string} a ReplyShape in JSON */
export function shapeReply({ type, bytes, members, nulls, word }) {
  if (type === ERROR || type === BULK_ERROR) return `["-","${ERROR_WORDS.has(word) ? word : OTHER}"]`;
  // A subscription is confirmed by a push in RESP3 and an array in RESP2.
  if (type === PUSH) return `["*",${bytes},${members},${nulls}]`;
  const name = String.fromCharCode(type);
  return IS_AGGREGATE.has(type) ? `["${name}",${bytes},${members},${nulls}]` : `["${name}",${bytes}]`;
}

const MESSAGES = new Set(['message', 'pmessage', 'smessage']);
const CONFIRMATIONS = new Set(
  'subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe'.split(' '),
);

/** SUBSCRIBE and its kin get a reply for each channel: a push in RESP3, an array in RESP2, where messages are arrays too. */
export function createSubscriptions() {
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
