import { tenths } from '../../../core/report/figures.js';
import { costsOf, NOTABLE } from '../../judge/costs.js';
import { defineCause } from '../define.js';
import { opensMore } from './opens-connections.js';

export default defineCause({
  id: 'smaller-batches',
  isRoot: true,
  find(pair) {
    if (!(Number(pair.carried.batching?.ratio) <= 1 / NOTABLE) || opensMore(pair)) return null;
    const [commandsPerRead, againstCommandsPerRead] = costsOf('batching', pair);
    return { commandsPerRead, againstCommandsPerRead };
  },
  say: ({ commandsPerRead, againstCommandsPerRead }) =>
    `${tenths(commandsPerRead)} commands per server read instead of ${tenths(againstCommandsPerRead)}`,
});
