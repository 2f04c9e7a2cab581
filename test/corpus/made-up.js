/** @import { Context } from '../../src/commands/benchmark/findings/definitions.js' */
/** @import { Report } from '../../src/store/types.js' */

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
        keptAwake([one, other], [other, one], 1.26),
        keptAwake([one, other], [one, other], 1.26),
        keptAwake([one, other], [other, one], 1.02),
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
};

/** @param {{id: string}[]} asIs @param {{id: string}[]} awake @param {number} timesSlower */
function keptAwake(asIs, awake, timesSlower) {
  const placesOf = (/** @type {{id: string}[]} */ [first, second]) => [
    { cell: first.id, timesSlower: 1, low: null, high: null, verdict: null },
    {
      cell: second.id,
      timesSlower,
      low: timesSlower / 1.1,
      high: timesSlower * 1.1,
      verdict: timesSlower > 1.1 ? 'slower' : 'not decided',
    },
  ];
  const turned = timesSlower > 1.1 && asIs[0] !== awake[0];
  return { kind: 'kept-awake', asIs: placesOf(asIs), awake: placesOf(awake), turned, costs: [] };
}
