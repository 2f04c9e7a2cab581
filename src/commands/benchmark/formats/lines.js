import { axesOf } from '../../../axes/all-axes.js';
import { nameCells } from '../../../axes/cell-names.js';
import { groupBy } from '../../../collections.js';
import { count, plural } from '../../../numbers.js';
import { factText } from '../../../report/fact-words.js';
import { processorsText, runtimesOf, runtimesText, usedPackages } from '../../../report/origin-facts.js';
import { PARTIAL_NOTE } from '../../../report/run-remarks.js';

/** @import { FormatPlugin } from '../../../plugins/types.js' */
/** @import { Cell } from '../../../run/plan/types.js' */
/** @import { CellResult, Report, Run } from '../../../store/types.js' */

/** What the Node Redis Pipelining Test printed. @satisfies {FormatPlugin} */
export default {
  summary: 'one line per cell: average (spread) of each run in ms',

  render(report) {
    const lines = [...head(report), ...body(report)];
    if (report.partial) lines.push('', PARTIAL_NOTE);
    return `${lines.join('\n')}\n`;
  },
};

/** @param {Report} report */
function head(report) {
  const { environment, server, settings, cells } = report;
  const { os } = environment;
  return [
    `CPU        ${processorsText(environment)}`,
    `Node       ${runtimesText(report)}`,
    `V8         ${runtimesOf(report)
      .map(({ v8 }) => v8)
      .join(', ')}`,
    `OS         ${os}`,
    ...usedPackages(report).map(([name, version]) => `NPM ${name.padEnd(6)} ${version}`),
    '',
    `Setting up ${count(Math.max(0, ...cells.map((cell) => cell.tasks)), 'Redis client')}.`,
    `Connected to ${server.software} ${server.version ?? '(version unknown)'}.`,
    '',
    `Running each configuration ${runsText(report)}${settings.warmupRuns > 0 ? ' (after a warm-up run)' : ''}.`,
    'Reporting the results for each configuration on a single line.',
    'Result format: task-elapsed-ms-average (slowest-fastest-task-difference-ms)',
  ];
}

/** @param {Report} report @returns {string} as often as it was run, or was asked for where nothing was */
function runsText({ settings, cells }) {
  const counts = cells.flatMap(({ runs }) => runs.length || []);
  if (counts.length === 0) return times(settings.runs);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least < most ? `${least} to ${times(most)}` : times(most);
}

/** @param {number} number */
const times = (number) => (number === 1 ? 'once' : `${number} times`);

/** Cells below a heading for their data and one for the number of tasks; at the end remarks. @param {Report} report */
function body({ cells, settings }) {
  const groups = groupBy(cells, ({ group }) => group);
  const names = new Map(groups.flatMap((members) => [...nameCells(members)]));
  const lines = [];
  let [heading, subheading] = ['', ''];
  for (const cell of cells) {
    const common = Math.max(
      ...cells.map(({ group, iterations }) => (group === cell.group && iterations) || 0),
    );
    const length = settings.durationMs === null ? iterationsText(common) : `${settings.durationMs} ms`;
    const newHeading = headingOf(cell, length, settings);
    if (newHeading !== heading) lines.push('', newHeading);
    const newSubheading = `  ${count(cell.tasks, 'task')}`;
    if (newHeading !== heading || newSubheading !== subheading) lines.push(newSubheading);
    [heading, subheading] = [newHeading, newSubheading];
    lines.push(`    ${line(cell, common, names.get(cell.id))}`);
  }
  const remarks = cells.flatMap((cell) => {
    const texts = new Set(cell.runs.flatMap(remarksOn));
    return [...texts].map((text) => `${count(cell.tasks, 'task')}, ${names.get(cell.id)}: ${text}`);
  });
  return remarks.length > 0 ? [...lines, '', ...remarks] : lines;
}

const OWN_WORDS = ['workload', 'keySize', 'valueSize', 'keys', 'tasks'];

/**
 * The words of the original, and what that did not have.
 * @param {Cell} cell @param {string} length of a run @param {Report['settings']} settings
 */
const headingOf = (cell, length, settings) =>
  [
    `${sizesOf(cell)} K/V, (${length})`,
    cell.workload === 'get' ? '' : cell.workload,
    ...axesOf([cell]).map(({ id, title }) => (OWN_WORDS.includes(id) ? '' : title?.(cell, settings))),
  ]
    .filter(Boolean)
    .join(', ');

/** @param {Cell} cell */
function sizesOf({ keys, keySize, valueSize, shortestValue }) {
  const number = keys > 1 ? `${keys} keys, ` : '';
  const values = shortestValue < valueSize ? `${shortestValue}-${valueSize}` : `${valueSize}`;
  return `${number}${`${keySize}` === values ? values : `${keySize}/${values}`}-char`;
}

/** That test wrote them without commas. @param {number} iterations */
const iterationsText = (iterations) => `${iterations} ${plural(iterations, 'iteration')}`;

/** @param {CellResult} cell @param {number} common the group's iterations @param {string | undefined} name */
function line({ iterations, runs, skipped }, common, name) {
  if (skipped !== null) return `skipped, ${name}: ${factText(skipped)}`;
  const figures = runs.map(({ failed, averageMs, spreadMs }) =>
    failed === null ? `${Math.round(Number(averageMs))} (${Math.round(Number(spreadMs))})` : 'failed',
  );
  const length = iterations !== null && iterations !== common ? ` (${iterationsText(iterations)})` : '';
  return `${figures.join(' ') || 'no runs'}, ${name}${length}`;
}

/** @param {Run} run */
const remarksOn = ({ failed, warnings }) => [
  ...(failed === null ? [] : [`failed: ${failed}`]),
  ...warnings.map((warning) => `warning: ${warning}`),
];
