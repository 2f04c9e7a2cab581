import { duration } from './number-words.js';

/** @import { Axis } from './types.js' */

/**
 * What the application computes after each operation. Older results have none of it, and do not say so.
 *
 * @type {Axis}
 */
export const appWork = {
  id: 'appWork',
  role: 'condition',
  of: (cell) => cell.appWorkUs || null,
  idPart: (cell) => (cell.appWorkUs ? `${cell.appWorkUs}us of work` : ''),
  row: (cell) => (cell.appWorkUs ? `${duration(cell.appWorkUs)} of app work` : 'no app work'),
  title: (cell) => (cell.appWorkUs ? `${duration(cell.appWorkUs)} of app work an operation` : ''),
  columns: { appWorkUs: (cell) => cell.appWorkUs ?? 0 },
};
