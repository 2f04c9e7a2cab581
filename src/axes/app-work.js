import { duration } from './number-words.js';

/** @import { Axis, AxisCell } from './types.js' */

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
  place: (cell) => `with ${appWork.row(cell)}`,
  title: workText,
  columns: { appWorkUs: (cell) => cell.appWorkUs ?? 0 },
  notMeasured: {
    what: 'amounts of app work',
    other: (cell) => (cell.appWorkUs ? duration(cell.appWorkUs) : ''),
    held: workText,
  },
};

/** @param {AxisCell} cell */
function workText({ appWorkUs }) {
  return appWorkUs ? `${duration(appWorkUs)} of app work an operation` : '';
}
