import { axesOf } from '../../../axes/all-axes.js';
import { about } from '../judge/no-verdict.js';

/** @import { FindingFile } from './definitions.js' */

/** What the advice does not cover. @satisfies {FindingFile<'not-measured'>} */
export default {
  id: 'not-measured',
  place: 'details',

  find({ cells, partial }) {
    const measured = cells.filter(({ summary }) => summary !== null);
    if (measured.length === 0) return [];
    const constant = axesOf(measured).flatMap((axis) => {
      const [value = null, ...others] = new Set(measured.map((cell) => axis.of(cell)));
      return axis.notMeasured && others.length === 0 ? [{ axis: axis.id, value }] : [];
    });
    const skipped = cells.filter((cell) => cell.skipped !== null).length;
    const failed = cells.length - skipped - measured.length;
    return [{ ...about(measured), constant, planned: cells.length, skipped, failed, partial }];
  },

  say({ cells: [id], constant }, { cell, settings }) {
    const ids = constant.map(({ axis }) => axis);
    const others = axesOf([cell(id)]).flatMap(({ id: axis, notMeasured, otherThan }) => {
      const other = notMeasured && ids.includes(axis) ? otherThan(cell(id), settings) : '';
      return other === '' ? [] : [`${notMeasured} other than ${other}`];
    });
    return `Not measured: ${[...others, 'other machines'].join(', ')}.`;
  },
};
