import { duration } from './figures.js';
import { joined } from './joined.js';
import { tooFewText } from './p99-words.js';

/**
 * @import { CompanyFinding } from '../../analysis/types.js'
 * @import { Context, Words } from './findings.js'
 */

/** What company does to the measured operations. @satisfies {Record<string, Words>} */
export const COMPANY_WORDS = {
  'beside-company': {
    outcome: (/** @type {CompanyFinding[]} */ all, context) => {
      const unshown = all.filter((each) => !isTold(each));
      return [
        ...all.filter(isTold).map((each) => toldText(each, context.name)),
        ...unshownText(unshown, context.name),
        ...rateText(unshown, context),
      ];
    },
  },
};

const METRICS = /** @type {const} */ (['p50Us', 'p99Us']);

/** @type {Record<typeof METRICS[number], string>} */
const TITLES = { p50Us: 'p50', p99Us: 'p99' };

/** @param {CompanyFinding} finding @returns {boolean} whether it is told with its figures */
const isTold = ({ differs, inEveryRun }) =>
  METRICS.some((metric) => differs[metric] === true || inEveryRun[metric]);

/** @param {CompanyFinding} finding @param {(id: string) => string} name */
function toldText(finding, name) {
  const { cell, with: own, without } = finding;
  const figures = [
    `p50 ${duration(own.p50Us)} instead of ${duration(without.p50Us)}`,
    `p99 ${duration(own.p99Us)} instead of ${duration(without.p99Us)}`,
    `slowest ${duration(own.maxUs)} instead of ${duration(without.maxUs)}`,
  ].join(', ');
  return `${name(cell)} with this company: ${figures} (${proofText(finding)}).`;
}

/** @param {CompanyFinding} finding @returns {string} of what a test carries the difference, and of what every run had it */
function proofText({ differs, inEveryRun, runs, enoughRuns }) {
  const shown = METRICS.filter((metric) => differs[metric] === true);
  const seen = METRICS.filter((metric) => differs[metric] !== true && inEveryRun[metric]);
  const all = (/** @type {readonly (typeof METRICS[number])[]} */ some) =>
    joined(some.map((metric) => TITLES[metric]));
  const enough = seen.flatMap((metric) => enoughRuns[metric] ?? []);
  const only = seen.length === 0 && shown.length === 1 ? 'only ' : '';
  return [
    ...(shown.length === 0
      ? []
      : [`${only}${all(shown)} ${shown.length > 1 ? 'are' : 'is'} shown to differ`]),
    ...(seen.length === 0 ? [] : [`${all(seen)} differed in every run`]),
    ...(enough.length < seen.length || enough.length === 0 ? [] : [tooFewText(runs, Math.max(...enough))]),
  ].join('; ');
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
