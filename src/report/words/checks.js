/** @import { ReplyCheck } from '../../plugins/types.js' */

/** What each way of checking replies means. @type {Record<ReplyCheck, string>} */
export const CHECK_TEXTS = {
  value: 'a reply must be exactly what this command on this key must be answered',
  type: 'a reply must be of the type of the first one, or nil; errors are counted',
  shape: 'a reply must be of the type and the size that was recorded',
  count: 'a reply may be one of two values, and how often each came is reported',
};

/** @param {Record<string, ReplyCheck>} checks by command */
export const checksText = (checks) =>
  Object.entries(checks)
    .map(([command, check]) => `${command} by ${check}`)
    .join(', ');
