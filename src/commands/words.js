import { WORDS as OF_AGENTS } from './agents/words.js';
import { WORDS as OF_BREAK } from './break/words.js';
import { WORDS as OF_COLD } from './cold/words.js';
import { CAUSES as OF_MESSAGES } from './messages/words.js';
import { WORDS as OF_TRAFFIC } from './traffic/words.js';
import { WORDS as OF_WHY } from './why/words.js';

/** What commands say of facts that only they know, by the kind of the fact. */
export const WORDS_OF_COMMANDS = { ...OF_AGENTS, ...OF_BREAK, ...OF_COLD, ...OF_TRAFFIC, ...OF_WHY };

/** Errors that only they meet. */
export const CAUSES_OF_COMMANDS = OF_MESSAGES;

/**
 * What is sent through one list, stream or channel.
 * @param {string} lengths
 * @param {string} through
 * @param {string} value how values are made
 */
export const messagesText = (lengths, through, value) =>
  `messages of ${lengths} through one ${through}${value === 'text' ? '' : ` (${value})`}`;
