/** @import { Context } from '../../src/benchmark/report/words/findings.js' */
/** @import { Report } from '../../src/core/store/types.js' */

/**
 * Findings of which no saved result makes an example, or which a quiet machine does not make in seconds. Each is told of
 * the cells of a saved result that could have it.
 *
 * @type {Record<string, (report: Report, context: Context) => {findings: any[], context: Context}[]>} by the result
 */
export const MADE_UP = {
  default: ({ cells: [one, other] }, context) => [
    {
      context,
      findings: [
        { kind: 'kept-awake', asIs: one.id, fastest: other.id, times: 1.26, differs: true },
        { kind: 'kept-awake', asIs: one.id, fastest: one.id, times: null, differs: false },
        { kind: 'kept-awake', asIs: one.id, fastest: other.id, times: 1.02, differs: false },
      ],
    },
    {
      context,
      findings: [
        {
          ...{ kind: 'unstable', limitPercent: 2 },
          reaches: [
            { cell: one.id, percent: 4.2 },
            { cell: other.id, percent: null },
          ],
        },
      ],
    },
  ],
  replay: ({ cells: [{ id }] }, context) =>
    [0.85, 0.97].map((share) => ({
      context: {
        ...context,
        cell: () =>
          /** @type {any} */ ({ chosen: { workload: { title: 'replay of shop.ndjson', data: { share } } } }),
      },
      findings: [{ kind: 'partial-replay', cells: [id] }],
    })),
  servers: ({ cells: [less, , more] }, context) => [
    {
      context,
      findings: [
        {
          ...{ kind: 'server-work', axis: 'server', less: less.id, more: more.id },
          ...{ low: 0.82, high: 0.91, shown: 2, pairs: 2 },
        },
      ],
    },
  ],
};
