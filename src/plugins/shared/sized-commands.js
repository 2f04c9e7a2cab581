/** Commands whose arguments say by a number how much the server allocates: a few characters may fill its memory. */

/** What a bit, a counter or a fingerprint takes, with what rounding up to a power of two adds. */
const COUNTER_BYTES = 8;
/** A member in a reply, beside its own characters. */
const MEMBER_BYTES = 32;

/** @typedef {(args: string[]) => number} Sizing bytes; `args` after the name, in code of a user's own perhaps numbers */

/** What a key becomes, at least. @type {Record<string, Sizing>} */
const STORED = {
  SETBIT: ([, offset]) => numberIn(offset) / 8,
  SETRANGE: ([, offset, text = '']) => numberIn(offset) + `${text}`.length,
  BITFIELD: bitfieldBytes,
  'BF.RESERVE': ([, error, capacity]) => bloomBytes(capacity, error),
  'BF.INSERT': (args) => bloomBytes(after('CAPACITY', args), after('ERROR', args)),
  'CF.RESERVE': ([, capacity]) => COUNTER_BYTES * numberIn(capacity),
  'CF.INSERT': (args) => COUNTER_BYTES * numberIn(after('CAPACITY', args)),
  'CF.INSERTNX': (args) => COUNTER_BYTES * numberIn(after('CAPACITY', args)),
  'CMS.INITBYDIM': ([, width, depth]) => COUNTER_BYTES * numberIn(width) * numberIn(depth),
  'CMS.INITBYPROB': ([, error, probability]) =>
    COUNTER_BYTES * (2 / shareIn(error)) * Math.max(1, Math.log2(1 / shareIn(probability))),
  'TOPK.RESERVE': ([, most, width = '8', depth = '7']) =>
    MEMBER_BYTES * numberIn(most) + 2 * COUNTER_BYTES * numberIn(width) * numberIn(depth),
  'TDIGEST.CREATE': (args) => 12 * COUNTER_BYTES * numberIn(after('COMPRESSION', args)),
};

/** With a negative count, members come again and again: the reply waits in the server's buffer until the client has read it. */
const REPEATS = new Set(['SRANDMEMBER', 'HRANDFIELD', 'ZRANDMEMBER']);

/** @param {readonly string[]} command @returns {number} bytes of its key; 0 if no number says */
export const storedByNumber = ([name, ...args]) => STORED[`${name}`.toUpperCase()]?.(args) ?? 0;

/** @param {readonly string[]} command @param {number} memberBytes @returns {number} bytes of a reply; 0 if no number says */
export const repliedByNumber = ([name, , count], memberBytes) =>
  REPEATS.has(`${name}`.toUpperCase())
    ? Math.max(0, -(Number(count) || 0)) * (MEMBER_BYTES + memberBytes)
    : 0;

/** @param {string | undefined} text @returns {number} 0 for what the server refuses */
const numberIn = (text) => Math.max(0, Number(text) || 0);

/** @param {string | undefined} text @returns {number} */
const shareIn = (text) => Math.min(1, Math.max(Number.EPSILON, Number(text) || Number.EPSILON));

/** @param {string} option @param {string[]} args @returns {string | undefined} */
const after = (option, args) =>
  args[args.findIndex((arg) => `${arg}`.toUpperCase() === option) + 1 || args.length];

/** @type {Sizing} */
function bitfieldBytes(args) {
  let most = 0;
  for (const [at, word] of args.entries()) {
    if (!/^(set|incrby)$/i.test(word)) continue;
    const [type = '', offset = ''] = args.slice(at + 1).map(String);
    const width = numberIn(type.slice(1));
    const first = offset.startsWith('#') ? width * numberIn(offset.slice(1)) : numberIn(offset);
    most = Math.max(most, (first + width) / 8);
  }
  return most;
}

/** @param {string | undefined} capacity @param {string | undefined} [error] */
const bloomBytes = (capacity, error = '0.01') =>
  (numberIn(capacity) * Math.log2(1 / shareIn(error)) * 1.44 * 2) / 8;

/** @param {object} reply @returns {unknown[]} */
export const elementsOf = (reply) => {
  if (Array.isArray(reply)) return reply;
  return Symbol.iterator in reply ? [.../** @type {any} */ (reply)] : Object.entries(reply);
};

/** @param {unknown} reply @returns {number} its characters and elements */
export const sizeOf = (reply) => {
  if (typeof reply === 'string' || Buffer.isBuffer(reply)) return reply.length;
  if (typeof reply !== 'object' || reply === null) return 1;
  return elementsOf(reply).reduce((/** @type {number} */ sum, each) => sum + sizeOf(each), 1);
};
