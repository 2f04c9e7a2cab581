import { median } from 'simple-statistics';
import { count } from '../../axes/number-words.js';
import { factText } from './fact-words.js';

/** @import { Placement, Release } from '../../machine/types.js' */
/** @import { Report } from '../../results/types.js' */

/**
 * Where the figures come from, in short.
 * @param {Report} report @param {string[]} placements where server and workers ran, in the words of the format
 * @returns {string[]}
 */
export const originFacts = (report, placements) => [
  `Node ${runtimesText(report)}`,
  ...usedPackages(report).map((entry) => entry.join(' ')),
  ...ownFiles(report).map((entry) => entry.join(' ')),
  ...serverTexts(report),
  `${report.environment.cpuCount}x ${report.environment.cpuModel}`,
  ...placements,
  ...agentTexts(report),
  `seed ${report.seed}`,
];

/**
 * Where the load came from, and how nearly together it started.
 * @param {Pick<Report, 'agents' | 'cells'>} report @returns {string[]} none where it came from this machine
 */
function agentTexts({ agents = [], cells }) {
  if (agents.length === 0) return [];
  const skews = cells.flatMap(({ runs }) =>
    runs.flatMap(({ machines = [], startSkewMs = 0 }) => (machines.length > 1 ? [startSkewMs] : [])),
  );
  const apart =
    skews.length === 0
      ? ''
      : `, started ${ms(median(skews))} apart (median of ${count(skews.length, 'run')}; ${ms(Math.max(...skews))} at most)`;
  return [`load from ${count(agents.length, 'agent')} (${namesOf(agents.map(({ name }) => name))})${apart}`];
}

/** @param {string[][]} entries names and versions */
export const listed = (entries) => entries.map((entry) => entry.join(' ')).join(', ');

/** @param {string[]} names */
const namesOf = (names) =>
  names.length <= 4 ? names.join(', ') : `${names[0]} … ${names[names.length - 1]}`;

/** @param {number} value */
const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

/**
 * @param {Pick<Report, 'servers'>} report
 * @returns {string[]} each server in words; with its mode if there are several, and with its name unless that says no more
 */
export const serverTexts = ({ servers }) =>
  servers.map(({ kind, name, software, version, mode, replicas = [] }) => {
    const text = `${kind} ${software} ${version ?? '(version unknown)'}`;
    const showsMode =
      servers.some((other) => other.mode !== mode) || (name === undefined && servers.length > 1);
    const inBrackets = [
      ...(name === undefined || name === `${software} ${version}`.toLowerCase() ? [] : [name]),
      ...(showsMode ? [mode ?? 'mode unknown'] : []),
    ];
    const named = inBrackets.length > 0 ? `${text} (${inBrackets.join(', ')})` : text;
    if (replicas.length === 0) return named;
    return `${named} with ${count(replicas.length, 'replica')}`;
  });

/**
 * The client packages that a report has cells of, each release once, in the order of the cells.
 * @param {Pick<Report, 'cells'>} report @returns {[name: string, version: string][]}
 */
export function usedPackages({ cells }) {
  /** @type {Map<string, [string, string]>} */
  const packages = new Map();
  for (const { release } of cells) {
    if (release) packages.set(JSON.stringify(release), [release.package, versionText(release)]);
  }
  return [...packages.values()];
}

/**
 * @param {Pick<Report, 'environment'>} report
 * @returns {[name: string, hash: string][]} the user's own files, with the hash of their content
 */
export const ownFiles = ({ environment: { plugins = [] } }) =>
  plugins.map(({ file, hash }) => [file, `(${hash})`]);

/** @param {Release} release */
function versionText({ version, path, commit }) {
  const origin = [path, commit && `commit ${commit}`].filter(Boolean).join(', ');
  return origin === '' ? version : `${version} (${origin})`;
}

/**
 * What the workers ran on: the Node binaries that were asked for, or the tool's own.
 * @param {Report} report @returns {{name: string, v8: string}[]}
 */
export function runtimesOf({ cells, environment }) {
  const own = { name: environment.node, v8: environment.v8 };
  const runtimes = cells.map(({ runtime }) => runtime ?? own);
  return [...new Map(runtimes.map(({ name, v8 }) => [name, { name, v8 }])).values()];
}

/** @param {Report} report @returns {string} `24.1.0, 26.3.0` */
export const runtimesText = (report) =>
  runtimesOf(report)
    .map(({ name }) => name)
    .join(', ');

/** Where server and workers ran. @param {Placement[]} placements @returns {string[]} one each */
export const placementTexts = (placements) =>
  placements.map(({ pin, serverCpus, workerCpus, relayCpus, note }) => {
    const relay = relayCpus === undefined ? '' : `, relay on ${relayCpus.join(',')}`;
    const text = note
      ? factText(note)
      : `server on core ${serverCpus?.join(',')}, worker on ${workerCpus?.join(',')}${relay}`;
    return placements.length > 1 ? `${pin}: ${text}` : text;
  });
