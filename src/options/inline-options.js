import { inspect } from 'node:util';

/** `{RESP:2,socket:{keepAlive:true}}` is JSON without most quotes, because a shell would remove them. */

/** Deeper than any client's options. */
const DEEPEST = 8;
const BARE = /[^\s,:{}[\]"']+/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"|'([^'\\]*)'/y;
const BLANK = /\s*/y;
/** A constant or a number, as JSON writes it: no text without quotes. */
const NO_TEXT = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** An error shows nothing of the text, which may hold a secret. @param {string} text @returns {Record<string, any>} */
export function readInlineOptions(text) {
  const reading = { text, at: 0 };
  const options = readObject(reading, 1);
  skipBlank(reading);
  if (reading.at < text.length) throw expected(reading, 'the end after the last brace');
  if (Object.keys(options).length === 0)
    throw new Error('expected options between the braces, such as {RESP:2}');
  return options;
}

/** @typedef {{text: string, at: number}} Reading */

/** @param {Reading} reading @param {number} depth @returns {Record<string, any>} */
function readObject(reading, depth) {
  /** @type {Record<string, any>} */
  const options = {};
  readItems(reading, '{}', () => {
    const name = String(readWord(reading).text);
    if (name === '__proto__') throw new Error("the key '__proto__' is no option");
    if (Object.hasOwn(options, name)) throw new Error(`'${name}' is given twice`);
    take(reading, ':');
    options[name] = readValue(reading, depth);
  });
  return options;
}

/** @template T @param {Reading} reading @param {string} braces around the items @param {() => T} readItem @returns {T[]} */
function readItems(reading, [opening, closing], readItem) {
  take(reading, opening);
  /** @type {T[]} */
  const items = [];
  if (taken(reading, closing)) return items;
  do items.push(readItem());
  while (taken(reading, ','));
  take(reading, closing);
  return items;
}

/** @param {Reading} reading @param {number} depth @returns {any} */
function readValue(reading, depth) {
  if (depth > DEEPEST) throw new Error(`expected options at most ${DEEPEST} deep`);
  skipBlank(reading);
  const next = reading.text[reading.at];
  if (next === '{') return readObject(reading, depth + 1);
  if (next === '[') return readItems(reading, '[]', () => readValue(reading, depth + 1));
  const { text, quoted } = readWord(reading);
  return !quoted && NO_TEXT.test(text) ? JSON.parse(text) : text;
}

/** @param {Reading} reading */
function readWord(reading) {
  skipBlank(reading);
  const quoted = match(reading, QUOTED);
  if (quoted !== null) {
    const [whole, double, single] = quoted;
    return { text: single ?? (double.includes('\\') ? JSON.parse(whole) : double), quoted: true };
  }
  const bare = match(reading, BARE);
  if (bare === null) throw expected(reading, 'a name or a value');
  return { text: bare[0], quoted: false };
}

/** @param {Reading} reading @param {RegExp} pattern */
function match(reading, pattern) {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.text);
  if (found !== null) reading.at = pattern.lastIndex;
  return found;
}

/** @param {Reading} reading */
const skipBlank = (reading) => void match(reading, BLANK);

/** @param {Reading} reading @param {string} sign */
function taken(reading, sign) {
  skipBlank(reading);
  if (reading.text[reading.at] !== sign) return false;
  reading.at++;
  return true;
}

/** @param {Reading} reading @param {string} sign */
function take(reading, sign) {
  if (!taken(reading, sign)) throw expected(reading, `'${sign}'`);
}

/** @param {Reading} reading @param {string} what */
const expected = ({ at }, what) =>
  new Error(`expected ${what} at character ${at + 1} of its options, as in {RESP:2,socket:{keepAlive:true}}`);

/** The same text whatever the order of the options. @param {unknown} value @returns {string} `{RESP:2}` */
export function inlineText(value) {
  if (Array.isArray(value)) return `[${value.map(inlineText).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${entries.map(([name, each]) => `${wordText(name)}:${inlineText(each)}`).join()}}`;
  }
  return typeof value === 'string' ? wordText(value) : String(value);
}

/** @param {string} text @returns {string} quoted where it could be read as something else */
const wordText = (text) =>
  /^[^\s,:{}[\]"'/]+$/.test(text) && !NO_TEXT.test(text) ? text : JSON.stringify(text);

/** As in a program; null where a function is among them. @param {object} options @returns {string | null} */
export function codeText(options) {
  const text = inspect(options, { depth: null, compact: true, breakLength: Number.POSITIVE_INFINITY });
  return /\[(Async)?Function\b/.test(text) ? null : text;
}
