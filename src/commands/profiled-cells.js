import { explainedCells } from '../analysis/findings/group-findings.js';
import { createReport } from '../results/create-report.js';

/**
 * @import { Settings } from '../options/types.js'
 * @import { ResultHeader, ResultRecord } from '../results/types.js'
 */

/**
 * Which cells are profiled once their timed runs have ended: all that the user asked for, or those that the
 * report will explain, as far as their group alone says.
 *
 * @param {ResultHeader} header
 * @param {Pick<Settings, 'profile' | 'profileServer'>} settings
 * @param {ResultRecord[]} records of the runs so far; grows meanwhile
 * @returns {(group: string) => Set<string>} their ids
 */
export function chooseProfiled(header, { profile, profileServer }, records) {
  return (group) => {
    const cells = header.cells.filter((cell) => cell.group === group);
    if (profile?.cells !== 'explained') return new Set(cells.map(({ id }) => id));
    const { findings } = createReport({ ...header, cells }, records, UNDER_WAY);
    return explainedCells(findings, { server: profileServer });
  };
}

const UNDER_WAY = { finishedAt: '', partial: true, failure: null, warnings: [] };
