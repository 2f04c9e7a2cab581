import { duration } from './figures.js';

/**
 * @import { CompanyFinding } from '../../analysis/types.js'
 * @import { Words } from './findings.js'
 */

/** What company does to the measured operations. @satisfies {Record<string, Words>} */
export const COMPANY_WORDS = {
  'beside-company': {
    outcome: (/** @type {CompanyFinding[]} */ all, { name }) => all.map((each) => companyText(each, name)),
  },
};

/** @param {CompanyFinding} finding @param {(id: string) => string} name */
function companyText({ cell, with: own, without, differs }, name) {
  const figures = [
    `p50 ${duration(own.p50Us)} instead of ${duration(without.p50Us)}`,
    `p99 ${duration(own.p99Us)} instead of ${duration(without.p99Us)}`,
    `slowest ${duration(own.maxUs)} instead of ${duration(without.maxUs)}`,
  ].join(', ');
  return `${name(cell)} with this company: ${figures} (${shownText(differs)}).`;
}

/** @param {CompanyFinding['differs']} differs */
function shownText({ p50Us, p99Us }) {
  if (p50Us === null || p99Us === null) return 'too few runs to say whether that is more than chance';
  if (p50Us && p99Us) return 'p50 and p99 are shown to differ';
  if (!p50Us && !p99Us) return 'neither p50 nor p99 is shown to differ';
  return p50Us ? 'only p50 is shown to differ' : 'only p99 is shown to differ';
}
