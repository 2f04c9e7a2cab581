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

/**
 * What a plugin's default export must have, and of which type it must be if it has it: `?` marks what it may lack.
 *
 * @type {Record<PluginKind, Record<string, string>>}
 */
const SHAPES = {
  clients: {
    id: 'a text',
    title: 'a text',
    variants: 'an object',
    variantWords: 'an object?',
    capabilities: 'a set',
    switches: 'an object?',
    ownOptions: 'an object?',
    connect: 'a function',
    connectPool: 'a function?',
  },
  scenarios: {
    id: 'a text',
    title: 'a text',
    summary: 'a text',
    ownOptions: 'an object?',
    conflict: 'a function?',
    words: 'a function?',
    requires: 'a function?',
    connections: 'a function',
    tasksAtOnce: 'a function?',
    open: 'a function',
  },
  pipelining: {
    id: 'a text',
    title: 'a text',
    summary: 'a text',
    ownOptions: 'an object?',
    requires: 'a list?',
    parse: 'a function?',
    batchSize: 'a function?',
    wrap: 'a function?',
  },
  workloads: {
    id: 'a text',
    title: 'a text',
    summary: 'a text',
    ownOptions: 'an object?',
    parse: 'a function?',
    prepare: 'a function?',
    processes: 'a function?',
    titleOf: 'a function?',
    sizes: 'a function?',
    cycle: 'a function?',
    iterate: 'a function?',
    load: 'a function?',
    data: 'a function?',
    open: 'a function?',
  },
  suites: { id: 'a text', title: 'a text', summary: 'a text', options: 'an object' },
  formats: { id: 'a text', summary: 'a text', render: 'a function' },
};

/** What stands for something that a kind needs one of. @type {Partial<Record<PluginKind, string[]>>} */
const ONE_OF = { workloads: ['cycle', 'iterate', 'open'] };

/**
 * @param {PluginKind} kind
 * @param {any} plugin
 * @returns {string[]} one complaint for each member that is missing or of the wrong type
 */
export function shapeErrors(kind, plugin) {
  if (typeOf(plugin) !== 'an object') {
    return [`expected a default export, an object such as 'export default { … }', got ${typeOf(plugin)}`];
  }
  const wrong = Object.entries(SHAPES[kind]).flatMap(([member, shape]) => {
    const type = shape.replace('?', '');
    const found = typeOf(plugin[member]);
    if (found === type || (found === 'nothing' && type !== shape)) return [];
    return [`${member}: expected ${type}, got ${found}`];
  });
  if (kind === 'clients') wrong.push(...variantErrors(plugin.variants));
  const alternatives = ONE_OF[kind] ?? [];
  if (alternatives.length === 0 || alternatives.some((member) => plugin[member] !== undefined)) return wrong;
  return [...wrong, `expected ${alternatives.slice(0, 2).join(' or ')}, a function, got neither`];
}

/** As a cell's name can hold it. */
const VARIANT = /^[A-Za-z0-9][\w-]*$/;

/** @param {unknown} variants @returns {string[]} */
const variantErrors = (variants) =>
  Object.keys(variants ?? {})
    .filter((name) => !VARIANT.test(name))
    .map((name) => `variants: expected names of letters, digits and hyphens, got '${name}'`);

/** @param {unknown} value */
function typeOf(value) {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Set) return 'a set';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' || typeof value === 'undefined' ? 'an object' : `a ${typeof value}`;
}
