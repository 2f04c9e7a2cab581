import { createArguments, fill } from './arguments.js';
import { createAssumptions } from './assumed-replies.js';
import { MOST_ARGUMENTS, MOST_US } from './format.js';
import { readMonitorLine } from './monitor-text.js';
import { shapeArguments } from './shape-arguments.js';

/** @import { Recording } from './types.js' */

/** What redis-cli prints before and after the lines. */
const ANSWER = /^\+?(OK)?$/;

/**
 * Records the lines of MONITOR. They tell no replies, no times and no end of a connection, and a database with each
 * line: where it changes, a SELECT is recorded that the service has sent at some time.
 *
 * @param {Recording} recording
 * @param {(atUs: number) => void} setTime told what time it is
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
    const number = recording.connect();
    if (number === null) return null;
    const connection = { number, database: 0 };
    connections.set(client, connection);
    recording.write(`{"type":"open","atUs":${lastUs},"connection":${number}}\n`);
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
    /** @param {string} text a byte a character */
    line(text) {
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
      // The line of SELECT itself has the database before it or after it, depending on the server's version.
      if (!isSelect && read.database !== connection.database) {
        tell(connection.number, [Buffer.from('SELECT'), Buffer.from(`${read.database}`)]);
        connection.database = read.database;
      }
      if (isSelect) connection.database = Number(read.words[1] ?? 0);
      tell(connection.number, read.words);
    },
  };
}
