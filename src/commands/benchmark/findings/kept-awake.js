import { pairsOf } from '../../../collections.js';
import { mean, median } from '../../../descriptive-statistics.js';
import { duration } from '../../../numbers.js';
import { ratioText } from '../../../report/figures.js';
import { contrastFamily, inverse, verdictsOn } from '../../../statistics/contrasts.js';
import { RACED } from '../../../statistics/race.js';
import { countStarts, FEWEST_STARTS } from '../../../statistics/start-test.js';
import { samplesBy } from '../../../store/metrics.js';
import { about } from '../judge/no-verdict.js';

/** @import { Run } from '../../../store/types.js' */
/** @import { ContrastedGroup } from '../judge/compare-group.js' */
/** @import { FindingFile } from './definitions.js' */
/** @import { Figures, KeptAwake } from './types.js' */

/**
 * The cells in the race as the machine is, and while its processors were kept awake: the price of waking a processor is a
 * property of the machine, and may turn the order round.
 * @satisfies {FindingFile<'kept-awake'>}
 */
export default {
  id: 'kept-awake',
  find: ({ groups }) => groups.flatMap(statesIn),
  place: ({ turned }) => (turned ? 'choose' : 'details'),
  say: (found, { name }) => (found.turned ? sentenceOf(found, name) : []),

  details: (found, { name }) => [
    sentenceOf(found, name),
    ...found.costs.map(
      ({ cell, asIs, awake }) =>
        `${name(cell)}: ${asIs.commandsPerRead.toFixed(1)} commands per read, ${asIs.sleepsPerCommand.toFixed(2)} sleeps of the server per command, ${duration(asIs.cpuUsPerOp)} of client CPU per operation; kept awake ${awake.commandsPerRead.toFixed(1)}, ${awake.sleepsPerCommand.toFixed(2)}, ${duration(awake.cpuUsPerOp)}.`,
    ),
  ],
};

/** @type {(found: KeptAwake, name: (id: string) => string) => string} */
function sentenceOf({ asIs: [best], awake, turned }, name) {
  const [first] = awake;
  const kept = awake.find(({ cell }) => cell === best.cell) ?? first;
  if (kept.verdict === 'not measured')
    return `With processors kept awake, ${name(best.cell)} was not compared: too few cells were started more than once.`;
  const isFirst = awake.slice(1).every(({ verdict }) => verdict === 'slower');
  if (first.cell === best.cell)
    return `With processors kept awake, ${name(best.cell)} is ${isFirst ? 'fastest' : 'ahead'} too.`;
  if (!turned)
    return `With processors kept awake, ${name(first.cell)} and ${name(best.cell)} could not be distinguished.`;
  const ratio = ratioText({ ...kept, ratio: kept.timesSlower });
  return `On a machine that is never idle, ${name(first.cell)} is ${isFirst ? 'fastest' : 'ahead'}: ${ratio} over ${name(best.cell)}.`;
}

/** @typedef {{id: string, states: Run[][]}} InBoth its runs as the machine is, and kept awake */

/** @type {(group: ContrastedGroup) => Figures<'kept-awake'>[]} */
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
  const turned = awake.some(({ cell, verdict }) => cell === asIs[0].cell && verdict === 'slower');
  return [{ ...about(both, group), asIs, awake, turned, costs: costsOf(both.slice(0, 2)) }];
}

/** Who sleeps how often, and what that costs. @param {InBoth[]} cells the fastest as the machine is */
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

/** @param {Run[]} runs @param {(run: Run) => number | null | undefined} figureOf @returns {number} NaN where it is unknown */
function middle(runs, figureOf) {
  const values = samplesBy(runs, figureOf).map(({ value }) => value);
  return values.length === 0 ? Number.NaN : median(values);
}

/**
 * Each against the fastest of that state. What was started once is not compared: it has a ratio without a range.
 * @param {InBoth[]} cells @param {number} state
 */
function rankingIn(cells, state) {
  const samples = cells
    .map(({ id, states }) => ({ id, sample: samplesBy(states[state], (run) => run.opsPerSecond) }))
    .map((each) => ({ ...each, level: mean(each.sample.map(({ value }) => Math.log(value))) }));
  const restarted = samples.filter(({ sample }) => countStarts(sample) >= FEWEST_STARTS);
  const [{ between }] = contrastFamily([{ pairs: pairsOf(restarted), of: ({ sample }) => sample }], RACED);
  const inOrder = samples.sort((a, b) => b.level - a.level);
  const [best] = inOrder;
  const contrasts = inOrder.map((each) => (each === best ? null : between(each, best)));
  const verdicts = verdictsOn(contrasts);
  return inOrder.map(({ id, level }, place) => {
    const contrast = contrasts[place];
    const behind =
      contrast === null ? { ratio: Math.exp(best.level - level), low: null, high: null } : inverse(contrast);
    return {
      cell: id,
      timesSlower: behind.ratio,
      low: behind.low,
      high: behind.high,
      verdict: verdicts[place],
    };
  });
}
