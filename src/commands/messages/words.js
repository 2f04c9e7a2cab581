/** @import { Cause } from '../../error-causes.js' */

/** @type {Cause[]} */
export const CAUSES = [
  {
    name: 'message lost',
    pattern: /a message was lost/,
    hint: 'the server took it, but a receiver never got it',
  },
];

/**
 * What is sent through one list, stream or channel.
 * @param {string} lengths
 * @param {string} through
 * @param {string} value how values are made
 */
export const textThrough = (lengths, through, value) =>
  `messages of ${lengths} through one ${through}${value === 'text' ? '' : ` (${value})`}`;
