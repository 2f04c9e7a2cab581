import { whole } from '../../../core/report/figures.js';
import { commandsPerOpOf, NOTABLE } from '../../judge/costs.js';
import { defineCause } from '../define.js';
import { opensMore } from './opens-connections.js';

/** Commands are counted, so no test is needed. */
export default defineCause({
  id: 'more-commands',
  isRoot: true,
  find(pair) {
    const [commandsPerOp, againstCommandsPerOp] = [pair.cell, pair.than].map(commandsPerOpOf);
    if (commandsPerOp < NOTABLE * againstCommandsPerOp || opensMore(pair)) return null;
    return { commandsPerOp, againstCommandsPerOp };
  },
  say: ({ commandsPerOp, againstCommandsPerOp }) =>
    `${whole(commandsPerOp)} commands per operation instead of ${whole(againstCommandsPerOp)}`,
});
