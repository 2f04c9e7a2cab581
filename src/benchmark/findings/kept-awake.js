import { mean, median } from 'simple-statistics';
import { everyPair } from '../../core/alike.js';
import { duration } from '../../core/numbers.js';
import { times } from '../../core/report/figures.js';
import { contrastFamily } from '../../core/statistics/contrasts.js';
import { RACED } from '../../core/statistics/race.js';
import { countStarts, FEWEST_STARTS } from '../../core/statistics/start-test.js';
import { asIs, samplesBy } from '../../core/store/metrics.js';
import { about, defineFinding } from './define.js';

/** @import { Run } from '../../core/store/types.js' */
/** @import { Sample } from '../judge/types.js' */
/** @import { ContrastedGroup, MeasuredCell } from '../judge/compare-group.js' */

/**
 * The cells in the race as the machine is, and while its processors were kept awake: the price of waking a processor is a
 * property of the machine, and may turn the order round.
 */
export default defineFinding({
  id: 'kept-awake',
  find: ({ groups }) => groups.flatMap(statesIn),
  // Where the order turns, it is a row of the choices.
  place: 'details',

  say: (found, { name }) => [
    sentenceOf(found, name),
    ...found.costs.map(
      ({ cell, asIs, awake }) =>
        `${name(cell)}: ${asIs.commandsPerRead.toFixed(1)} commands per read, ${asIs.sleepsPerCommand.toFixed(2)} sleeps of the server per command, ${duration(asIs.cpuUsPerOp)} of client CPU per operation; kept awake ${awake.commandsPerRead.toFixed(1)}, ${awake.sleepsPerCommand.toFixed(2)}, ${duration(awake.cpuUsPerOp)}.`,
    ),
  ],
});

/** @param {ReturnType<typeof statesIn>[number]} found @param {(id: string) => string} name */
function sentenceOf({ asIs: [best], awake, turned }, name) {
  const [first] = awake;
  if (first.cell === best.cell) return `With processors kept awake, ${name(best.cell)} is fastest too.`;
  if (!turned)
    return `With processors kept awake, ${name(first.cell)} and ${name(best.cell)} could not be distinguished.`;
  const { timesSlower, low, high } = awake.find(({ cell }) => cell === best.cell) ?? first;
  return `With processors kept awake, as on a busy machine, ${name(first.cell)} is ${times(timesSlower)} faster than ${name(best.cell)} (${times(low)} to ${times(high)}).`;
}

/** @param {ContrastedGroup} group */
function statesIn({ cells: [{ group }], ranked }) {
  const both = ranked.filter(({ runs }) => {
    const good = runs.filter(({ failed }) => failed === null);
    return good.some((run) => run.awake) && good.some((run) => !run.awake);
  });
  if (both.length < 2) return [];
  const [asItIs, awake] = [asIs, (/** @type {Run[]} */ runs) => runs.filter((run) => run.awake)].map((of) =>
    rankingIn(both, of),
  );
  return [
    {
      ...about(both, group),
      asIs: asItIs,
      awake,
      // Whether what is fastest as the machine is was shown to be slower than another one.
      turned: awake.some(({ cell, differs }) => cell === asItIs[0].cell && differs),
      costs: costsOf(both.slice(0, 2)),
    },
  ];
}

/** What shows why: who sleeps how often, and what it costs. @param {MeasuredCell[]} cells the fastest as the machine is */
const costsOf = (cells) =>
  cells.flatMap(({ id, runs }) => {
    const [own, awake] = [asIs(runs), runs.filter((run) => run.awake)].map((some) => ({
      commandsPerRead: middle(some, ({ server }) => server?.commandsPerRead),
      sleepsPerCommand: middle(some, ({ server }) => server?.sleepsPerCommand),
      cpuUsPerOp: middle(some, ({ client }) => client?.cpuUsPerOp),
    }));
    const isKnown = [own, awake].every((costs) => Object.values(costs).every(Number.isFinite));
    return isKnown ? [{ cell: id, asIs: own, awake }] : [];
  });

/** @param {Run[]} runs @param {(run: Run) => number | null | undefined} of @returns {number} NaN where it is unknown */
function middle(runs, of) {
  const values = samplesBy(runs, of).map(({ value }) => value);
  return values.length === 0 ? Number.NaN : median(values);
}

/**
 * Each against the fastest of that state, with the range of the ratio, which is the ratio itself where one start says no more.
 * @param {MeasuredCell[]} cells @param {(runs: Run[]) => Run[]} of a state
 */
function rankingIn(cells, of) {
  /** @type {Map<MeasuredCell, Sample>} */
  const samples = new Map(cells.map((cell) => [cell, samplesBy(of(cell.runs), (run) => run.opsPerSecond)]));
  const levelOf = (/** @type {MeasuredCell} */ cell) =>
    mean((samples.get(cell) ?? []).map(({ value }) => Math.log(value)));
  const sorted = cells.toSorted((a, b) => levelOf(b) - levelOf(a));
  const [best] = sorted;
  const restarted = cells.filter((cell) => countStarts(samples.get(cell) ?? []) >= FEWEST_STARTS);
  const [{ between }] = contrastFamily(
    [{ pairs: everyPair(restarted), of: (cell) => samples.get(cell) ?? [] }],
    RACED,
  );
  return sorted.map((cell) => {
    const contrast = cell === best ? null : between(best, cell);
    const timesSlower = contrast?.ratio ?? Math.exp(levelOf(best) - levelOf(cell));
    const { low, high, differs } = contrast ?? { low: timesSlower, high: timesSlower, differs: false };
    return { cell: cell.id, timesSlower, low, high, differs };
  });
}
