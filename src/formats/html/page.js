import { sum } from 'simple-statistics';
import { count, duration } from '../../axes/number-words.js';
import { conditionGrid } from '../../benchmark/report/tables/condition-grid.js';
import { groupsOf, isClosed, isOpen } from '../../benchmark/report/tables/result-rows.js';
import {
  listed,
  originFacts,
  placementTexts,
  processorsText,
  runtimesOf,
  serverTexts,
  usedPackages,
} from '../../benchmark/report/words/origin-facts.js';
import { PARTIAL_NOTE, remarksOf } from '../../benchmark/report/words/remarks.js';
import { faultMatrix } from '../../break/fault-matrix.js';
import { haveFault } from '../../break/fault-ranking.js';
import { startedCold } from '../../cold/first-replies.js';
import { whole } from '../../core/report/figures.js';
import { unbroken } from '../../core/report/wrap.js';
import { documentOf } from './document.js';
import { groupSection } from './group-section.js';
import { html } from './markup.js';
import { gridTable, resultTable, testTable } from './page-tables.js';

/** @import { AssertionResult } from '../../benchmark/judge/types.js' */
/** @import { Report } from '../../core/store/types.js' */
/** @import { ServerFacts } from '../../core/server/types.js' */
/** @import { Group as TableGroup } from '../../benchmark/report/tables/result-rows.js' */

/** @typedef {TableGroup & {id: string}} Group `id` of its section in the page */

/** A report as one page that needs no other file. @param {Report} report */
export function renderPage(report) {
  const groups = groupsOf(report).map((group, index) => ({ ...group, id: `group-${index + 1}` }));
  const closed = groups.filter(isClosed);
  return documentOf(
    `${titleOfPage(report)} – ${report.tool.name}`,
    html`${header(report)}
<main>
${findings(report)}
${gridSection(report)}
${closed.length > 0 && html`<section><h2 id="results">Results</h2>${resultTable(closed)}</section>`}
${matrixSection(report)}
${outcomeSection(groups)}
${groups.map(groupSection)}
${remarksSection(report, groups)}
${detailsSection(report, groups)}
${environmentSection(report)}
</main>`,
  );
}

/** The default suite is named after ways to connect, which a cold start does not compare. @param {Report} report */
const titleOfPage = ({ suite, cells }) =>
  startedCold(cells) && suite.id === 'default' ? 'Cold start' : suite.title;

/** @param {Report} report */
function header(report) {
  const { tool, cells, startedAt } = report;
  const runs = cells.flatMap(({ summary }) => summary?.runs ?? []);
  return html`<header><p class="kicker">${tool.name} ${tool.version} · ${timeText(startedAt)}</p>
<h1>${titleOfPage(report)}</h1>
<p class="facts">${count(runs.length, 'cell')}, ${count(sum(runs), 'run')} · ${originFacts(report, []).join(' · ')}</p></header>`;
}

/** @param {Report} report */
function findings({ advice, assertions, partial, failure }) {
  const notice = failure === null ? partial && PARTIAL_NOTE : `The benchmark ended early: ${failure}`;
  const [whatToDo = '', ...reasons] = advice;
  return html`<section><h2 class="first">Findings</h2>
${notice && html`<p class="notice">${notice}</p>`}
<p class="lead">${unbroken(whatToDo)}</p>
${reasons.map((reason) => html`<p>${unbroken(reason)}</p>`)}
${assertionList(assertions)}</section>`;
}

/** Which choice is fastest where. @param {Report} report */
function gridSection(report) {
  const grid = conditionGrid(report);
  if (grid === null) return null;
  const winners = grid.winners();
  return html`<section><h2 id="conditions">${winners.title}</h2>
<p class="small">${grid.signs}</p>
${gridTable(winners)}
${gridTable(grid.choices)}</section>`;
}

/** @param {Report} report */
function matrixSection({ cells }) {
  const matrix = faultMatrix(cells);
  return matrix && html`<section><h2 id="faults">Clients and faults</h2>${gridTable(matrix)}</section>`;
}

/** @param {Group[]} groups */
function outcomeSection(groups) {
  const withOutcome = groups.filter(({ comparison }) => comparison.outcome.length > 0);
  if (withOutcome.length === 0) return null;
  return html`<section><h2 id="causes">${withOutcome.every(({ cells }) => haveFault(cells)) ? 'How they came through' : 'Main causes'}</h2>
${withOutcome.map(({ id, title, comparison }) => html`${titleOf({ id, title }, groups)}${list(comparison.outcome)}`)}</section>`;
}

/** @param {Report} report @param {Group[]} groups */
function detailsSection({ details, settings }, groups) {
  const closed = groups.filter((group) => !isOpen(group.cells));
  return html`<section><h2 id="details">Tests and all causes</h2>
${details.map((text) => html`<p>${unbroken(text)}</p>`)}
${closed.length > 0 && testTable(closed)}
${!settings.smoke && groups.filter(({ comparison: { conclusion, explanation } }) => conclusion !== '' || explanation.length > 0).map((group) => conclusionOf(group, groups))}</section>`;
}

/** @param {Pick<Group, 'id' | 'title'>} group @param {Group[]} groups */
const titleOf = ({ id, title }, groups) => groups.length > 1 && html`<h3><a href="#${id}">${title}</a></h3>`;

/** @param {string[]} texts */
const list = (texts) => html`<ul class="why">${texts.map((each) => html`<li>${unbroken(each)}</li>`)}</ul>`;

/** @param {AssertionResult[]} assertions */
const assertionList = (assertions) =>
  assertions.length > 0 &&
  html`<ul>${assertions.map(
    ({ text, strict, holds, figures }) =>
      html`<li class="${holds ? '' : 'bad'}">${holds ? 'holds' : 'failed'}${strict && ' (strict)'}: ${text}${
        !holds && ` (${figures.join('; ')})`
      }</li>`,
  )}</ul>`;

/** @param {Group} group @param {Group[]} groups */
function conclusionOf(group, groups) {
  const { conclusion, explanation, test } = group.comparison;
  return html`${titleOf(group, groups)}
${conclusion && html`<p>${unbroken(conclusion)}</p>`}
${!isOpen(group.cells) && html`<p class="small">Test: ${test}</p>`}
${explanation.length > 0 && html`<p class="why">Why:</p>${list(explanation)}`}`;
}

/** What was not measured, and what makes figures doubtful. @param {Report} report @param {Group[]} groups */
function remarksSection({ warnings }, groups) {
  const parts = groups
    .map(({ title, cells }) => ({ title, remarks: remarksOf(cells) }))
    .filter(({ remarks }) => remarks.length > 0);
  if (parts.length === 0 && warnings.length === 0) return null;
  return html`<section><h2 id="remarks">Skipped, failed and doubtful</h2>
${warnings.length > 0 && html`<ul>${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`}
${parts.map(
  ({ title, remarks }) =>
    html`${groups.length > 1 && html`<h3>${title}</h3>`}<ul>${remarks.map(
      ({ text, who }) => html`<li>${text}<br><span class="small">${who}</span></li>`,
    )}</ul>`,
)}</section>`;
}

/** All that is needed to measure it again. @param {Report} report */
function environmentSection(report) {
  const { environment, servers, placements, settings, seed, startedAt, finishedAt, tool } = report;
  const { os, arch, memoryBytes } = environment;
  const { value, warmupRuns } = settings;
  const runtimes = runtimesOf(report).map(({ name, v8 }) => `${name}, V8 ${v8}`);
  /** @type {[string, string][]} */
  const facts = [
    ['Machine', `${processorsText(environment)}, ${(memoryBytes / 1e9).toFixed(1)} GB, ${os}, ${arch}`],
    ['Node.js', runtimes.join('; ')],
    ['Packages', listed(usedPackages(report))],
    ...servers.flatMap((server, index) => serverFacts(server, serverTexts(report)[index])),
    ['Placement', placementTexts(placements).join('; ')],
    ['A run', `${lengthText(settings)}${value === 'text' ? '' : `; values are ${value}`}`],
    ['Runs', `${runsText(report)}, after ${warmupRuns} thrown away; order drawn with seed ${seed}`],
    ['Measured', `from ${timeText(startedAt)} to ${timeText(finishedAt)}, with ${tool.name} ${tool.version}`],
  ];
  return html`<section><h2 id="environment">Environment</h2><dl>${facts
    .filter(([, text]) => text !== '')
    .map(([title, text]) => html`<dt>${title}</dt><dd>${text}</dd>`)}</dl></section>`;
}

/** @param {ServerFacts} server @param {string} text @returns {[string, string][]} */
const serverFacts = ({ nodes, config }, text) => [
  ['Server', text],
  ['Its nodes', nodes?.join(', ') ?? ''],
  ['Its settings', listed(Object.entries(config).map(([name, value]) => [name, settingText(value)]))],
];

/** @param {string | null} value */
const settingText = (value) => (value === '' ? '""' : (value ?? '?'));

/** @param {Report} report */
function runsText({ cells, settings: { runs, untilStable } }) {
  if (cells.some(({ openLoop }) => openLoop?.search)) return 'of each rate until most agree';
  return `${untilStable === null ? '' : 'at least '}${runs} of each cell`;
}

/** @param {Report['settings']} settings */
function lengthText({ durationMs, iterations, runTimeMs }) {
  if (durationMs !== null) return `takes ${duration(durationMs * 1000)}`;
  if (typeof iterations === 'number') return `has ${whole(iterations)} iterations of each task`;
  if (iterations === 'auto')
    return `takes about ${duration(Number(runTimeMs) * 1000)} for the fastest cell of a group`;
  const { budget, perOperation, perByte } = iterations;
  return `has ${budget} / (${perOperation} + ${perByte} · size) iterations of each task`;
}

/** @param {string} iso */
const timeText = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
