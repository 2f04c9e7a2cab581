const DELAY_MS = 150;

/** @typedef {() => Promise<unknown>} Send */

/** What a client may do instead of sending something once and answering truly. */
const DECEITS = {
  lost: async (/** @type {Send} */ _, /** @type {unknown} */ right) => right,
  async doubled(/** @type {Send} */ send) {
    await send();
    return send();
  },
  async delayed(/** @type {Send} */ send) {
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    return send();
  },
  async failedThoughDone(/** @type {Send} */ send) {
    await send();
    throw new Error('ECONNRESET on purpose');
  },
  async failed() {
    throw new Error('ECONNRESET on purpose');
  },
  unanswered: () => new Promise(() => {}),
};

/** @typedef {Partial<Record<keyof typeof DECEITS, number>>} Deceived of each hundred, by the last two digits of its number */

/**
 * @param {Deceived} deceived @param {string} numbered begins with its number @param {Send} send
 * @param {unknown} right what an honest reply would be @returns {Promise<unknown>}
 */
export function deceive(deceived, numbered, send, right) {
  const digits = Number.parseInt(numbered, 10) % 100;
  const kinds = /** @type {(keyof typeof DECEITS)[]} */ (Object.keys(deceived));
  const kind = kinds.find((each) => deceived[each] === digits);
  return kind === undefined ? send() : DECEITS[kind](send, right);
}
