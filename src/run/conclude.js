import { loadCommand } from '../commands/all.js';
import { plainReport } from '../store/results.js';

/** @import { Measuring } from '../commands/types.js' */
/** @import { Ending, Report, ResultHeader, ResultRecord } from '../store/types.js' */

/**
 * The report of what was measured just now.
 * @param {Measuring} command @param {ResultHeader} header @param {ResultRecord[]} records @param {Ending} ending
 * @returns {Promise<Report>}
 */
export async function concludedBy(command, header, records, ending) {
  const { conclude } = (await command.conclude?.()) ?? { conclude: plainReport };
  return conclude(header, records, ending);
}

/** The report of a saved result. @param {ResultHeader} header @param {ResultRecord[]} records @param {Ending} ending */
export const reportFrom = async (header, records, ending) =>
  concludedBy(await loadCommand(header.command ?? 'benchmark'), header, records, ending);
