import { agentTexts } from './agent-words.js';
import { ownFiles, runtimesText, usedPackages } from './packages.js';
import { serverTexts } from './server-words.js';

/** @import { Report } from '../../results/types.js' */

/**
 * Where the figures come from, in short.
 *
 * @param {Report} report
 * @param {string[]} placements where server and workers ran, in the words of the format
 * @returns {string[]}
 */
export const originFacts = (report, placements) => [
  `Node ${runtimesText(report)}`,
  ...usedPackages(report).map((entry) => entry.join(' ')),
  ...ownFiles(report).map((entry) => entry.join(' ')),
  ...serverTexts(report),
  `${report.environment.cpuCount}x ${report.environment.cpuModel}`,
  ...placements,
  ...agentTexts(report),
  `seed ${report.seed}`,
];
