import { whole } from '../text/figures.js';
import { placementTexts } from '../text/placement.js';
import { html } from './markup.js';

/**
 * Where and how it was measured: what someone needs who wants to measure it again.
 *
 * @param {import('../types.js').Report} report
 */
export function environmentSection({
  environment,
  server,
  placements,
  settings,
  seed,
  startedAt,
  finishedAt,
  tool,
}) {
  const { node, v8, os, arch, cpuCount, cpuModel, memoryBytes, packages } = environment;
  const config = Object.entries(server.config).map(
    ([name, value]) => `${name} ${value === '' ? '""' : (value ?? '?')}`,
  );
  /** @type {[string, string][]} */
  const facts = [
    ['Machine', `${cpuCount} × ${cpuModel}, ${(memoryBytes / 1e9).toFixed(1)} GB, ${os}, ${arch}`],
    ['Node.js', `${node}, V8 ${v8}`],
    [
      'Packages',
      Object.entries(packages)
        .map((entry) => entry.join(' '))
        .join(', '),
    ],
    [
      'Server',
      `${server.kind} ${server.software} ${server.version ?? '(version unknown)'}${server.mode ? `, ${server.mode}` : ''}`,
    ],
    ['Its nodes', server.nodes?.join(', ') ?? ''],
    ['Its settings', config.join(', ')],
    ['Placement', placementTexts(placements).join('; ')],
    ['A run', lengthText(settings)],
    [
      'Runs',
      `${settings.runs} of each cell, after ${settings.warmupRuns} thrown away; order drawn with seed ${seed}`,
    ],
    ['Measured', `from ${timeText(startedAt)} to ${timeText(finishedAt)}, with ${tool.name} ${tool.version}`],
  ];
  return html`<section><h2 id="environment">Environment</h2><dl>${facts
    .filter(([, text]) => text !== '')
    .map(([title, text]) => html`<dt>${title}</dt><dd>${text}</dd>`)}</dl></section>`;
}

/** @param {import('../types.js').Report['settings']} settings */
function lengthText({ durationMs, iterations, runTimeMs, value }) {
  const values = value === 'text' ? '' : `; values are ${value}`;
  if (durationMs !== null) return `takes ${whole(durationMs)} ms${values}`;
  if (typeof iterations === 'number') return `has ${whole(iterations)} iterations of each task${values}`;
  if (iterations === 'auto')
    return `takes about ${whole(runTimeMs)} ms for the fastest cell of a group${values}`;
  const { budget, perOperation, perByte } = iterations;
  return `has ${budget} / (${perOperation} + ${perByte} · size) iterations of each task${values}`;
}

/** @param {string} iso */
export const timeText = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
