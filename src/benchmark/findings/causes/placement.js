import { sameBut } from '../../../axes/all-axes.js';
import { times } from '../../../core/report/figures.js';
import { NOTABLE } from '../../judge/costs.js';
import { defineCause } from '../define.js';

/** The same cell is faster with the placement of the other. */
export default defineCause({
  id: 'placement',
  isRoot: true,
  find({ cell, than, group: { compared, between } }) {
    if (cell.pin === than.pin) return null;
    const rest = sameBut(['pin'], compared);
    const twin = compared.find((other) => other.pin === than.pin && rest(other) === rest(cell));
    const contrast = twin === undefined ? null : between(twin.id, cell.id);
    if (!contrast?.differs || contrast.ratio < NOTABLE) return null;
    return { pin: than.pin, insteadOf: cell.pin, ratio: contrast.ratio };
  },
  times: ({ ratio }) => ratio,
  say: ({ pin, ratio }) => `it is ${times(ratio)} as fast with --pin ${pin}`,
});
