import { AXES as OF_BREAK } from './break/axes.js';
import { AXES as OF_COLD } from './cold/axes.js';

/** Results of any command are read with these. Each says behind which other axis it stands. */
export const COMMAND_AXES = [...OF_COLD, ...OF_BREAK];
