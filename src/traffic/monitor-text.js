/** A line of MONITOR: `1339518083.107412 [0 127.0.0.1:60866] "SET" "key" "a \x00 value"`. */
const LINE = /^\+?(\d{1,12})\.(\d{6}) \[(\d{1,5}) ([^\] ]{1,128}|\[[^\] ]*\]:\d+)\](?= ")/;
const ESCAPES = /\\(?:x([0-9a-f]{2})|(.))/gi;
/** @type {Record<string, string>} */
const LETTERS = { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b' };

/**
 * Reads a line as MONITOR sends it; redis-cli and memtier_benchmark keep these lines as they are.
 *
 * @param {string} line a byte a character
 * @returns {{atUs: number, database: number, client: string, words: Buffer[]} | 'script' | null} `script`: a script
 *   did that; null for what is no such line
 */
export function readMonitorLine(line) {
  const found = LINE.exec(line);
  if (found === null) return null;
  const [head, seconds, micros, database, client] = found;
  if (client === 'lua') return 'script';
  const words = wordsIn(line, head.length);
  if (words === null) return null;
  return { atUs: Number(seconds) * 1e6 + Number(micros), database: Number(database), client, words };
}

/**
 * @param {string} line
 * @param {number} from where the words begin, each in quotes with a space before it
 * @returns {Buffer[] | null} null where they do not end as they should
 */
function wordsIn(line, from) {
  const words = [];
  for (let at = from; at < line.length; ) {
    if (line[at] !== ' ' || line[at + 1] !== '"') return null;
    const start = at + 2;
    let end = line.indexOf('"', start);
    while (end !== -1 && isEscaped(line, end)) end = line.indexOf('"', end + 1);
    if (end === -1) return null;
    words.push(Buffer.from(unescaped(line.slice(start, end)), 'latin1'));
    at = end + 1;
  }
  return words.length > 0 ? words : null;
}

/** @param {string} line @param {number} at a quote */
function isEscaped(line, at) {
  let before = at;
  while (line[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}

/** @param {string} text */
const unescaped = (text) =>
  text.includes('\\')
    ? text.replace(ESCAPES, (_, code, letter) =>
        code === undefined ? (LETTERS[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
