import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tryOr } from './errors.js';
import { readBoundedSync } from './process/read-file.js';

/**
 * Reads what a package's type declarations (.d.ts) say of its options, so that no list of them is kept here. It knows as
 * much of TypeScript as the types of options use. What it cannot read is `unknown`.
 */

/**
 * @typedef {{is: 'value', value: unknown} | {is: 'primitive', name: string} | {is: 'code'} | {is: 'unknown'}
 *   | {is: 'array', of: Type} | {is: 'union' | 'all', of: Type[]} | Reference | ObjectType} Type
 *   `code` is a function or an instance of a class, which no JSON can hold
 * @typedef {{is: 'reference', name: string, from?: string, args: Type[], scope: Scope}} Reference
 * @typedef {{is: 'object', members: Map<string, Type>, others: Type | null, extended: Type[]}} ObjectType with `others`
 *   under any other name
 * @typedef {{file: string, parameters: Map<string, Type>}} Scope where a name in a type is looked up
 */

/** node:net and node:tls have their own declarations in a package that few programs have. */
const NODE_SOCKETS = fileURLToPath(new URL('./process/node-sockets.d.ts', import.meta.url));
/** @type {Type} */
const UNKNOWN = { is: 'unknown' };
/** @type {Type} */
const CODE = { is: 'code' };
const PRIMITIVES = new Set([
  'string',
  'number',
  'boolean',
  'bigint',
  'symbol',
  'undefined',
  'void',
  'never',
  'object',
]);
const CLASSES = new Set(['Function', 'Buffer', 'Uint8Array', 'Date', 'AbortSignal']);
/** They change whether a member may be left out, or set: any may be here. */
const SAME_MEMBERS = new Set(['Partial', 'Required', 'Readonly', 'NonNullable']);
const TOKEN = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`|-?\d[\w.]*|[\w$#]+(?:\.[\w$]+)*|=>|\.\.\.|\S/g;
/** Types that refer to each other would never end. */
const DEEPEST = 40;

/** @param {string} text of a file, from where a declaration begins @param {Scope} scope @returns {Type} @throws {SyntaxError} */
function readType(text, scope) {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const next = () => tokens[at];
  const take = () => tokens[at++];
  const taken = (/** @type {string} */ token) => next() === token && take() !== undefined;
  /** @param {string} token */
  function expect(token) {
    if (!taken(token)) throw new SyntaxError(`expected ${token}, got ${next()}`);
  }
  /** @template Item @param {string} end @param {() => Item} item @returns {Item[]} */
  function list(end, item) {
    const items = [];
    while (!taken(end)) {
      items.push(item());
      if (next() !== end) expect(',');
    }
    return items;
  }
  /** Parentheses, with all that they hold. */
  function skipBrackets() {
    let depth = 0;
    do {
      if (at >= tokens.length) throw new SyntaxError('expected a bracket to be closed');
      if (/^[([{]$/.test(next())) depth++;
      if (/^[)\]}]$/.test(next())) depth--;
      at++;
    } while (depth > 0);
  }

  /** @returns {Type} */
  function type() {
    taken('|');
    const of = [both()];
    while (taken('|')) of.push(both());
    /** @type {Type} */
    const union = of.length === 1 ? of[0] : { is: 'union', of };
    if (!taken('extends')) return union;
    type();
    expect('?');
    type();
    expect(':');
    type();
    return UNKNOWN;
  }
  /** @returns {Type} */
  function both() {
    taken('&');
    const of = [postfix()];
    while (taken('&')) of.push(postfix());
    return of.length === 1 ? of[0] : { is: 'all', of };
  }
  /** @returns {Type} */
  function postfix() {
    let base = primary();
    while (taken('[')) {
      if (taken(']')) base = { is: 'array', of: base };
      else {
        type();
        expect(']');
        base = UNKNOWN;
      }
    }
    return base;
  }
  /** @returns {Type} */
  function primary() {
    if (next() === '(') return parenthesized();
    if (next() === '<') return generic();
    const token = take();
    if (token === '{') return members();
    if (token === '[') {
      at--;
      skipBrackets();
      return UNKNOWN;
    }
    if (/^["']/.test(token)) return { is: 'value', value: token.slice(1, -1) };
    if (token.startsWith('`')) return { is: 'primitive', name: 'string' };
    if (/^-?\d/.test(token)) return { is: 'value', value: Number(token) };
    if (token === 'true' || token === 'false') return { is: 'value', value: token === 'true' };
    if (token === 'null') return { is: 'value', value: null };
    if (token === 'readonly') return postfix();
    if (token === 'new' || token === 'abstract') return primary();
    if (token === 'typeof' || token === 'keyof' || token === 'unique' || token === 'infer') {
      postfix();
      return UNKNOWN;
    }
    if (token === 'import') return imported();
    if (PRIMITIVES.has(token)) return { is: 'primitive', name: token };
    if (!/^[A-Za-z_$]/.test(token)) throw new SyntaxError(`expected a type, got ${token}`);
    return reference(token);
  }
  /** `import("./file").Name` @returns {Type} */
  function imported() {
    expect('(');
    const from = take().slice(1, -1);
    expect(')');
    expect('.');
    return reference(take(), from);
  }
  /** @param {string} name @param {string} [from] @returns {Type} */
  function reference(name, from) {
    return { is: 'reference', name, from, args: taken('<') ? list('>', type) : [], scope };
  }
  /** @returns {Type} */
  function parenthesized() {
    const start = at;
    skipBrackets();
    if (taken('=>')) {
      returned();
      return CODE;
    }
    at = start + 1;
    const inner = type();
    expect(')');
    return inner;
  }
  /** `<T>(value: T) => void` @returns {Type} */
  function generic() {
    while (next() !== '(') take();
    return parenthesized();
  }
  function returned() {
    taken('asserts');
    type();
    if (taken('is')) type();
  }
  /** @returns {ObjectType} */
  function members() {
    /** @type {Map<string, Type>} */
    const own = new Map();
    /** @type {Type | null} */
    let others = null;
    while (!taken('}')) {
      if (taken(';') || taken(',')) continue;
      while (/^(readonly|get|set|static)$/.test(next()) && !/^[?:(<;,}]$/.test(tokens[at + 1])) at++;
      if (next() === '(' || next() === '<') {
        generic();
        continue;
      }
      if (next() === '[') {
        const isSymbol = !/^(:|in)$/.test(tokens[at + 2] ?? '');
        skipBrackets();
        taken('?');
        if (next() === '(' || next() === '<') method();
        else {
          expect(':');
          const value = type();
          if (!isSymbol) others = value;
        }
        continue;
      }
      const name = take().replace(/^["']|["']$/g, '');
      taken('?');
      if (next() === '(' || next() === '<') {
        method();
        own.set(name, CODE);
      } else if (taken(':')) own.set(name, type());
      else own.set(name, UNKNOWN);
    }
    return { is: 'object', members: own, others, extended: [] };
  }
  function method() {
    while (next() !== '(') take();
    skipBrackets();
    if (taken(':')) returned();
  }
  /** `<M extends Modules = Modules>`: a parameter stands for all that it may be. */
  function parameters() {
    if (!taken('<')) return;
    list('>', () => {
      const name = take();
      const bound = taken('extends') ? type() : null;
      const fallback = taken('=') ? type() : UNKNOWN;
      scope.parameters.set(name, bound ?? fallback);
    });
  }

  const isInterface = take() === 'interface';
  take();
  parameters();
  if (!isInterface) {
    expect('=');
    return type();
  }
  const extended = [];
  if (taken('extends'))
    do extended.push(postfix());
    while (taken(','));
  expect('{');
  return { ...members(), extended };
}

/** @param {string} text @returns {string} */
const withoutComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g, '$1');

/** @param {string} main a path that ends in .js @returns {string} of what it exports */
const besideMain = (main) => main.replace(/\.[cm]?js$/, '.d.ts');

const IMPORT = /\b(?:import|export)\s+(?:type\s+)?([^;'"]*?)\s*\bfrom\s*["']([^"']+)["']/g;

/**
 * @param {string} name @param {string} clause what stands between `import` and `from`, or `export` and `from`
 * @returns {string | null} its name where it comes from; null if it does not come from there
 */
function originalName(name, clause) {
  if (clause === '*') return name;
  const [, braces = ''] = /\{([^}]*)\}/.exec(clause) ?? [];
  for (const each of braces.split(',')) {
    const [original, renamed = original] = each
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/);
    if (renamed === name) return original;
  }
  const [whole] = clause.replace(/\{[^}]*\}/, '').split(',');
  return whole.trim().replace(/^\*\s+as\s+/, '') === name ? 'default' : null;
}

/**
 * @param {string} main path of a package's main file
 * @returns {{alternatives(type: Type): Type[], named(names: string[]): Type[] | null}} `alternatives`: what a type may be,
 *   without references and unions; `named`: those of what has the members of all these types, null if one is not declared
 */
export function declarationsOf(main) {
  /** @type {Map<string, string | null>} */
  const texts = new Map();
  /** @param {string} file */
  function textOf(file) {
    if (!texts.has(file)) {
      const read = () => withoutComments(readBoundedSync(file).toString());
      texts.set(file, tryOr(read, null));
    }
    return texts.get(file) ?? null;
  }

  /** @param {string} specifier @param {string} file that imports it @returns {string | null} */
  function fileOf(specifier, file) {
    if (isBuiltin(specifier)) return NODE_SOCKETS;
    if (!specifier.startsWith('.'))
      return tryOr(() => besideMain(createRequire(file).resolve(specifier)), null);
    const path = join(dirname(file), specifier);
    const places = [path.replace(/(\.js)?$/, '.d.ts'), join(path, 'index.d.ts')];
    return places.find((place) => textOf(place) !== null) ?? null;
  }

  /** @param {string} name @param {string} file @param {number} [depth] @returns {Type | null} */
  function find(name, file, depth = 0) {
    const text = textOf(file);
    if (text === null || depth > DEEPEST) return null;
    const [outer, ...inner] = name.split('.');
    const pattern = `\\b(interface|type|class|enum)\\s+${outer.replaceAll('$', '\\$')}(?=\\s*[<={]|\\s+(?:extends|implements)\\b)`;
    const declared = inner.length === 0 && new RegExp(pattern).exec(text);
    if (declared) {
      if (declared[1] === 'class') return CODE;
      if (declared[1] === 'enum') return enumOf(text.slice(declared.index));
      return tryOr(() => readType(text.slice(declared.index), { file, parameters: new Map() }), UNKNOWN);
    }
    for (const [, clause, specifier] of text.matchAll(IMPORT)) {
      const original = originalName(outer, clause.trim());
      if (original === null) continue;
      const place = fileOf(specifier, file);
      const found = place && find(inner.at(-1) ?? original, place, depth + 1);
      if (found) return found;
    }
    return null;
  }

  /** @param {Type} type @param {number} [depth] @returns {Type[]} */
  function alternatives(type, depth = 0) {
    if (depth > DEEPEST) return [UNKNOWN];
    const again = (/** @type {Type} */ each) => alternatives(each, depth + 1);
    if (type.is === 'union') return type.of.flatMap(again);
    if (type.is === 'all') return together(type.of.map(again));
    if (type.is === 'object' && type.extended.length > 0) {
      const inherited = together(type.extended.map(again));
      return inherited.map((each) => overridden({ ...type, extended: [] }, each));
    }
    if (type.is !== 'reference') return [type];
    const { name, from, args, scope } = type;
    const parameter = scope.parameters.get(name);
    if (parameter) return again(parameter);
    if (CLASSES.has(name)) return [CODE];
    if (SAME_MEMBERS.has(name)) return again(args[0]);
    if (name === 'Array' || name === 'ReadonlyArray') return [{ is: 'array', of: args[0] }];
    if (name === 'Record') return [{ is: 'object', members: new Map(), others: args[1], extended: [] }];
    if (name === 'Omit' || name === 'Pick')
      return again(args[0]).map((each) => selected(each, name, again(args[1])));
    const file = from === undefined ? scope.file : fileOf(from, scope.file);
    const found = file === null ? null : find(name, file);
    return found === null ? [UNKNOWN] : again(found);
  }

  const root = besideMain(main);
  return {
    alternatives: (type) => alternatives(type),
    named(names) {
      const types = names.map((name) => find(name, root));
      const found = types.filter((type) => type !== null);
      return found.length < types.length ? null : together(found.map((type) => alternatives(type)));
    },
  };
}

/** @typedef {ReturnType<typeof declarationsOf>} Package */

/** @param {string} text from `enum` on @returns {Type} */
function enumOf(text) {
  const [body] = /\{[^}]*\}/.exec(text) ?? [''];
  const values = [...body.matchAll(/=\s*(?:(-?\d+)|["']([^"']*)["'])/g)];
  if (values.length === 0) return UNKNOWN;
  return {
    is: 'union',
    of: values.map(([, number, word]) => ({
      is: 'value',
      value: number === undefined ? word : Number(number),
    })),
  };
}

/** @param {Type[][]} sides @returns {Type[]} what is one of each side at once */
const together = (sides) =>
  sides.reduce((some, side) => some.flatMap((one) => side.map((other) => merged(one, other))));

/** @param {Type} one @param {Type} other @returns {Type} with the members of both; one of both is as both say */
function merged(one, other) {
  if (one.is === 'unknown' || other.is === 'unknown') return open(one.is === 'unknown' ? other : one);
  if (one.is !== 'object' || other.is !== 'object') return { is: 'all', of: [one, other] };
  const members = new Map(one.members);
  for (const [name, type] of other.members) {
    const own = members.get(name);
    members.set(name, own === undefined ? type : { is: 'all', of: [own, type] });
  }
  return { ...one, members, others: one.others ?? other.others };
}

/** @param {ObjectType} own @param {Type} inherited @returns {Type} */
function overridden(own, inherited) {
  if (inherited.is !== 'object') return open(own);
  return {
    ...own,
    members: new Map([...inherited.members, ...own.members]),
    others: own.others ?? inherited.others,
  };
}

/** @param {Type} type @returns {Type} that may have members which cannot be read */
const open = (type) => (type.is === 'object' ? { ...type, others: type.others ?? UNKNOWN } : UNKNOWN);

/** @param {Type} type @param {'Omit' | 'Pick'} how @param {Type[]} keys @returns {Type} */
function selected(type, how, keys) {
  if (type.is !== 'object') return type;
  const names = new Set(keys.flatMap((key) => (key.is === 'value' ? [`${key.value}`] : [])));
  // `keyof Other` cannot be read: what it leaves out stays.
  if (how === 'Pick' && names.size === 0) return UNKNOWN;
  const members = [...type.members].filter(([name]) => names.has(name) === (how === 'Pick'));
  return { ...type, members: new Map(members) };
}
