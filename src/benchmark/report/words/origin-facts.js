import { median } from 'simple-statistics';
import { count } from '../../../axes/number-words.js';
import { milli, said } from '../../../core/report/figures.js';
import { factText } from './fact-words.js';

/** @import { Placement, Release } from '../../../core/machine/types.js' */
/** @import { Report } from '../../../core/store/types.js' */

/** @param {Report['environment']} environment @returns {string} `2x Intel Xeon`, `2 CPUs` where the model is unknown */
export const processorsText = ({ cpuCount, cpuModel }) =>
  cpuModel === 'unknown' ? count(cpuCount, 'CPU') : `${cpuCount}x ${cpuModel}`;

/** Where the figures come from. @param {Report} report @param {string[]} placements where server and workers ran */
export const originFacts = (report, placements) => [
  `Node ${runtimesText(report)}`,
  ...usedPackages(report).map((entry) => entry.join(' ')),
  ...serverTexts(report),
  processorsText(report.environment),
  ...placements,
  ...(report.waking ? [factText(report.waking)] : []),
  ...agentTexts(report),
  `seed ${report.seed}`,
];

/** Where the load came from, if not from this machine, and how far apart it started. @param {Pick<Report, 'agents' | 'cells'>} report */
function agentTexts({ agents = [], cells }) {
  if (agents.length === 0) return [];
  const skews = cells.flatMap(({ runs }) =>
    runs.flatMap(({ machines = [], startSkewMs = 0 }) => (machines.length > 1 ? [startSkewMs] : [])),
  );
  const apart =
    skews.length === 0
      ? ''
      : `, started ${milli(median(skews))} apart (median of ${count(skews.length, 'run')}; ${milli(Math.max(...skews))} at most)`;
  const names = agents.map(({ name }) => name);
  const who = names.length <= MOST_NAMED ? names.join(', ') : `${names[0]} … ${names.at(-1)}`;
  return [`load from ${count(agents.length, 'agent')} (${who})${apart}`];
}

const MOST_NAMED = 4;

/** @param {string[][]} entries names and versions */
export const listed = (entries) => entries.map((entry) => entry.join(' ')).join(', ');

/**
 * @param {Pick<Report, 'servers'>} report
 * @returns {string[]} each server in words; with its mode if there are several, and with its name unless that says no more
 */
export const serverTexts = ({ servers }) =>
  servers.map(({ kind, name, software, version, mode, replicas = [] }) => {
    const text = `${kind} ${software} ${version ?? '(version unknown)'}`;
    const showsMode =
      servers.some((other) => other.mode !== mode) || (name === undefined && servers.length > 1);
    const inBrackets = said([
      name !== undefined && name !== `${software} ${version}`.toLowerCase() && name,
      showsMode && (mode ?? 'mode unknown'),
    ]).join(', ');
    const copies = replicas.length > 0 ? ` with ${count(replicas.length, 'replica')}` : '';
    return `${text}${inBrackets && ` (${inBrackets})`}${copies}`;
  });

/** Each release of a client once. @param {Pick<Report, 'cells'>} report @returns {string[][]} names and versions */
export function usedPackages({ cells }) {
  const releases = new Map(cells.map(({ release }) => [JSON.stringify(release), release]));
  return [...releases.values()].flatMap((release) =>
    release ? [[release.package, versionText(release)]] : [],
  );
}

/** @param {Release} release */
function versionText({ version, path, commit }) {
  const origin = [path, commit && `commit ${commit}`].filter(Boolean).join(', ');
  return `${version}${origin && ` (${origin})`}`;
}

/** The Node binaries that were asked for, or the tool's own. @param {Report} report @returns {{name: string, v8: string}[]} */
export function runtimesOf({ cells, environment }) {
  const runtimes = cells.map(({ runtime }) => runtime ?? { name: environment.node, v8: environment.v8 });
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
