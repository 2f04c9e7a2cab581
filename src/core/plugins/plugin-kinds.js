/** @import { OptionGroup } from '../../options/types.js' */
/** @import { PluginKind } from './types.js' */

/**
 * @typedef {object} Kind
 * @property {string} noun for messages
 * @property {string} place a folder whose file names are ids, so that `--help` can list them without loading any
 * @property {string} [ids] where the place is one file with a list of all, which users cannot extend
 * @property {OptionGroup} group of their own options in the help
 * @property {Record<string, string>} [shape] members of a default export by type; `?` marks optional ones
 * @property {string[]} [oneOf] it needs one of these members
 * @property {{tells: string[], besides: string}} [own] if a user may write one as a single file. `tells`: members that only
 *   this kind has; `besides`: what to measure it with
 */

/** @type {Record<PluginKind, Kind>} */
export const PLUGIN_KINDS = {
  clients: {
    noun: 'client',
    place: './clients/',
    group: 'compare',
    shape: {
      'a text': 'id title constructs?',
      'an object': 'variants variantWords? switches? ownOptions?',
      'a set': 'capabilities',
      'a function': 'connect connectPool?',
    },
    own: { tells: ['connect', 'like'], besides: 'redis,ioredis' },
  },
  scenarios: {
    noun: 'scenario',
    place: '../../../scenarios/',
    group: 'compare',
    shape: {
      'a text': 'id title summary',
      'an object': 'ownOptions?',
      'a function': 'connections open conflict? words? requires? tasksAtOnce?',
    },
    own: { tells: ['open', 'connections'], besides: 'shared-connection,pool' },
  },
  workloads: {
    noun: 'workload',
    place: './workloads/',
    group: 'send',
    shape: {
      'a text': 'id title summary',
      'an object': 'ownOptions? account?',
      'a function':
        'parse? prepare? processes? titleOf? sizes? cycle? iterate? request? load? data? open? done?',
    },
    oneOf: ['cycle', 'iterate', 'open'],
    own: { tells: ['iterate', 'cycle'], besides: 'get' },
  },
  ways: {
    noun: 'way',
    place: './ways.js',
    ids: 'mget multi one-by-one parallel pipeline',
    group: 'compare',
  },
  pipelining: {
    noun: 'pipelining mode',
    place: './pipelining.js',
    ids: 'auto explicit implicit none window',
    group: 'compare',
  },
  suites: {
    noun: 'suite',
    place: './suites.js',
    ids:
      'connection-use default distance implicit-pipelining pipelining-test producer-consumer ' +
      'transport-pipe-size',
    group: 'compare',
  },
  formats: {
    noun: 'format',
    place: '../../formats/',
    group: 'print',
    shape: { 'a text': 'id summary', 'a function': 'print? render?' },
    oneOf: ['print', 'render'],
  },
};

export const KIND_NAMES = /** @type {PluginKind[]} */ (Object.keys(PLUGIN_KINDS));

/** What a user may write as a single file, by its noun. */
export const OWN_KINDS = Object.fromEntries(
  KIND_NAMES.flatMap((kind) => {
    const { noun, own } = PLUGIN_KINDS[kind];
    return own ? [[noun, { ...own, kind }]] : [];
  }),
);

/** The client for checks of the other kinds. */
export const CHECKED_WITH = 'ioredis';

/** @param {PluginKind} kind */
export const nounOf = (kind) => PLUGIN_KINDS[kind].noun;

/** @param {PluginKind} kind @param {any} plugin @returns {string[]} */
export function shapeErrors(kind, plugin) {
  if (typeOf(plugin) !== 'an object') {
    return [`expected a default export, an object such as 'export default { … }', got ${typeOf(plugin)}`];
  }
  const { shape = {}, oneOf } = PLUGIN_KINDS[kind];
  const wrong = Object.entries(shape).flatMap(([type, members]) =>
    members.split(' ').flatMap((each) => {
      const member = each.replace('?', '');
      const found = typeOf(plugin[member]);
      return found === type || (found === 'nothing' && member !== each)
        ? []
        : [`${member}: expected ${type}, got ${found}`];
    }),
  );
  for (const name of Object.keys(plugin.variants ?? {}))
    if (!/^[A-Za-z0-9][\w-]*$/.test(name))
      wrong.push(`variants: expected names of letters, digits and hyphens, got '${name}'`);
  if (oneOf === undefined || oneOf.some((member) => plugin[member] !== undefined)) return wrong;
  return [...wrong, `expected ${oneOf.slice(0, 2).join(' or ')}, a function, got neither`];
}

/** @param {unknown} value */
function typeOf(value) {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Set) return 'a set';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
