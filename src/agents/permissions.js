import { realpathSync } from 'node:fs';
import os from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { attempt, UsageError } from '../errors.js';
import { WORKER_BYTES } from '../plan/capacity.js';
import { labelOf, parseUrl } from '../server/target.js';

/** @import { Target } from '../server/types.js' */
/** @import { Allowed, Wants } from './types.js' */

export const ANY_TARGET = 'any-target';
/** What each word of --allow permits, as refusals name it. @type {Record<string, (wants: Wants) => string[]>} */
const WORDS = {
  plugins: ({ pluginFolders }) => pluginFolders.map((folder) => `plugins of ${folder}`),
  releases: ({ releases }) => releases,
  'node-bin': ({ nodeBins }) => nodeBins.map((path) => `the Node binary ${path}`),
};
const PROFILE = 'profile:';

/** Each takes tens of megabytes. */
const PROCESSES_PER_CPU = 8;

/** Worker processes that this machine can run. */
export const MOST_PROCESSES = {
  ofCell: PROCESSES_PER_CPU * os.availableParallelism(),
  inAll: Math.max(PROCESSES_PER_CPU * os.availableParallelism(), Math.floor(os.totalmem() / WORKER_BYTES)),
};

/** An agent does only what its owner allows. @param {string[]} texts of --allow @returns {Allowed} @throws {UsageError} */
export function parseAllowed(texts) {
  const profiles = texts.filter((text) => text.startsWith(PROFILE));
  const urls = texts.filter((text) => text.includes('://') && !profiles.includes(text));
  const words = texts.filter((text) => !urls.includes(text) && !profiles.includes(text));
  const known = [ANY_TARGET, ...Object.keys(WORDS)];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) {
    throw new UsageError(
      `--allow: expected a server's URL, ${known.join(', ')} or ${PROFILE}FOLDER, got ${unknown.includes('@') ? 'something without redis:// before it' : `'${unknown}'`}`,
    );
  }
  const targets = urls.map((url) => parseUrl(url, '--allow'));
  const inClear = targets.filter(({ transport }) => transport !== 'tls').map(labelOf);
  const labels = targets.map(labelOf);
  return {
    targets: words.includes(ANY_TARGET) ? null : labels,
    onlyTls: labels.filter((label) => !inClear.includes(label)),
    profiles: profiles.map((text) => resolve(text.slice(PROFILE.length))),
    words: known.filter((word) => words.includes(word)),
  };
}

/** @param {Wants} wants @param {Allowed} allowed @returns {string[]} what is asked for and not allowed */
export function refusals(wants, allowed) {
  const { targets, profiles, processes } = wants;
  const strange = targets.filter((target) => allowed.targets?.includes(target) === false);
  const { ofCell } = MOST_PROCESSES;
  const atMost = `at most ${ofCell}, ${PROCESSES_PER_CPU} for each processor`;
  const tooMany = processes <= ofCell ? [] : [`${processes} processes (${atMost})`];
  return [
    ...strange.map((target) => `the server ${target} (--allow redis://${target})`),
    ...Object.entries(WORDS).flatMap(([word, namesOf]) =>
      allowed.words.includes(word) ? [] : namesOf(wants).map((name) => `${name} (--allow ${word})`),
    ),
    ...profiles
      .filter((file) => !allowed.profiles.some((folder) => isWithin(folder, file)))
      .map((file) => `the profile ${file} (--allow ${PROFILE}FOLDER)`),
    ...tooMany,
  ];
}

/** Whether a file is in a folder, or is that folder, with all links followed. @param {string} folder @param {string} file */
export const isWithin = (folder, file) =>
  attempt(() => {
    const way = relative(realpathSync(folder), realpathSync(file));
    return !way.startsWith('..') && !isAbsolute(way);
  }, false);

/** @param {Target} target @returns {string[]} where a worker connects to */
export function placesOf({ nodes, replicas = [], ...target }) {
  const all = [...(nodes ?? []), ...replicas].map((node) =>
    labelOf({ transport: target.transport, ...node }),
  );
  return [...new Set([labelOf(target), ...all])];
}

/** @param {Allowed} allowed */
export function allowedText({ targets, words, profiles }) {
  const servers =
    targets === null ? 'any server' : targets.length === 0 ? 'no server (see --allow)' : targets.join(', ');
  const more = words.filter((word) => word !== ANY_TARGET);
  return [servers, ...more, ...profiles.map((folder) => `profiles of ${folder}`)].join(', ');
}
