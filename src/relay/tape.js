import { startRecording } from '../traffic/recording.js';
import { NOBODY } from './direction.js';

/** @import { Conversation, EndReason } from '../traffic/types.js' */
/** @import { Line, RelayJob, Told } from './types.js' */

/**
 * The part of the relay that records what it has passed on. Whatever becomes of the recording, connections go on.
 * @param {NonNullable<RelayJob['recording']>} recording
 */
export function startTape({ file, header }) {
  /** @type {Set<Conversation>} */
  const conversations = new Set();
  /** @type {string | null} */
  let failure = null;
  /** @type {EndReason | null} */
  let ended = null;
  const recording = startRecording({
    file,
    header,
    onFailure(message) {
      failure = message;
      void end('full');
    },
    onMost: (reason) => void end(reason),
  });

  /** @param {EndReason} reason */
  async function end(reason) {
    if (ended !== null) return;
    ended = reason;
    for (const conversation of conversations) conversation.close();
    conversations.clear();
    await recording.end(reason);
  }
  return {
    end,
    state: () => ({ ...recording.figures(), failure, ended }),

    /** @param {Line} line @returns {Told} */
    listenTo({ client }) {
      const conversation = ended === null ? recording.converse() : null;
      if (conversation === null) return NOBODY;
      conversations.add(conversation);
      client.once('close', () => {
        if (conversations.delete(conversation)) conversation.close();
      });
      return {
        fromClient: (bytes) => conversations.has(conversation) && conversation.fromService(bytes),
        fromServer: (bytes) => conversations.has(conversation) && conversation.fromServer(bytes),
      };
    },
  };
}
