import { inspect } from 'node:util';

/** `{RESP:2,socket:{keepAlive:true}}` is JSON without most quotes, because a shell would remove them. */

/** Deeper than any client's options. */
const DEEPEST = 8;
const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?<single>[^'\\]*)'|(?<sign>[{}[\]:,])|(?<bare>[^\s,:{}[\]"']+)(?=\s*(?<colon>:)?)/g;
/** A constant or a number, as JSON writes it: no text without quotes. */
const NO_TEXT = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** An error shows nothing of the text, which may hold a secret. @param {string} text @returns {Record<string, unknown>} */
export function readInlineOptions(text) {
  let [written, read, depth] = [0, 0, 0];
  const json = text.replaceAll(TOKEN, (token, ...more) => {
    const { single, sign, bare, colon } = more.at(-1);
    if (sign === ':') written++;
    if (sign === '{' || sign === '[') depth++;
    if (sign === '}' || sign === ']') depth--;
    if (depth > DEEPEST + 1) throw new Error(`expected options at most ${DEEPEST} deep`);
    if (bare !== undefined) return !colon && NO_TEXT.test(bare) ? bare : JSON.stringify(bare);
    return single === undefined ? token : JSON.stringify(single);
  });
  const options = parsed(json, function count(name, value) {
    if (!Array.isArray(this) && name !== '') read++;
    return withoutPrototype(name, value);
  });
  if (read < written) throw new Error('an option is given twice');
  if (read === 0) throw new Error('expected options between the braces, such as {RESP:2}');
  return options;
}

/** @param {string} json @param {(this: unknown, name: string, value: unknown) => unknown} revive @returns {Record<string, unknown>} */
function parsed(json, revive) {
  try {
    return JSON.parse(json, revive);
  } catch (error) {
    // What the error says shows the text.
    throw error instanceof SyntaxError
      ? new Error('expected options as in {RESP:2,socket:{keepAlive:true}}')
      : error;
  }
}

/** Such a key could change the prototype of all objects. @param {string} name @param {unknown} value */
export function withoutPrototype(name, value) {
  if (name === '__proto__') throw new Error("the key '__proto__' is no option");
  return value;
}

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

/** Code of a program; null where a function is among them. @param {object} options @returns {string | null} */
export function codeText(options) {
  const text = inspect(options, { depth: null, compact: true, breakLength: Number.POSITIVE_INFINITY });
  return /\[(Async)?Function\b/.test(text) ? null : text;
}
