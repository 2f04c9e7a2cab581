import { createConversation } from '../../src/commands/traffic/conversation.js';
import { createKeyNumbers } from '../../src/commands/traffic/recording.js';
import { createCommandTable } from '../../src/commands/traffic/shape-arguments.js';

/** @import { Recording } from '../../src/commands/traffic/recording.js' */

// Its table takes 48 MB, and no test here needs numbers from 0 on.
const keys = createKeyNumbers();
const find = createCommandTable();

/** @returns {{recording: Recording, lines: () => any[]}} a recording without a file, whose time stands still */
export function recordingInMemory() {
  /** @type {string[]} */
  const written = [];
  return {
    lines: () => written.map((line) => JSON.parse(line)),
    recording: {
      nowUs: () => 0,
      find,
      keys,
      write: (line) => void written.push(line),
      count() {},
      leaveOut() {},
      pending: { commands: 0, bytes: 0 },
      hold() {},
      release() {},
      isFull: () => false,
    },
  };
}

/** @param {Buffer} sent @param {Buffer} received @returns {any[]} the lines of a connection on which that went */
export function converseWhole(sent, received) {
  const { recording, lines } = recordingInMemory();
  const conversation = createConversation(1, recording);
  conversation.fromService(sent);
  conversation.fromServer(received);
  conversation.close();
  return lines();
}
