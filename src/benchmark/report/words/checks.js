/** @import { ReplyCheck } from '../../../core/plugins/types.js' */

/** What each way of checking replies means. @type {Record<ReplyCheck, string>} */
export const CHECK_TEXTS = {
  value: 'the reply must be exactly the expected one for this command and key',
  type: 'the reply must have the type of the first one, or be nil; errors are counted',
  shape: 'the reply must have the recorded type and size',
  count: 'the reply may be one of two values; how often each came is reported',
};

/** @param {Record<string, ReplyCheck>} checks by command */
export const checksText = (checks) =>
  Object.entries(checks)
    .map(([command, check]) => `${command} by ${check}`)
    .join(', ');
