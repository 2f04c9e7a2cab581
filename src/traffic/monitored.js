import { createArguments, fill } from './arguments.js';
import { createAssumptions } from './assumed-replies.js';
import { MOST_ARGUMENTS, MOST_US } from './format.js';
import { shapeArguments } from './shape-arguments.js';

/** @import { Recording } from './recording.js' */

/** Lines of redis-cli itself. */
const ANSWER = /^\+?(OK)?$/;

/**
 * Records the lines of MONITOR. They show no replies, no latencies and no end of a connection. They name a database each:
 * where it changes, a SELECT is recorded.
 * @param {Recording} recording @param {(atUs: number) => void} setTime
 */
export function recordMonitored(recording, setTime) {
  const args = createArguments();
  const assume = createAssumptions();
  /** @type {Map<string, {number: number, database: number}>} by address */
  const connections = new Map();
  /** @type {number | undefined} */
  let startUs;
  let lastUs = 0;

  /** @param {string} client */
  function connectionOf(client) {
    const known = connections.get(client);
    if (known !== undefined) return known;
    const number = recording.connect(lastUs);
    if (number === null) return null;
    const connection = { number, database: 0 };
    connections.set(client, connection);
    return connection;
  }

  /** @param {number} number of the connection @param {Buffer[]} words */
  function tell(number, words) {
    fill(args, words);
    const command = recording.find(args);
    const text = shapeArguments(command, args, recording.keys);
    const reply = JSON.stringify(assume(command.name, JSON.parse(text)));
    const more = command.hasPrivateArguments ? 0 : args.count - MOST_ARGUMENTS - 1;
    const rest = more > 0 ? `,[${more},${args.restBytes}]` : '';
    recording.count(command.name);
    recording.write(`[${lastUs},${number},"${command.name}",${text},${reply},null,1,1${rest}]\n`);
  }

  return {
    /** @param {string} text a byte per character */
    line(text) {
      if (recording.isOver()) return;
      const read = readMonitorLine(text);
      if (read === null || read === 'script') {
        if (!ANSWER.test(text.trim())) recording.leaveOut(read ?? 'unreadable');
        return;
      }
      startUs ??= read.atUs;
      const atUs = Math.max(lastUs, read.atUs - startUs);
      const connection = atUs > MOST_US ? null : connectionOf(read.client);
      if (connection === null) {
        recording.leaveOut('unreadable');
        return;
      }
      lastUs = atUs;
      setTime(atUs);
      const isSelect = read.words[0].toString('latin1').toLowerCase() === 'select';
      // The line of SELECT names the old database or the new one, depending on the server's version.
      if (!isSelect && read.database !== connection.database) {
        tell(connection.number, [Buffer.from('SELECT'), Buffer.from(`${read.database}`)]);
        connection.database = read.database;
      }
      if (isSelect) connection.database = Number(read.words[1] ?? 0);
      tell(connection.number, read.words);
    },
  };
}

/** `1339518083.107412 [0 127.0.0.1:60866] "SET" "key" "a \x00 value"`; redis-cli and memtier_benchmark keep these lines. */
const LINE = /^\+?(\d{1,12})\.(\d{6}) \[(\d{1,5}) ([^\] ]{1,128}|\[[^\] ]*\]:\d+)\](?= ")/;
const ESCAPES = /\\(?:x([0-9a-f]{2})|(.))/gi;
/** @type {Record<string, string>} */
const LETTERS = { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b' };

/** @param {string} line a byte per character @returns 'script' if a script sent it; null for any other line */
export function readMonitorLine(line) {
  const found = LINE.exec(line);
  if (found === null) return null;
  const [head, seconds, micros, database, client] = found;
  if (client === 'lua') return 'script';
  const words = wordsIn(line, head.length);
  if (words === null) return null;
  return { atUs: Number(seconds) * 1e6 + Number(micros), database: Number(database), client, words };
}

/** @param {string} line @param {number} from the first word @returns {Buffer[] | null} null if they are malformed */
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
