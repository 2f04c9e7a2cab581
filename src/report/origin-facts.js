import { clientName } from '../axes/cell-names.js';
import { durationOfCommand, ORIGINS_OF_COMMANDS } from '../commands/words.js';
import { count } from '../numbers.js';
import { factText } from './fact-words.js';
import { duration, said, spanText } from './figures.js';

/** @import { Placement } from '../machine/types.js' */
/** @import { Grid } from './types.js' */
/** @import { Report } from '../store/types.js' */

/** @param {Report['environment']} environment @returns {string} `2x Intel Xeon`, `2 CPUs` where the model is unknown */
export const processorsText = ({ cpuCount, cpuModel }) =>
  cpuModel === 'unknown' ? count(cpuCount, 'CPU') : `${cpuCount}x ${cpuModel}`;

/** Where the figures come from, but for what every title says and what nobody can change. @param {Report} report */
export function originFacts(report) {
  const { servers, placements, environment } = report;
  const isPinned = placements.length === 1 && placements[0].note === null;
  return [
    `Node ${runtimesText(report)}`,
    ...usedPackages(report).map((entry) => entry.join(' ')),
    ...(servers.length > 1 || servers[0].kind !== 'managed' ? serverTexts(report) : []),
    processorsText(environment).replaceAll(/\((?:R|TM)\)| Processor$/g, ''),
    ...(isPinned ? [] : placementTexts(placements)),
    ...importedIn(report).map(([name, how]) => `${name} instruments ${Object.keys(how).join(', ')}`),
    ...(environment.nodeOptions ? [`NODE_OPTIONS ${environment.nodeOptions}`] : []),
    ...ORIGINS_OF_COMMANDS.flatMap((textsOf) => textsOf(report)),
  ];
}

/** @param {string[][]} entries names and versions */
export const listed = (entries) => entries.map((entry) => entry.join(' ')).join(', ');

/**
 * @param {Pick<Report, 'servers'>} report
 * @returns {string[]} each server in words; with its mode if there are several, and with its name unless that says no more
 */
const serverTexts = ({ servers }) =>
  servers.map(({ kind, name, software, version, mode, replicas = [], roundTripUs, sameAs }) => {
    const text = `${kind} ${software} ${version ?? '(version unknown)'}`;
    const showsMode =
      servers.some((other) => other.mode !== mode) || (name === undefined && servers.length > 1);
    const inBrackets = said([
      name !== undefined && name !== `${software} ${version}`.toLowerCase() && name,
      showsMode && (mode ?? 'mode unknown'),
      roundTripUs !== undefined && `round trip ${duration(roundTripUs)}`,
      sameAs !== undefined && `the same process as ${sameAs}`,
    ]).join(', ');
    const copies = replicas.length > 0 ? ` with ${count(replicas.length, 'replica')}` : '';
    return `${text}${inBrackets && ` (${inBrackets})`}${copies}`;
  });

/** @param {Pick<Report, 'cells'>} report @returns {string[][]} names and versions */
export function usedPackages({ cells }) {
  const releases = new Map(cells.map(({ release }) => [JSON.stringify(release), release]));
  return [...releases.values()].flatMap((release) => {
    if (!release) return [];
    const { version, path, commit } = release;
    const origin = [path, commit && `commit ${commit}`].filter(Boolean).join(', ');
    return [[release.package, `${version}${origin && ` (${origin})`}`]];
  });
}

/** The Node binaries that were asked for, or the tool's own. @type {(report: Report) => {name: string, v8: string}[]} */
export function runtimesOf({ cells, environment }) {
  const runtimes = cells.map(({ runtime }) => runtime ?? { name: environment.node, v8: environment.v8 });
  return [...new Map(runtimes.map(({ name, v8 }) => [name, { name, v8 }])).values()];
}

/** @param {Report} report @returns {string} `24.1.0, 26.3.0` */
export const runtimesText = (report) =>
  runtimesOf(report)
    .map(({ name }) => name)
    .join(', ');

/** What modules were found to do, by their names: which clients they change, and by what. @param {Pick<Report, 'cells'>} report */
function importedIn({ cells }) {
  /** @type {Record<string, Record<string, string>>} */
  const found = {};
  for (const { imported, ...cell } of cells) {
    const { name = '', instruments = [] } = imported ?? {};
    if (instruments.length > 0)
      found[name] = { ...found[name], [clientName({ ...cell, copy: 1 })]: instruments.join(', ') };
  }
  return Object.entries(found);
}

/** @param {Placement[]} placements @returns {string[]} one each */
const placementTexts = (placements) =>
  placements.map(({ pin, serverCpus, workerCpus, relayCpus, note }) => {
    const relay = relayCpus === undefined ? '' : `, relay on ${relayCpus.join(',')}`;
    const text = note
      ? factText(note)
      : `server on core ${serverCpus?.join(',')}, worker on ${workerCpus?.join(',')}${relay}`;
    return placements.length > 1 ? `${pin}: ${text}` : text;
  });

/** All that is needed to measure it again. @type {(report: Report) => Grid} */
export function environmentGrid(report) {
  const { environment, servers, settings, seed, startedAt, finishedAt, tool, waking } = report;
  const { os, arch, memoryBytes, nodeOptions } = environment;
  const runtimes = runtimesOf(report).map(({ name, v8 }) => `${name}, V8 ${v8}`);
  const facts = [
    ['machine', `${processorsText(environment)}, ${(memoryBytes / 1e9).toFixed(1)} GB, ${os}, ${arch}`],
    ['Node.js', runtimes.join('; ')],
    ['NODE_OPTIONS', nodeOptions ? `${nodeOptions} (in workers, and in the tool's main process)` : ''],
    ...importedIn(report).map(([name, how]) => [
      name,
      Object.entries(how)
        .map(([client, by]) => `${client}: ${by}`)
        .join('; '),
    ]),
    ['packages', listed(usedPackages(report))],
    ...servers.flatMap(({ nodes, config }, index) => {
      const set = Object.entries(config).map(([name, value]) => [name, value || (value === '' ? '""' : '?')]);
      const [server, settingsText] = [serverTexts(report)[index], listed(set)];
      return [
        ['server', server],
        ['its nodes', nodes?.join(', ') ?? ''],
        ['its settings', settingsText],
      ];
    }),
    ['placement', placementTexts(report.placements).join('; ')],
    ['idle CPUs', waking ? factText(waking) : ''],
    ['a run', `${lengthText(report)}${settings.value === 'text' ? '' : `; values are ${settings.value}`}`],
    ['before it', `${count(settings.warmupRuns, 'run')} thrown away; order drawn with seed ${seed}`],
    ['measured', `from ${timeText(startedAt)} to ${timeText(finishedAt)}, with ${tool.name} ${tool.version}`],
  ];
  const rows = facts.filter(([, text]) => text !== '').map(([name, text]) => ({ name, texts: [text] }));
  return { columns: [{ title: '', align: 'left' }], rows };
}

/** @param {Pick<Report, 'settings' | 'cells'>} report */
function lengthText({ settings: { durationMs, iterations, runTimeMs }, cells }) {
  const shortestMs = Math.min(...cells.map((cell) => durationOfCommand(cell) ?? Number(durationMs)));
  if (durationMs !== null)
    return `takes ${spanText(duration(shortestMs * 1000), duration(durationMs * 1000), ' to ')}`;
  if (typeof iterations === 'number') return `has ${count(iterations, 'iteration')} of each task`;
  if (iterations === 'auto')
    return `takes about ${duration(Number(runTimeMs) * 1000)} for the fastest cell of a group`;
  const { budget, perOperation, perByte } = iterations;
  return `has ${budget} / (${perOperation} + ${perByte} · size) iterations of each task`;
}

/** @param {string} iso */
const timeText = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
