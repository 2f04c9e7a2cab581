import { realpathSync } from 'node:fs';
import os from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { labelOf, parseUrl } from '../server/target.js';

/** @import { Target } from '../server/types.js' */
/** @import { Allowed, Wants } from './types.js' */

export const ANY_TARGET = 'any-target';
const WORDS = [ANY_TARGET, 'plugins', 'releases', 'node-bin'];
const PROFILE = 'profile:';

/** Enough for any question about processes; each takes tens of megabytes. */
const PROCESSES_PER_CPU = 8;
/** Of all cells that are interleaved. What a worker takes was measured, see turns.js of plan. */
const WORKER_BYTES = 40e6;

/** What this machine bears: worker processes of one cell, and of all cells at once. */
export const MOST_PROCESSES = {
  ofCell: PROCESSES_PER_CPU * os.availableParallelism(),
  inAll: Math.max(PROCESSES_PER_CPU * os.availableParallelism(), Math.floor(os.totalmem() / WORKER_BYTES)),
};

/**
 * What an agent may do for whoever can reach its queue: nothing but what its owner allows.
 * @param {string[]} texts of --allow @returns {Allowed} @throws {UsageError}
 */
export function parseAllowed(texts) {
  const profiles = texts.filter((text) => text.startsWith(PROFILE));
  const urls = texts.filter((text) => text.includes('://') && !profiles.includes(text));
  const words = texts.filter((text) => !urls.includes(text) && !profiles.includes(text));
  const unknown = words.find((word) => !WORDS.includes(word));
  if (unknown !== undefined) {
    throw new UsageError(
      `--allow: expected a server's URL, ${ANY_TARGET}, plugins, releases, node-bin or ${PROFILE}FOLDER, got '${unknown}'`,
    );
  }
  const targets = urls.map((url) => parseUrl(url, '--allow'));
  const inClear = targets.filter(({ transport }) => transport !== 'tls').map(labelOf);
  const labels = targets.map(labelOf);
  return {
    targets: words.includes(ANY_TARGET) ? null : labels,
    onlyTls: labels.filter((label) => !inClear.includes(label)),
    profiles: profiles.map((text) => resolve(text.slice(PROFILE.length))),
    plugins: words.includes('plugins'),
    releases: words.includes('releases'),
    nodeBin: words.includes('node-bin'),
  };
}

/** @param {Wants} wants @param {Allowed} allowed @returns {string[]} what is asked for and not allowed */
export function refusals({ targets, pluginFolders, releases, nodeBins, profiles, processes }, allowed) {
  const { targets: known } = allowed;
  const strange = known === null ? [] : targets.filter((target) => !known.includes(target));
  return [
    ...strange.map((target) => `the server ${target} (--allow redis://${target})`),
    ...(allowed.plugins ? [] : pluginFolders.map((folder) => `plugins of ${folder} (--allow plugins)`)),
    ...(allowed.releases ? [] : releases.map((release) => `${release} (--allow releases)`)),
    ...(allowed.nodeBin ? [] : nodeBins.map((path) => `the Node binary ${path} (--allow node-bin)`)),
    ...profiles
      .filter((file) => !allowed.profiles.some((folder) => isWithin(folder, file)))
      .map((file) => `the profile ${file} (--allow ${PROFILE}FOLDER)`),
    ...(processes <= MOST_PROCESSES.ofCell
      ? []
      : [
          `${processes} processes (at most ${MOST_PROCESSES.ofCell}, ${PROCESSES_PER_CPU} for each processor)`,
        ]),
  ];
}

/**
 * @param {string} folder @param {string} file
 * @returns {boolean} whether it is in there, or the same, with all links followed
 */
export function isWithin(folder, file) {
  try {
    const way = relative(realpathSync(folder), realpathSync(file));
    return !way.startsWith('..') && !isAbsolute(way);
  } catch {
    return false;
  }
}

/** @param {Target} target @returns {string[]} where a worker connects to */
export function placesOf({ nodes, replicas = [], ...target }) {
  const all = [...(nodes ?? []), ...replicas].map((node) =>
    labelOf({ transport: target.transport, ...node }),
  );
  return [...new Set([labelOf(target), ...all])];
}

/** @param {Allowed} allowed @returns {string} for the person who started the agent */
export function allowedText({ targets, plugins, releases, nodeBin, profiles }) {
  const servers =
    targets === null ? 'any server' : targets.length === 0 ? 'no server (see --allow)' : targets.join(', ');
  const more = Object.entries({ plugins, releases, 'node-bin': nodeBin }).flatMap(([name, is]) =>
    is ? [name] : [],
  );
  return [servers, ...more, ...profiles.map((folder) => `profiles of ${folder}`)].join(', ');
}
