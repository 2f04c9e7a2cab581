import { duration } from '../../../report/figures.js';

/** @import { CellResult } from '../../../store/types.js' */
/** @import { FindingFile } from './definitions.js' */
/** @import { Figures } from './types.js' */

/** The part of the time that is worth a sentence. */
const MOST = 0.5;
/** Where a process waited for CPU longer than this, replies lie unread because of other programs. */
const SHORT_OF_CPU = 0.2;

/**
 * The first cell that loses most of its time in its own process.
 * @satisfies {FindingFile<'where-time-goes'>}
 */
export default {
  id: 'where-time-goes',
  place: 'breakdown',

  find: ({ cells }) => cells.toSorted(byRate).flatMap(lossOf).slice(0, 1),

  say({ cells: [id], at, part, us, wholeUs }, { name, cell }) {
    const lost = `${duration(us)} of ${duration(wholeUs)}`;
    return part === 'unread'
      ? `At the ${at}, replies to ${name(id)} lie unread for ${lost}: its process is busy with other work or with garbage. ${unreadHelp(cell(id))}`
      : `At the ${at}, commands of ${name(id)} wait in the client for ${lost} before they are sent. ${clientHelp(cell(id))}`;
  },
};

/** @param {CellResult} a @param {CellResult} b */
const byRate = ({ summary: a }, { summary: b }) => Number(b?.opsPerSecond) - Number(a?.opsPerSecond);

/** @param {CellResult} cell @returns {Figures<'where-time-goes'>[]} */
export function lossOf({ id, group, summary }) {
  for (const at of /** @type {const} */ (['p50', 'p99'])) {
    const { clientWaitUs = 0, unreadUs = 0, wholeUs = 0 } = summary?.breakdown?.[at] ?? {};
    const about = { group, cells: [id], at, wholeUs };
    if (Number(unreadUs) > MOST * wholeUs && (summary?.waits?.waitedShare ?? 0) < SHORT_OF_CPU)
      return [{ ...about, part: 'unread', us: Number(unreadUs) }];
    if (clientWaitUs > MOST * wholeUs) return [{ ...about, part: 'client', us: clientWaitUs }];
  }
  return [];
}

/** @param {CellResult} cell */
const spread = ({ openLoop }) =>
  openLoop === null ? 'Fewer tasks per process may help, or more --processes.' : 'More --processes may help.';

/** @param {CellResult} cell */
const unreadHelp = (cell) =>
  cell.appWorkUs > 0 ? 'Less work between operations may help, or more --processes.' : spread(cell);

/** @param {CellResult} cell */
function clientHelp(cell) {
  const { scenario, scenarioOptions, openLoop, tasks, client, variant, release } = cell;
  if (scenario === 'pool' && (openLoop !== null || Number(scenarioOptions.poolSize) < tasks))
    return 'A larger pool may help, or one shared connection.';
  // Earlier releases have no command timeout by default.
  const hasTimeout =
    client === 'redis' && variant === 'default' && Number.parseInt(`${release?.version}`, 10) >= 6;
  return hasTimeout ? 'Sending without the command timeout may help (redis:tuned).' : spread(cell);
}
