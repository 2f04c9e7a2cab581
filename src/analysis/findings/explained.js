import { mainFindings } from './main-findings.js';

/** @import { Cause, Finding } from '../types.js' */

/**
 * The cells whose code a report would name, had they been profiled: those of the differences in CPU time that its
 * first screen tells of.
 *
 * @param {Finding[]} findings of one group
 * @param {{server?: boolean}} [sampled] whether the server is profiled too
 * @returns {Set<string>} ids
 */
export function explainedCells(findings, { server = false } = {}) {
  /** @type {Cause['kind'][]} */
  const causes = server ? ['client-cpu', 'server-cpu'] : ['client-cpu'];
  return new Set(mainFindings(findings).flatMap((finding) => comparedByCpu(finding, causes)));
}

/** @param {Finding} finding @param {Cause['kind'][]} told @returns {string[]} */
function comparedByCpu(finding, told) {
  if (finding.kind === 'version-change') return [finding.from, finding.to];
  if (finding.kind === 'server-work' && told.includes('server-cpu')) return [finding.less, finding.more];
  if (finding.kind !== 'slower' && finding.kind !== 'why') return [];
  return finding.causes.some(({ kind }) => told.includes(kind)) ? [finding.cell, finding.than] : [];
}
