import { isDeepStrictEqual } from 'node:util';
import { declarationsOf } from '../declared-types.js';
import { UsageError } from '../errors.js';
import { assertKnownName } from './plugin-names.js';
import { isObject } from './values.js';

/** @import { ClientPlugin } from '../plugins/types.js' */
/** @import { Package, Type } from '../declared-types.js' */
/** @import { Topology } from './types.js' */

/** @type {Topology[]} */
const TOPOLOGIES = ['standalone', 'cluster', 'sentinel'];

/**
 * @typedef {object} Measured what is measured of a client
 * @property {ClientPlugin} client
 * @property {string | null} version of its package
 * @property {string | null} main the path of its package's main file
 */

/**
 * An option that a client does not know would do nothing, and its cell would get a row like any other.
 * @param {Record<string, unknown>} options as JSON @param {string} source their name in errors @param {Measured} measured
 * @param {Topology[]} topologies
 * @returns {string[]} the options that nothing says what they take @throws {UsageError} for one that the client does not take
 */
export function checkDeclared(options, source, { client, version, main }, topologies) {
  if (client.floor || Object.keys(options).length === 0) return [];
  const among = comparing(options, client, main);
  const [best] = topologies.flatMap((each) => among(each) ?? []).sort(byFewestWrong);
  if (best === undefined) return Object.keys(options);
  const [wrong] = best.wrong;
  if (wrong === undefined) return best.unchecked;
  const path = wrong.path.join('.');
  const name = `${client.id} ${version}`;
  if (wrong.expected !== null) {
    throw new UsageError(
      `${source}: expected '${path}' of ${name} to be ${wrong.expected}, got ${JSON.stringify(wrong.value)}`,
    );
  }
  const elsewhere = TOPOLOGIES.find((each) =>
    among(each)?.wrong.every(
      (other) => !isDeepStrictEqual(other.path, wrong.path.slice(0, other.path.length)),
    ),
  );
  if (elsewhere !== undefined) {
    throw new UsageError(
      `${source}: '${path}' does nothing with --topology ${topologies.join()}: ${name} has it for --topology ${elsewhere}`,
    );
  }
  const known = wrong.known.map((each) => [...wrong.path.slice(0, -1), each].join('.'));
  assertKnownName(`option of ${name} in ${source}`, path, known);
  return [];
}

/**
 * @param {string} variant @param {Measured} measured
 * @returns {string[]} what the variant sets, and this release of the client does not have
 */
export function missingIn(variant, { client, main }) {
  const among = comparing(client.variants[variant], client, main);
  const [best] = TOPOLOGIES.flatMap((each) => among(each) ?? []).sort(byFewestWrong);
  return (best?.wrong ?? []).map(({ path }) => path.join('.'));
}

/**
 * @param {Record<string, unknown>} options @param {ClientPlugin} client @param {string | null} main
 * @returns {(topology: Topology) => Compared | null} null where nothing is declared
 */
function comparing(options, { declares = {} }, main) {
  const declarations = main === null ? null : declarationsOf(main);
  if (declarations === null) return () => null;
  return (topology) => {
    const names = declares[topology];
    const types = names ? declarations.named(names) : null;
    return types && compare(options, types, [], declarations.alternatives);
  };
}

/**
 * @typedef {{path: string[], expected: string | null, value: unknown, known: string[]}} Wrong `expected`: null where its name
 *   is wrong, which is none of the `known`
 * @typedef {{wrong: Wrong[], unchecked: string[]}} Compared
 */

/**
 * @param {unknown} value @param {Type[]} types any of which it may have @param {string[]} path to it
 * @param {(type: Type) => Type[]} alternatives @returns {Compared}
 */
function compare(value, types, path, alternatives) {
  // JSON has no other way to say that an option is not set.
  if (value === null || value === undefined) return { wrong: [], unchecked: [] };
  const [best] = types.map((type) => compareOne(value, type, path, alternatives)).sort(byFewestWrong);
  const isOfWrongKind = best?.wrong.length > 0 && best.wrong.every((wrong) => wrong.path === path);
  if (!isOfWrongKind) return best ?? { wrong: [], unchecked: [path.join('.')] };
  return { wrong: [{ path, expected: typesText(types), value, known: [] }], unchecked: [] };
}

/** @param {unknown} value @param {Type} type @param {string[]} path @param {(type: Type) => Type[]} alternatives @returns {Compared} */
function compareOne(value, type, path, alternatives) {
  const below = (/** @type {Type} */ each, /** @type {unknown} */ part, /** @type {string} */ name) =>
    compare(part, alternatives(each), [...path, name], alternatives);
  switch (type.is) {
    case 'unknown':
      return { wrong: [], unchecked: [path.join('.')] };
    case 'all':
      return joined(type.of.map((each) => compareOne(value, each, path, alternatives)));
    case 'object': {
      if (!isObject(value)) break;
      const { members, others } = type;
      const parts = Object.entries(value).map(([name, part]) => {
        const member = members.get(name) ?? others;
        if (member) return below(member, part, name);
        const known = [...members.keys()];
        return { wrong: [{ path: [...path, name], expected: null, value: part, known }], unchecked: [] };
      });
      return joined(parts);
    }
    case 'array':
      if (!Array.isArray(value)) break;
      return joined(value.map((item, index) => below(type.of, item, `${index}`)));
    case 'value':
      if (value === type.value) return { wrong: [], unchecked: [] };
      break;
    case 'code':
      if (typeof value === 'function') return { wrong: [], unchecked: [] };
      break;
    case 'primitive':
      if (typeof value === type.name) return { wrong: [], unchecked: [] };
      break;
  }
  return { wrong: [{ path, expected: '', value, known: [] }], unchecked: [] };
}

/** @param {Compared[]} parts @returns {Compared} */
const joined = (parts) => ({
  wrong: parts.flatMap(({ wrong }) => wrong),
  unchecked: parts.flatMap(({ unchecked }) => unchecked),
});

/** What is right down to a deeper place comes first. @param {Compared} one @param {Compared} other */
const byFewestWrong = (one, other) =>
  one.wrong.length - other.wrong.length ||
  deepest(other) - deepest(one) ||
  one.unchecked.length - other.unchecked.length;

/** @param {Compared} compared */
const deepest = ({ wrong }) => Math.max(0, ...wrong.map(({ path }) => path.length));

/** @param {Type[]} types @returns {string} `a number or false` */
function typesText(types) {
  const texts = types.flatMap((type) => (type.is === 'all' ? type.of : [type])).map(typeText);
  const all = [...new Set(texts)].filter((text) => text !== '');
  if (all.includes('true') && all.includes('false')) return 'true or false';
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

/** @param {Type} type @returns {string} empty where no value has it */
function typeText(type) {
  if (type.is === 'value') return type.value === null ? '' : JSON.stringify(type.value);
  if (type.is === 'array') return 'a list';
  if (type.is === 'code') return 'a function, which cannot be given here';
  if (type.is === 'object') return `an object with ${[...type.members.keys()].slice(0, 6).join(', ')}`;
  if (type.is !== 'primitive') return '';
  return { string: 'text', number: 'a number', boolean: 'true or false' }[type.name] ?? '';
}
