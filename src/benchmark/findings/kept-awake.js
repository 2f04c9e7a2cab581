import { mean } from 'simple-statistics';
import { times } from '../../core/report/figures.js';
import { contrastAll } from '../../core/statistics/contrasts.js';
import { samplesBy } from '../../core/store/metrics/metric-values.js';
import { about } from './about.js';
import { defineFinding } from './define.js';

/** @import { Sample } from '../judge/types.js' */
/** @import { ContrastedGroup } from './compare-group.js' */

/**
 * What is fastest while the processors are kept awake, against what is fastest as the machine is. The price of waking a
 * processor is a property of the machine, and may turn the order round.
 */
export default defineFinding({
  id: 'kept-awake',
  find: ({ groups }) => groups.flatMap(awakeIn),
  place: ({ differs }) => (differs ? 'condition' : 'details'),

  say({ asIs, fastest, times: ratio, differs }, { name }) {
    if (asIs === fastest) return `With processors kept awake, ${name(fastest)} is fastest too.`;
    return differs && ratio !== null
      ? `With processors kept awake, as on a busy machine, ${name(fastest)} is ${times(ratio)} faster than ${name(asIs)}.`
      : `With processors kept awake, ${name(fastest)} and ${name(asIs)} could not be distinguished.`;
  },
});

/** @param {ContrastedGroup} group */
function awakeIn({ cells: [{ group }], ranked }) {
  const all = ranked.flatMap((cell) => {
    const awake = cell.runs.filter((run) => run.awake);
    const isBoth = awake.length > 0 && awake.length < cell.runs.length;
    return isBoth ? [{ cell, sample: samplesBy(awake, (run) => run.opsPerSecond) }] : [];
  });
  if (all.length === 0) return [];
  const [asIs] = all;
  const fastest = all.reduce((best, each) => (levelOf(each.sample) > levelOf(best.sample) ? each : best));
  const { between } = contrastAll(all.map(({ sample }) => sample));
  const contrast = between(all.indexOf(fastest), all.indexOf(asIs));
  return [
    {
      ...about([asIs.cell, fastest.cell], group),
      ...{ asIs: asIs.cell.id, fastest: fastest.cell.id },
      ...{ times: contrast?.ratio ?? null, differs: contrast?.differs ?? false },
    },
  ];
}

/** @param {Sample} sample */
const levelOf = (sample) => mean(sample.map(({ value }) => Math.log(value)));
