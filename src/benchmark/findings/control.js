import { percent, spanOf, times } from '../../core/report/figures.js';
import { defineFinding } from './define.js';

/** Ten times as much: two starts, one of them disturbed, come to thousands of per cent. */
const HARDLY_ANY = 9;

/** Large ones as what is behind, `2.2x`. @param {number} share */
const shareText = (share) => (share < 1 ? percent(share) : times(1 + share));

/** The noise floor of each group: starts of each cell compared with each other. */
export default defineFinding({
  id: 'control',
  place: 'condition',

  find: ({ groups }) =>
    groups.flatMap(({ comparison: { group, tested, ranking } }) => {
      const { starts, tellsApart } = tested;
      if (starts === undefined || tellsApart === undefined) return [];
      return [{ group, cells: ranking.map(({ cell }) => cell), starts, tellsApart }];
    }),

  say(finding, { settings, measured, isUndecided }, all) {
    if (finding !== all[0]) return [];
    const quiet = all.filter(({ tellsApart }) => tellsApart <= HARDLY_ANY);
    const noisy = all.length - quiet.length;
    const shares = quiet.length === 0 ? '' : spanOf(shareText, quiet, ({ tellsApart }) => tellsApart);
    if (noisy === 0) return `Differences under ${shares} do not show here.`;
    const isCold = measured.some(({ chosen }) => chosen?.workload.startsProcesses);
    const more = settings.races ? 'a longer --budget' : isCold ? 'more --runs' : 'more --starts';
    const advice = isUndecided ? '' : ` Use ${more}.`;
    return quiet.length === 0
      ? `Differences under 10x do not show here: starts differ too much, or are too few.${advice}`
      : `Differences under 10x do not show in ${noisy} of ${all.length} groups, and under ${shares} in the others.${advice}`;
  },
});
