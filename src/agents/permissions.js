import { UsageError } from '../errors.js';
import { labelOf, parseUrl } from '../server/target.js';

/** @import { Target } from '../server/types.js' */
/** @import { Allowed, Wants } from './types.js' */

const ANY_TARGET = 'any-target';

/**
 * What an agent may do for whoever can reach its queue: nothing but what its owner allows.
 *
 * @param {string[]} texts of --allow
 * @returns {Allowed}
 * @throws {UsageError}
 */
export function parseAllowed(texts) {
  const urls = texts.filter((text) => text.includes('://'));
  const words = texts.filter((text) => !text.includes('://'));
  const unknown = words.find((word) => ![ANY_TARGET, 'plugins', 'releases', 'node-bin'].includes(word));
  if (unknown !== undefined) {
    throw new UsageError(
      `--allow: expected a server's URL, ${ANY_TARGET}, plugins, releases or node-bin, got '${unknown}'`,
    );
  }
  return {
    targets: words.includes(ANY_TARGET) ? null : urls.map((url) => labelOf(parseUrl(url, '--allow'))),
    plugins: words.includes('plugins'),
    releases: words.includes('releases'),
    nodeBin: words.includes('node-bin'),
  };
}

/**
 * @param {Wants} wants
 * @param {Allowed} allowed
 * @returns {string[]} what is asked for and not allowed
 */
export function refusals({ targets, pluginFolders, releases, nodeBins }, allowed) {
  const { targets: known } = allowed;
  const strange = known === null ? [] : targets.filter((target) => !known.includes(target));
  return [
    ...strange.map((target) => `the server ${target} (--allow redis://${target})`),
    ...(allowed.plugins ? [] : pluginFolders.map((folder) => `plugins of ${folder} (--allow plugins)`)),
    ...(allowed.releases ? [] : releases.map((release) => `${release} (--allow releases)`)),
    ...(allowed.nodeBin ? [] : nodeBins.map((path) => `the Node binary ${path} (--allow node-bin)`)),
  ];
}

/**
 * @param {Target} target
 * @returns {string[]} where a worker connects to
 */
export const placesOf = (target) =>
  target.nodes === undefined
    ? [labelOf(target)]
    : target.nodes.map((node) => labelOf({ transport: target.transport, ...node }));

/** @param {Allowed} allowed @returns {string} for the person who started the agent */
export function allowedText({ targets, plugins, releases, nodeBin }) {
  const servers =
    targets === null ? 'any server' : targets.length === 0 ? 'no server (see --allow)' : targets.join(', ');
  const more = Object.entries({ plugins, releases, 'node-bin': nodeBin }).flatMap(([name, is]) =>
    is ? [name] : [],
  );
  return [servers, ...more].join(', ');
}
