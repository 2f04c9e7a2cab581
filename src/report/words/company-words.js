import { duration } from './figures.js';

/**
 * @import { CompanyFinding } from '../../analysis/types.js'
 * @import { Context, Words } from './findings.js'
 */

/** What company does to the measured operations. @satisfies {Record<string, Words>} */
export const COMPANY_WORDS = {
  'beside-company': {
    outcome: (/** @type {CompanyFinding[]} */ all, context) => {
      const unshown = all.filter((each) => !isShown(each));
      return [
        ...all.filter(isShown).map((each) => shownText(each, context.name)),
        ...unshownText(unshown, context.name),
        ...rateText(unshown, context),
      ];
    },
  },
};

/** @param {CompanyFinding} finding */
const isShown = ({ differs }) => differs.p50Us === true || differs.p99Us === true;

/** @param {CompanyFinding} finding @param {(id: string) => string} name */
function shownText({ cell, with: own, without, differs }, name) {
  const figures = [
    `p50 ${duration(own.p50Us)} instead of ${duration(without.p50Us)}`,
    `p99 ${duration(own.p99Us)} instead of ${duration(without.p99Us)}`,
    `slowest ${duration(own.maxUs)} instead of ${duration(without.maxUs)}`,
  ].join(', ');
  const only = differs.p50Us ? 'p50' : 'p99';
  const shown = differs.p50Us && differs.p99Us ? 'p50 and p99 are' : `only ${only} is`;
  return `${name(cell)} with this company: ${figures} (${shown} shown to differ).`;
}

/** @param {CompanyFinding[]} findings @param {(id: string) => string} name @returns {string[]} one sentence for all */
function unshownText(findings, name) {
  if (findings.length === 0) return [];
  const names = findings.map(({ cell }) => name(cell)).join(', ');
  const tested = findings.every(({ differs }) => differs.p50Us !== null);
  return [
    tested
      ? `${names}: neither p50 nor p99 is shown to differ from the same alone.`
      : `${names}: too few runs to say whether p50 or p99 differs from the same alone.`,
  ];
}

/**
 * @param {CompanyFinding[]} findings
 * @param {Context} context
 * @returns {string[]} what would show more
 */
const rateText = (findings, { cell }) =>
  findings.some((finding) => cell(finding.cell).openLoop === null)
    ? [
        'In a closed loop only the operations that are under way meet the company; --rate counts all that were due meanwhile.',
      ]
    : [];
