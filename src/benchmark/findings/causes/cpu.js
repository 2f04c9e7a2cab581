import { micro } from '../../../core/report/figures.js';
import { codeDifference } from '../../../why/code-difference.js';
import { mainPartText } from '../../../why/code-words.js';
import { costsOf, NOTABLE } from '../../judge/costs.js';
import { defineCause } from '../define.js';

/** @import { JudgedPair } from '../../judge/costs.js' */

/** @typedef {'client' | 'server' | 'main-thread' | 'server-threads'} User `main-thread`: where only the other server has several threads */

/** More CPU: of the client per operation, of the server per command. */
export default defineCause({
  id: 'cpu',
  find(pair) {
    const [hasThreads, others] = [pair.cell, pair.than].map(
      ({ summary }) => summary.bottleneck.serverThreads !== undefined,
    );
    const ofThreads = hasThreads ? costOf('server-threads', 'serverThreads', pair) : [];
    const ofServer =
      ofThreads.length > 0
        ? ofThreads
        : costOf(hasThreads || others ? 'main-thread' : 'server', 'serverCpu', pair);
    return [...costOf('client', 'clientCpu', pair), ...ofServer];
  },
  /** CPU time of a server that is not the limit slows nothing down. Threads that wait for each other leave no visible limit. */
  times({ of, ratio }, { cell }) {
    const { limit } = cell.summary.bottleneck;
    const slows = of === 'client' || limit === 'server' || (of === 'server-threads' && limit === null);
    return slows ? ratio : 1;
  },
  say: ({ of, us, againstUs }) => `${micro(us)} of ${USERS[of]} instead of ${micro(againstUs)}`,
  details: ({ code }) => [code === undefined ? null : mainPartText(code)].filter((text) => text !== null),
});

/** @type {Record<User, string>} */
const USERS = {
  client: 'client CPU per operation',
  server: 'server CPU per command',
  'main-thread': "the server's main thread per command",
  'server-threads': 'CPU in all server threads per command',
};

/** @param {User} of @param {'clientCpu' | 'serverCpu' | 'serverThreads'} cost @param {JudgedPair} pair */
function costOf(of, cost, pair) {
  const { ratio } = pair.carried[cost] ?? { ratio: 1 };
  if (ratio < NOTABLE) return [];
  const [us, againstUs] = costsOf(cost, pair);
  const code = of === 'client' ? codeDifference(pair.cell, pair.than) : null;
  return [{ of, ratio, us, againstUs, ...(code && { code }) }];
}
