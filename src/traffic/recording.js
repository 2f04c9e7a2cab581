import { createCommandTable } from './command-table.js';
import { createConversation } from './conversation.js';
import { MOST_COMMANDS, MOST_CONNECTIONS, MOST_US } from './format.js';
import { createKeyNumbers } from './key-numbers.js';
import { createProfileWriter } from './profile-writer.js';

/** @import { Conversation, EndReason, ProfileHeader, RecordingState } from './types.js' */

/** Memory of commands in flight; commands beyond it are dropped from the recording. */
const MOST_PENDING_BYTES = 24 * 1024 * 1024;
/** Memory of a command besides the text of its line. */
const SENT_BYTES = 250;

/** @param {{file: string, header: ProfileHeader}} to */
export function startRecording({ file, header }) {
  const nowUs = clock();
  /** @type {string | null} */
  let failure = null;
  /** @type {EndReason | null} */
  let ended = null;
  /** @type {Promise<void> | undefined} */
  let ending;
  /** @type {Set<Conversation>} */
  const conversations = new Set();
  const writer = createProfileWriter(file, (message) => {
    failure = message;
    void end('full');
  });
  writer.write(`${JSON.stringify(header)}\n`);
  const find = createCommandTable();
  const keys = createKeyNumbers();
  /** @type {Map<string, number>} */
  const byName = new Map();
  const pending = { commands: 0, bytes: 0 };
  const counts = { commands: 0, connections: 0, dropped: 0, unparsed: 0 };

  const recording = {
    find,
    keys,
    pending,
    nowUs,

    /** @param {string} line with its line feed */
    write(line) {
      if (ended === null) writer.write(line);
    },

    isOver: () => ended !== null,

    isFull: () => pending.bytes > MOST_PENDING_BYTES || writer.isFull(),

    /** @param {'dropped' | 'unparsed'} what */
    leaveOut(what) {
      counts[what]++;
    },

    /** @param {string} name */
    count(name) {
      counts.commands++;
      byName.set(name, (byName.get(name) ?? 0) + 1);
      if (counts.commands === MOST_COMMANDS || nowUs() > MOST_US) void end('most');
    },

    /** @returns {number | null} the connection's number; null after too many */
    connect() {
      counts.connections++;
      if (counts.connections > MOST_CONNECTIONS) return null;
      recording.write(`{"type":"open","atUs":${nowUs()},"connection":${counts.connections}}\n`);
      return counts.connections;
    },

    /** For a command that waits for its reply. @param {number} characters */
    hold(characters) {
      pending.commands++;
      pending.bytes += characters + SENT_BYTES;
    },

    /** @param {number} characters */
    release(characters) {
      pending.commands--;
      pending.bytes -= characters + SENT_BYTES;
    },
  };

  /** @param {EndReason} reason */
  function end(reason) {
    ending ??= finish(reason);
    return ending;
  }

  /** @param {EndReason} reason */
  async function finish(reason) {
    for (const conversation of conversations) conversation.close();
    const { commands, dropped } = counts;
    const keysShared = keys.areShared();
    const line = { type: 'end', atUs: nowUs(), reason, commands, dropped, keysShared };
    recording.write(`${JSON.stringify(line)}\n`);
    ended = reason;
    await writer.end();
  }

  return {
    recording,

    /** @returns {Conversation | null} null after the end, or after too many */
    converse() {
      const number = ended === null ? recording.connect() : null;
      if (number === null) return null;
      const conversation = createConversation(number, recording);
      conversations.add(conversation);
      return {
        ...conversation,
        close() {
          conversations.delete(conversation);
          conversation.close();
        },
      };
    },

    /** @returns {RecordingState} */
    state: () => ({
      atUs: nowUs(),
      ...counts,
      underWay: pending.commands,
      names: [...byName].sort(([, a], [, b]) => b - a).slice(0, 5),
      failure,
      ended,
    }),

    end,
  };
}

/** @typedef {ReturnType<typeof startRecording>['recording']} Recording */

/** @returns {() => number} microseconds since now */
function clock() {
  const startMs = performance.now();
  return () => Math.round((performance.now() - startMs) * 1000);
}
