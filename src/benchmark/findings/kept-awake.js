import { mean, median } from 'simple-statistics';
import { everyPair } from '../../core/alike.js';
import { duration } from '../../core/numbers.js';
import { times } from '../../core/report/figures.js';
import { contrastFamily } from '../../core/statistics/contrasts.js';
import { RACED } from '../../core/statistics/race.js';
import { countStarts, FEWEST_STARTS } from '../../core/statistics/start-test.js';
import { samplesBy } from '../../core/store/metrics.js';
import { about, defineFinding } from './define.js';

/** @import { Run } from '../../core/store/types.js' */
/** @import { ContrastedGroup } from '../judge/compare-group.js' */

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

/** @typedef {{id: string, states: Run[][]}} InBoth its runs as the machine is, and kept awake */

/** @param {ContrastedGroup} group */
function statesIn({ cells: [{ group }], ranked }) {
  const both = ranked
    .map(({ id, runs }) => ({
      id,
      states: [false, true].map((awake) =>
        runs.filter((run) => run.failed === null && Boolean(run.awake) === awake),
      ),
    }))
    .filter(({ states }) => states.every(({ length }) => length > 0));
  if (both.length < 2) return [];
  const [asIs, awake] = [0, 1].map((state) => rankingIn(both, state));
  // Whether what is fastest as the machine is was shown to be slower than another one.
  const turned = awake.some(({ cell, differs }) => cell === asIs[0].cell && differs);
  return [{ ...about(both, group), asIs, awake, turned, costs: costsOf(both.slice(0, 2)) }];
}

/** What shows why: who sleeps how often, and what it costs. @param {InBoth[]} cells the fastest as the machine is */
const costsOf = (cells) =>
  cells.flatMap(({ id, states }) => {
    const [asIs, awake] = states.map((runs) => ({
      commandsPerRead: middle(runs, ({ server }) => server?.commandsPerRead),
      sleepsPerCommand: middle(runs, ({ server }) => server?.sleepsPerCommand),
      cpuUsPerOp: middle(runs, ({ client }) => client?.cpuUsPerOp),
    }));
    const isKnown = [asIs, awake].every((costs) => Object.values(costs).every(Number.isFinite));
    return isKnown ? [{ cell: id, asIs, awake }] : [];
  });

/** @param {Run[]} runs @param {(run: Run) => number | null | undefined} of @returns {number} NaN where it is unknown */
function middle(runs, of) {
  const values = samplesBy(runs, of).map(({ value }) => value);
  return values.length === 0 ? Number.NaN : median(values);
}

/**
 * Each against the fastest of that state, with the range of the ratio, which is the ratio itself where one start says no more.
 * @param {InBoth[]} cells @param {number} state
 */
function rankingIn(cells, state) {
  const samples = cells
    .map(({ id, states }) => ({ id, sample: samplesBy(states[state], (run) => run.opsPerSecond) }))
    .map((each) => ({ ...each, level: mean(each.sample.map(({ value }) => Math.log(value))) }));
  const restarted = samples.filter(({ sample }) => countStarts(sample) >= FEWEST_STARTS);
  const [{ between }] = contrastFamily([{ pairs: everyPair(restarted), of: ({ sample }) => sample }], RACED);
  const [best, ...others] = samples.sort((a, b) => b.level - a.level);
  return [
    { cell: best.id, timesSlower: 1, low: 1, high: 1, differs: false },
    ...others.map((each) => {
      const alone = Math.exp(best.level - each.level);
      const contrast = between(best, each) ?? { ratio: alone, low: alone, high: alone, differs: false };
      const { ratio: timesSlower, low, high, differs } = contrast;
      return { cell: each.id, timesSlower, low, high, differs };
    }),
  ];
}
