import { isExpected, shapeText } from './expected-shape.js';

/**
 * @import { Commands, Step } from '../types.js'
 * @import { Recorded } from './recorded-commands.js'
 */

/**
 * The one step of a replay: sends the recorded command that is its item, and checks the shape of the reply.
 *
 * @returns {Step}
 */
export function createReplayStep() {
  /** @type {Record<string, number>} */
  let calls = {};
  return {
    command: 'profile',

    send(commands, item) {
      const recorded = /** @type {Recorded} */ (item);
      calls[recorded.name] = (calls[recorded.name] ?? 0) + 1;
      return sendOn(commands, recorded);
    },

    accept: (reply, item) => isExpected(/** @type {Recorded} */ (item).expected, reply),

    wrongText(reply, item) {
      const { command, expected } = /** @type {Recorded} */ (item);
      return `${command[0]} replied ${shapeText(reply, expected)}`;
    },

    takeCalls() {
      const taken = calls;
      calls = {};
      return taken;
    },
  };
}

/**
 * By the method that a user would call.
 *
 * @param {Commands} commands
 * @param {Recorded} recorded
 */
function sendOn(commands, { method, command, key, hash, value }) {
  if (method === 'get') return commands.get(key);
  if (method === 'set') return commands.set(key, value);
  if (method === 'command') return commands.command(command);
  return method === 'hset' ? commands.hset(key, hash, value) : commands[method](key);
}
