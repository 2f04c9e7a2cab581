import { csvLine, inMarkdown } from '../words/escaped.js';
import { whole } from '../words/figures.js';
import { wrap } from '../words/wrap.js';
import { ruledTable } from './ruled-table.js';

/** @import { ComparedCell, ReportComparison } from '../../analysis/types.js' */

/** The formats of a comparison of two results, by name. */
export const COMPARISON_FORMATS = { table, json, markdown, csv };

const HEAD = ['', 'base', 'new', 'ratio', '95 % interval', 'p'];

/**
 * @param {ReportComparison} comparison
 * @param {{width: number}} view
 * @returns {string}
 */
function table(comparison, { width }) {
  const groups = groupsOf(comparison).map(([group, cells]) =>
    [
      ...wrap(group, width),
      ruledTable(
        HEAD,
        ['left', 'right', 'right', 'right', 'right', 'right'],
        cells.map((cell) => rowOf(cell)),
      ),
    ].join('\n'),
  );
  const notes = remarks(comparison).flatMap((line) => wrap(line, width));
  return `${[...groups, notes.join('\n')].join('\n\n')}\n`;
}

/** @param {ReportComparison} comparison */
function json(comparison) {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}

/**
 * @param {ReportComparison} comparison
 * @returns {string} for a pull request
 */
function markdown(comparison) {
  const line = (/** @type {string[]} */ row) => `| ${row.map(inMarkdown).join(' | ')} |`;
  const groups = groupsOf(comparison).map(([group, cells]) =>
    [
      `**${inMarkdown(group)}**\n`,
      line(HEAD),
      '|---|---:|---:|---:|---:|---:|',
      ...cells.map((cell) => line(rowOf(cell))),
    ].join('\n'),
  );
  const notes = remarks(comparison).map((text) => `- ${inMarkdown(text)}`);
  return `${[...groups, notes.join('\n')].join('\n\n')}\n`;
}

/** @param {ReportComparison} comparison */
function csv({ metric, cells }) {
  const head = ['cell', 'metric', 'base', 'new', 'ratio', 'low', 'high', 'p', 'pAdjusted', 'differs'];
  const rows = cells.map(({ cell, base, new: after, ratio, contrast }) => {
    const { low, high, p, pAdjusted, differs } = contrast ?? {};
    return [cell, metric, base, after, ratio, low, high, p, pAdjusted, differs];
  });
  return [head, ...rows].map(csvLine).join('');
}

/**
 * @param {ReportComparison} comparison
 * @returns {[string, ComparedCell[]][]} the cells with the same conditions
 */
const groupsOf = ({ cells }) =>
  [...new Set(cells.map(({ group }) => group))].map((group) => [
    group,
    cells.filter((cell) => cell.group === group),
  ]);

/** @param {ComparedCell} cell */
function rowOf({ name, base, new: after, ratio, contrast }) {
  return [
    name,
    figureText(base),
    figureText(after),
    `${contrast?.differs ? '' : '~ '}${ratio.toFixed(2)}x`,
    contrast ? `${contrast.low.toFixed(2)} – ${contrast.high.toFixed(2)}` : '',
    contrast ? pText(contrast.pAdjusted) : '',
  ];
}

/**
 * @param {ReportComparison} comparison
 * @returns {string[]} what the rows do not show
 */
function remarks({ metric, unit, moreIsBetter, test, cells, geometricMean, onlyBase, onlyNew, warnings }) {
  const unsure = cells.some(({ contrast }) => !contrast?.differs);
  return [
    `${metric} in ${unit}${moreIsBetter === null ? '' : `, ${moreIsBetter ? 'more' : 'less'} is better`}; medians over the runs; ratio: new over base`,
    `geometric mean of the ratios: ${geometricMean.toFixed(3)}x`,
    ...(unsure ? ['~ no difference that can be claimed'] : []),
    `test: ${test}; it knows how much runs vary within a result, not what the machine did between the two`,
    ...(onlyBase.length > 0 ? [`only in the first: ${onlyBase.join('; ')}`] : []),
    ...(onlyNew.length > 0 ? [`only in the second: ${onlyNew.join('; ')}`] : []),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
}

/** @param {number} value @returns {string} whole where it is large, else three significant digits */
export const figureText = (value) => (value >= 100 ? whole(value) : String(Number(value.toPrecision(3))));

/** @param {number} p */
const pText = (p) => (p < 0.001 ? '<0.001' : p.toFixed(3));

/**
 * @param {ComparedCell & {worseBy: number}} cell
 * @param {string} unit
 */
export const changeText = ({ name, group, base, new: after, worseBy, contrast }, unit) =>
  `${name} (${group}): ${figureText(base)} → ${figureText(after)} ${unit}, ${worseBy.toFixed(1)} % worse${contrast ? ` (p = ${contrast.pAdjusted.toFixed(4)})` : ''}`;
