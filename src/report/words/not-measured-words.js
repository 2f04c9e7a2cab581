import { axesOf } from '../../axes/all-axes.js';

/**
 * @import { CoverageFinding, Finding } from '../../analysis/types.js'
 * @import { Context, Words } from './findings.js'
 */

/** What the advice does not cover. @satisfies {Record<string, Words>} */
export const NOT_MEASURED_WORDS = {
  'not-measured': {
    advice: (/** @type {(Finding & CoverageFinding)[]} */ [finding], context) => [text(finding, context)],
  },
};

/** @param {Finding & CoverageFinding} finding @param {Context} context */
function text({ cells, constant, planned, skipped, failed, partial }, { cell, settings }) {
  const ids = constant.map(({ axis }) => axis);
  const others = (cells.length === 0 ? [] : axesOf([cell(cells[0])])).flatMap(({ id, notMeasured }) =>
    notMeasured && ids.includes(id)
      ? [`${notMeasured.what} other than ${notMeasured.other(cell(cells[0]), settings)}`]
      : [],
  );
  const gaps = [
    ...(skipped > 0 ? [`${skipped} of ${planned} cells ${skipped === 1 ? 'was' : 'were'} skipped`] : []),
    ...(failed > 0 ? [`${failed} of ${planned} gave no result`] : []),
    ...(partial ? ['the benchmark ended early'] : []),
  ];
  return `Not measured: ${[[...others, 'other machines'].join(', '), gaps.join(', ')].filter(Boolean).join('; ')}.`;
}
