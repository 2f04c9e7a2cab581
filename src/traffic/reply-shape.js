import { OTHER } from './format.js';
import { BULK_ERROR, ERROR, IS_AGGREGATE, PUSH } from './reply-scanner.js';

/** @import { Scanned } from './reply-scanner.js' */

/** The first words of Redis's own errors; those of scripts may be anything. */
const ERROR_WORDS = new Set(
  `ASK BUSY BUSYGROUP BUSYKEY CLUSTERDOWN CROSSSLOT DENIED ERR EXECABORT FAILOVER INPROG IOERR INVALIDOBJ LOADING
  MASTERDOWN MISCONF MOVED NOADDR NOAUTH NOGOODSLAVE NOGROUP NOMASTERLINK NOPERM NOPROTO NOREPLICAS NOSCRIPT
  NOTBUSY NOTREADY OOM READONLY STALE TRYAGAIN UNBLOCKED UNKILLABLE WRONGPASS WRONGTYPE`.split(/\s+/),
);

/**
 * A reply as its shape, in JSON: the text of a ReplyShape of types.d.ts.
 *
 * @param {Scanned} reply
 * @returns {string}
 */
export function shapeReply({ type, bytes, members, nulls, word }) {
  if (type === ERROR || type === BULK_ERROR) return `["-","${ERROR_WORDS.has(word) ? word : OTHER}"]`;
  // What confirms a subscription is a push in RESP3 and an array in RESP2.
  if (type === PUSH) return `["*",${bytes},${members},${nulls}]`;
  const name = String.fromCharCode(type);
  return IS_AGGREGATE.has(type) ? `["${name}",${bytes},${members},${nulls}]` : `["${name}",${bytes}]`;
}
