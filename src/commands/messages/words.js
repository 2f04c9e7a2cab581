/** @import { Cause } from '../../error-causes.js' */

/** @type {Cause[]} */
export const CAUSES = [
  {
    name: 'message lost',
    pattern: /a message was lost/,
    hint: 'the server took it, but a receiver never got it',
  },
];
