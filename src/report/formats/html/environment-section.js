import { duration } from '../../../axes/number-words.js';
import { whole } from '../../words/figures.js';
import {
  listed,
  ownFiles,
  placementTexts,
  runtimesOf,
  serverTexts,
  usedPackages,
} from '../../words/origin-facts.js';
import { html } from './markup.js';

/** @import { Report } from '../../../results/types.js' */
/** @import { ServerFacts } from '../../../server/types.js' */

/** Where and how it was measured: everything needed to measure it again. @param {Report} report */
export function environmentSection(report) {
  const { environment, servers, placements, settings, seed, startedAt, finishedAt, tool } = report;
  const { os, arch, cpuCount, cpuModel, memoryBytes } = environment;
  const runtimes = runtimesOf(report).map(({ name, v8 }) => `${name}, V8 ${v8}`);
  /** @type {[string, string][]} */
  const facts = [
    ['Machine', `${cpuCount} × ${cpuModel}, ${(memoryBytes / 1e9).toFixed(1)} GB, ${os}, ${arch}`],
    ['Node.js', runtimes.join('; ')],
    ['Packages', listed(usedPackages(report))],
    ['Your files', listed(ownFiles(report))],
    ...servers.flatMap((server, index) => serverFacts(server, serverTexts(report)[index])),
    ['Placement', placementTexts(placements).join('; ')],
    ['A run', lengthText(settings)],
    ['Runs', `${runsText(report)}, after ${settings.warmupRuns} thrown away; order drawn with seed ${seed}`],
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
  [
    'Its settings',
    Object.entries(config)
      .map(([name, value]) => `${name} ${value === '' ? '""' : (value ?? '?')}`)
      .join(', '),
  ],
];

/** @param {Report} report */
function runsText({ cells, settings: { runs, untilStable } }) {
  if (cells.some(({ openLoop }) => openLoop?.search)) return 'of each rate until most agree';
  return `${untilStable === null ? '' : 'at least '}${runs} of each cell`;
}

/** @param {Report['settings']} settings */
function lengthText({ durationMs, iterations, runTimeMs, value }) {
  const values = value === 'text' ? '' : `; values are ${value}`;
  if (durationMs !== null) return `takes ${duration(durationMs * 1000)}${values}`;
  if (typeof iterations === 'number') return `has ${whole(iterations)} iterations of each task${values}`;
  if (iterations === 'auto')
    return `takes about ${duration(Number(runTimeMs) * 1000)} for the fastest cell of a group${values}`;
  const { budget, perOperation, perByte } = iterations;
  return `has ${budget} / (${perOperation} + ${perByte} · size) iterations of each task${values}`;
}

/** @param {string} iso */
export const timeText = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
