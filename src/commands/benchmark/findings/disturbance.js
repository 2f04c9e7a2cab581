import { cpusText, percent } from '../../../report/figures.js';
import { explainsWaits, isDisturbed, waitsOf, watchedSlices } from '../../../store/slices.js';
import { about } from '../judge/no-verdict.js';

/** @import { Run } from '../../../store/types.js' */
/** @import { FindingFile } from './definitions.js' */

/** On a quiet machine worker and server wait for less than this. */
const QUIET = 0.05;

/** How long cells waited for CPU. @satisfies {FindingFile<'disturbance'>} */
export default {
  id: 'disturbance',
  find({ cells, limited }) {
    const watched = cells.filter(({ summary }) => summary?.waits);
    const runs = watched.flatMap((cell) => cell.runs.filter(({ failed }) => failed === null));
    const waits = waitsOf(runs);
    if (waits === null) return [];
    const isLimited = limited !== undefined && explainsWaits(limited, waits.waitedShare);
    const isWhole = watched.length === cells.filter(({ summary }) => summary !== null).length;
    const waiting = about(watched.filter(({ summary }) => isDisturbed(summary?.waits)));
    const limit = isLimited && { limitedTo: limited.limitedTo };
    return [{ ...waiting, ...waits, server: serverIn(runs), ...limit, isWhole }];
  },

  place: ({ waitedShare, stolenShare }) =>
    waitedShare + Number(stolenShare) < QUIET ? 'details' : 'condition',

  say({ waitedShare, stolenShare, server, isWhole, limitedTo }) {
    const whose = isWhole ? WHO[server] : `${WHO[server]}, where it has a CPU of its own,`;
    const waited = `${whose} waited for CPU ${percent(waitedShare)} of the time.`;
    if (waitedShare + Number(stolenShare) < QUIET) return `CPU: ${waited}`;
    if (limitedTo) return `The CPU limit of ${cpusText(limitedTo)} was reached: ${waited}`;
    return waitedShare < QUIET
      ? `Other virtual machines on this host were busy: CPU steal was ${percent(stolenShare)} of the time.`
      : `Other programs were running: ${waited}`;
  },
};

const WHO = {
  all: 'worker and server',
  some: 'the worker (and the server, where known)',
  none: 'the worker',
};

/** Waits of a server next to a relay are not counted; those of a remote one are unknown. @param {Run[]} runs @returns {keyof typeof WHO} */
function serverIn(runs) {
  const slices = watchedSlices(runs);
  const known = slices.filter(({ serverWaitedMs }) => serverWaitedMs !== null).length;
  if (known === 0) return 'none';
  return known === slices.length ? 'all' : 'some';
}
