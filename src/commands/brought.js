import { AXES as OF_BREAK } from './break/axes.js';
import { AXES as OF_COLD } from './cold/axes.js';

/** What commands bring that results of any command are read with: each axis says behind which other it stands. */
export const COMMAND_AXES = [...OF_COLD, ...OF_BREAK];
