/** @import { PluginKind } from './types.js' */

/**
 * The kinds of plugins that a user may write as a single file, by what the command line calls one, and the members
 * that tell them apart.
 *
 * @type {Record<string, {kind: PluginKind, members: string[]}>}
 */
export const OWN_KINDS = {
  client: { kind: 'clients', members: ['connect', 'like'] },
  scenario: { kind: 'scenarios', members: ['open', 'connections'] },
  workload: { kind: 'workloads', members: ['iterate', 'cycle'] },
  pipelining: { kind: 'pipelining', members: ['wrap', 'batchSize'] },
};

/** The client with which those of the other kinds are checked. */
export const CHECKED_WITH = 'ioredis';

/**
 * @param {unknown} exported what a file exports by default
 * @returns {string | undefined} which of `OWN_KINDS` it is
 */
export const ownKindOf = (exported) =>
  typeof exported === 'object' && exported !== null
    ? Object.keys(OWN_KINDS).find((name) => OWN_KINDS[name].members.some((member) => member in exported))
    : undefined;
