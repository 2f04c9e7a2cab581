import { mainFindings } from './main-findings.js';

/** @import { Finding } from '../types.js' */

/**
 * The cells whose code a report would name, had they been profiled: those of the differences in CPU time that its
 * first screen tells of.
 *
 * @param {Finding[]} findings of one group
 * @returns {Set<string>} ids
 */
export const explainedCells = (findings) => new Set(mainFindings(findings).flatMap(comparedByCpu));

/** @param {Finding} finding @returns {string[]} */
function comparedByCpu(finding) {
  if (finding.kind === 'version-change') return [finding.from, finding.to];
  if (finding.kind !== 'slower' && finding.kind !== 'why') return [];
  return finding.causes.some(({ kind }) => kind === 'client-cpu') ? [finding.cell, finding.than] : [];
}
