import { axesOf, axisNamed, sameBut } from '../../axes/all-axes.js';
import { alike, everyPair } from '../../core/alike.js';
import { spanOf } from '../../core/report/figures.js';
import { contrastFamily } from '../../core/statistics/contrasts.js';
import { positiveBy } from '../judge/costs.js';
import { farther } from './causes/farther.js';
import { defineFinding } from './define.js';

/** @import { Axis, AxisAdvice } from '../../axes/types.js' */
/** @import { Contrast } from '../judge/types.js' */
/** @import { MeasuredCell } from '../judge/compare-group.js' */

const SERVERS = ['server', 'serverConfig'];
/** A smaller difference does not matter. */
const NOTABLE = 1.05;

/** @typedef {{axis: Axis, cell: MeasuredCell, than: MeasuredCell}} Pair two cells that differ in their server alone */

/**
 * For the same commands one server takes less CPU, in all of its threads: a finding even if the client is the limit, because others
 * can use what a server does not. None if it depends on the rest. `low` and `high`: the CPU of `less` over that of `more`, in the
 * pairs that differ.
 */
export default defineFinding({
  id: 'server-work',
  place: 'choose',

  find({ groups }) {
    const pairs = groups.flatMap(({ compared }) => pairsOf(compared));
    const [{ between }] = contrastFamily([
      {
        pairs: pairs.map(({ cell, than }) => [than, cell]),
        of: ({ runs }) => positiveBy(runs, ({ server }) => server?.allThreadsCpuUsPerCommand),
        inRounds: false,
      },
    ]);
    const found = pairs.map((pair) => ({ ...pair, contrast: between(pair.than, pair.cell) }));
    const serversOf = (/** @type {Pair} */ { axis, cell, than }) =>
      JSON.stringify([axis.id, axis.of(than), axis.of(cell)]);
    return alike(found, serversOf).flatMap((own) => workOf(own) ?? []);
  },

  say({ axis, less, more, low, high, shown, pairs }, { cell, measured }) {
    const { value } = /** @type {AxisAdvice} */ (axisNamed(axis, measured).advice);
    const [one, other] = [value(cell(less), measured), value(cell(more), measured)];
    const amount = spanOf((ratio) => `${ratio.toFixed(2)}x`, [low, high]);
    return `Server CPU per command, all threads: ${one} uses ${amount} of what ${other} uses (in ${shown} of ${pairs} pairs).`;
  },
});

/** A command's cost depends on batches and sleeps, and those on the distance, which must be the same. @param {MeasuredCell[]} cells */
const pairsOf = (cells) =>
  axesOf(cells)
    .filter(({ id }) => SERVERS.includes(id))
    .flatMap((axis) => {
      const rest = sameBut([axis.id], cells);
      return everyPair(cells)
        .filter(
          ([than, cell]) =>
            axis.of(than) !== axis.of(cell) &&
            rest(than) === rest(cell) &&
            than.copy === cell.copy &&
            (cell.serverProcess === undefined || cell.serverProcess !== than.serverProcess) &&
            farther({ cell, than }) === null &&
            farther({ cell: than, than: cell }) === null,
        )
        .map(([than, cell]) => ({ axis, cell, than }));
    });

/** @param {(Pair & {contrast: Contrast | null})[]} own all of the same two servers */
function workOf(own) {
  const differing = own.flatMap(({ contrast }) => (contrast?.differs ? contrast.ratio : []));
  if (differing.length === 0) return null;
  const [low, high] = [Math.min(...differing), Math.max(...differing)];
  // Below 1 the first takes less.
  if (low < 1 && high > 1) return null;
  if (Math.max(high, 1 / low) < NOTABLE) return null;
  const [{ axis, cell, than }] = own;
  const [less, more] = high < 1 ? [than, cell] : [cell, than];
  return {
    group: null,
    cells: own.flatMap((pair) => [pair.cell.id, pair.than.id]),
    axis: axis.id,
    less: less.id,
    more: more.id,
    low: high < 1 ? low : 1 / high,
    high: high < 1 ? high : 1 / low,
    shown: differing.length,
    pairs: own.length,
  };
}
