import { sentencesAt } from '../../src/commands/benchmark/report/words/findings.js';

/** @import { Report } from '../../src/store/types.js' */

/** @param {Report} report @returns {string[]} each choice as `client: best; behind it: …`, and the sentences below them */
export const adviceOf = (report) => [
  ...report.choices.map(
    ({ choose, where, texts: { best, behind } }) =>
      `${where && `${where}: `}${choose}: ${best}${behind && `; behind it: ${behind}`}`,
  ),
  ...sentencesIn(report),
];

/** @param {Report} report @returns {string[]} of the first screen, without causes */
export const sentencesIn = (report) =>
  /** @type {const} */ (['first', 'choose', 'condition', 'next']).flatMap((place) =>
    sentencesAt(report, place),
  );

/** @param {Report} report @param {number} [index] of a group @returns {string[]} the causes on the first screen */
export const causesOf = (report, index = 0) => sentencesAt(report, 'cause', report.comparisons[index].group);

/** @param {Report} report @param {number} [index] of a group @returns {string} all that the details say of it */
export const detailsOf = (report, index = 0) =>
  sentencesAt(report, 'details', report.comparisons[index].group).join(' ');
