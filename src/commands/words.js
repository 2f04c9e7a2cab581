import { WORDS as OF_AGENTS, originTexts } from './agents/words.js';
import { WORDS as OF_BREAK } from './break/words.js';
import { WORDS as OF_BREAKDOWN } from './breakdown/words.js';
import { WORDS as OF_COLD } from './cold/words.js';
import { WORDS as OF_TRAFFIC } from './traffic/words.js';
import { WORDS as OF_WHY } from './why/words.js';

/** What commands say of facts that only they know, by the kind of the fact. */
export const WORDS_OF_COMMANDS = {
  ...OF_AGENTS,
  ...OF_BREAK,
  ...OF_BREAKDOWN,
  ...OF_COLD,
  ...OF_TRAFFIC,
  ...OF_WHY,
};

/** What they say of where the figures of a report come from. */
export const ORIGINS_OF_COMMANDS = [originTexts];

export { durationOf as durationOfCommand } from './break/words.js';
export { CAUSES as CAUSES_OF_COMMANDS, textThrough } from './messages/words.js';
export { SPEED } from './traffic/words.js';
