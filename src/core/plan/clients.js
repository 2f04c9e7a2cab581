import { clientKey } from '../../axes/client.js';
import { parseClient } from '../../options/client-names.js';
import { choicesOf, knownName } from '../../options/plugin-names.js';

/** @import { Release } from '../machine/types.js' */
/** @import { Settings } from '../../options/types.js' */
/** @import { Catalogue } from '../plugins/types.js' */
/** @import { AskedClient, ReadNames } from './types.js' */

/**
 * Parses every name before anything is looked up.
 * @param {Settings} settings @param {Catalogue} catalogue
 * @param {Parameters<typeof parseClient>[2]} [variants] the user's own @returns {ReadNames} @throws {UsageError}
 */
export function readNames(settings, catalogue, variants) {
  for (const name of settings.scenarios) knownName('scenario', name, catalogue.scenarios.keys());
  return {
    chosen: choicesOf(settings, catalogue),
    clients: settings.clients.map((name) => parseClient(name, catalogue.clients, variants)),
  };
}

/** @param {AskedClient[]} asked @param {Map<string, Release>} releases by `redis@5.8` @param {Catalogue} catalogue */
export function chooseClients(asked, releases, catalogue) {
  const clients = asked.map((each) => withRelease(each, releases, catalogue));
  const keys = clients.map(clientKey);
  // A client that is named twice is measured twice: an A/A comparison.
  return clients.map((each, index) => ({
    ...each,
    copy: keys.slice(0, index + 1).filter((key) => key === keys[index]).length,
  }));
}

/** @param {AskedClient} asked @param {Map<string, Release>} releases @param {Catalogue} catalogue */
function withRelease({ client, variant, wanted, own }, releases, { clients, packages }) {
  const name = clients.get(client)?.package ?? null;
  const chosen = { client, variant, ...(own && { ownVariant: own }) };
  if (wanted === null) {
    const installed = name !== null && name in packages;
    const release = installed
      ? { package: name, version: packages[name], path: null, entry: null, commit: null }
      : null;
    return { ...chosen, version: null, release };
  }
  const release = /** @type {Release} */ (releases.get(`${client}@${wanted}`));
  // A checkout often has the version of the release that it was made from.
  return { ...chosen, version: release.path === null ? release.version : wanted, release };
}
