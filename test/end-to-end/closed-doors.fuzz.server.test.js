import assert from 'node:assert/strict';
import { removeLeftovers } from '../../src/cli/commands/clean.js';
import { checkCommand } from '../../src/plugins/shared/command-keys.js';
import { createCodeStep } from '../../src/plugins/shared/own-code.js';
import { LISTED_NAMES, permissionOf } from '../../src/server/command-places.js';
import { startRedis } from '../helpers/redis-server.js';

/**
 * Every command that a server knows, as it describes its own words (COMMAND DOCS): each option twice, in each order, a
 * foreign key, another database or another server in each place. What our checks let through is sent.
 */

const PREFIX = 'rpb:fuzz';
const SECRET = 'what is not ours to read';
const DATABASES = 16;
/** By the group that COMMAND DOCS names: what makes data that its commands find. @type {Record<string, string[][]>} */
const DATA = {
  string: [['SET', SECRET]],
  bitmap: [['SET', SECRET]],
  generic: [['RPUSH', '1', '2', SECRET]],
  list: [['RPUSH', '1', SECRET]],
  set: [['SADD', 'm', SECRET]],
  'sorted-set': [['ZADD', '1', 'm', '2', SECRET]],
  hash: [['HSET', 'm', SECRET]],
  stream: [
    ['XADD', '1-1', 'm', SECRET],
    ['XGROUP', 'CREATE', '0'],
  ],
  hyperloglog: [['PFADD', 'm']],
  geo: [['GEOADD', '1', '1', 'm', '1', '1', SECRET]],
};

/** @param {string} group @param {string} key @param {string} [value] in place of the secret @returns {string[][]} */
const dataOf = (group, key, value = SECRET) =>
  (DATA[group] ?? DATA.string).map(([name, ...words]) =>
    name === 'XGROUP'
      ? [name, words[0], key, 'm', words[1]]
      : [name, key, ...words.map((word) => (word === SECRET ? value : word))],
  );

/** They change a connection, so that the next commands would prove nothing. */
const OF_CONNECTIONS = /^(?:P|S)?(?:UN)?SUBSCRIBE$|^(?:MULTI|EXEC|DISCARD|WATCH|UNWATCH|QUIT|RESET|MONITOR)$/;

/** What stands at a place. @typedef {'key' | 'text' | 'number' | 'count'} Kind @typedef {string | {is: Kind}} Word */

/** @param {any[]} reply pairs @returns {Record<string, any>} */
const byName = (reply) =>
  Object.fromEntries(reply.flatMap((each, at) => (at % 2 === 0 ? [[String(each), reply[at + 1]]] : [])));

/** @param {any[]} described of COMMAND DOCS @returns {Word[][]} some forms of an argument, without those around it */
function formsOf(described) {
  const { type, token, flags = [], arguments: parts = [], name } = byName(described);
  const isRepeated = flags.includes('multiple');
  const head = token === undefined ? [] : [token === '""' ? '' : String(token)];
  const inner = valuesOf(type, name, parts);
  if (!isRepeated) return inner.map((words) => [...head, ...words]);
  const between = flags.includes('multiple_token') ? head : [];
  return inner.flatMap((words) => [
    [...head, ...words],
    [...head, ...words, ...between, ...words],
  ]);
}

/** @param {string} type @param {string} name @param {any[]} parts @returns {Word[][]} */
function valuesOf(type, name, parts) {
  if (type === 'pure-token') return [[]];
  if (type === 'oneof') return parts.flatMap(formsOf);
  if (type === 'block') {
    const [least, all] = [false, true].map((withOptions) => sequence(parts, withOptions));
    return least.length === all.length ? [least] : [least, all];
  }
  if (type === 'key') return [[{ is: 'key' }]];
  if (name === 'numkeys') return [[{ is: 'count' }]];
  return [[{ is: /^(?:integer|double|unix-time)$/.test(type) ? 'number' : 'text' }]];
}

/** @param {any[]} parts @param {boolean} withOptions @returns {Word[]} the longest form of each */
const sequence = (parts, withOptions) =>
  parts
    .filter((part) => withOptions || !(byName(part).flags ?? []).includes('optional'))
    .flatMap((part) => /** @type {Word[]} */ (formsOf(part).at(-1)));

/**
 * @param {string} name @param {any[]} parts @returns {{once: Word[][], twice: Word[][]}} with no option or one, and with
 *   each option twice and each two options in both orders
 */
function formsOfCommand(name, parts) {
  const words = name.split('|');
  const required = parts.filter((part) => !(byName(part).flags ?? []).includes('optional'));
  const options = parts
    .filter((part) => (byName(part).flags ?? []).includes('optional'))
    .flatMap(formsOf)
    .slice(0, 16);
  const bases = [[], ...required.map(formsOf)].reduce(
    (all, forms) =>
      forms.length === 0 ? all : all.flatMap((base) => forms.slice(0, 6).map((form) => [...base, ...form])),
    /** @type {Word[][]} */ ([words]),
  );
  const twice = options.flatMap((one) => options.map((other) => [...one, ...other]));
  twice.push([...options.flat(), ...options.flat()], [...options.toReversed().flat(), ...options.flat()]);
  const all = bases.slice(0, 8);
  return {
    // Options may come first, as in XREAD.
    once: all.flatMap((base) => [
      ...[[], ...options].map((end) => [...base, ...end]),
      ...options.map((one) => [...words, ...one, ...base.slice(words.length)]),
    ]),
    twice: all.slice(0, 1).flatMap((base) => twice.map((end) => [...base, ...end])),
  };
}

/** @param {Word[]} form @param {(kind: Kind, at: number) => string} fill */
function filled(form, fill) {
  const keys = form.filter((word) => typeof word !== 'string' && word.is === 'key').length;
  return form.map((word, at) => {
    if (typeof word === 'string') return word;
    return word.is === 'count'
      ? String(Math.max(1, keys - (/STORE$/.test(String(form[0])) ? 1 : 0)))
      : fill(word.is, at);
  });
}

/** @param {Word[]} form @param {string[]} words @returns {string[][]} with each of the words in each place, in turn */
function variantsOf(form, words) {
  const usual = { key: '{key}', text: 'm', number: '1', count: '1' };
  const places = form.flatMap((word, at) => (typeof word === 'string' ? [] : [at]));
  return [
    filled(form, (kind) => usual[kind]),
    ...places.flatMap((place) =>
      words.map((word) => filled(form, (kind, at) => (at === place ? word : usual[kind]))),
    ),
    ...places.map((place) =>
      filled(form, (kind, at) => (at >= place && kind === 'key' ? words[0] : usual[kind])),
    ),
  ];
}

/** @param {() => unknown} check */
function passes(check) {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

describe('closed doors', function () {
  // Computes all of the time, so it suffers most from whatever else runs.
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startRedis>>} */
  let other;
  before(async () => {
    [server, other] = await Promise.all([startRedis(), startRedis()]);
    for (const each of [server, other])
      for (let database = 0; database < DATABASES; database++) {
        await each.query('SELECT', `${database}`);
        for (const group of Object.keys(DATA))
          for (const command of dataOf(group, `other:${group}`)) await each.query(...command);
      }
    await Promise.all([server, other].map((each) => each.query('SELECT', '0')));
  });
  after(() => Promise.all([server, other].map((each) => each?.stop())));

  /** @param {typeof server} each @returns {Promise<Record<string, string>>} every key of every database, but ours in database 0 */
  async function contentsOf(each) {
    /** @type {Record<string, string>} */
    const all = {};
    for (let database = 0; database < DATABASES; database++) {
      await each.query('SELECT', `${database}`);
      for (const [key, value] of Object.entries(await each.contents())) {
        const isOurs = database === 0 && key.startsWith(PREFIX);
        if (!isOurs) all[`${database} ${key}`] = `${value} ${await each.query('PTTL', key)}`;
      }
    }
    await each.query('SELECT', '0');
    return all;
  }
  const everything = () => Promise.all([server, other].map(contentsOf));

  const ownCode = (() => {
    /** @type {string[]} */
    let command = [];
    const connection = { command: async () => null };
    const iterate = (/** @type {any} */ redis) => redis.command(command);
    const context = /** @type {any} */ ({ keyPrefix: PREFIX });
    const step = createCodeStep({ id: 'own', iterate }, null, context);
    return async (/** @type {string[]} */ words) => {
      command = words;
      await step.send(/** @type {any} */ (connection), /** @type {any} */ ({}));
    };
  })();

  /** @param {string[]} words with `{key}` @param {string[]} sent @returns {Promise<boolean>} whether it may be sent */
  const mayBeSent = async (words, sent) =>
    (passes(() => checkCommand(words)) && permissionOf([words]) === null) ||
    ownCode(sent).then(
      () => true,
      () => false,
    );

  /** @returns {Promise<[name: string, group: string, parts: any[]][]>} of all commands and subcommands */
  async function described() {
    /** @param {any[]} docs @returns {[string, string, any[]][]} */
    const flat = (docs) =>
      Object.entries(byName(docs)).flatMap(([name, doc]) => {
        const { group, arguments: parts = [], subcommands = [] } = byName(doc);
        return [[name.toUpperCase(), String(group), parts], ...flat(subcommands)];
      });
    return flat(await server.query('COMMAND', 'DOCS'));
  }

  it('notices what leaves our keys', async () => {
    const before = await everything();
    const key = `${PREFIX}:string`;
    for (const [how, back] of [
      [['COPY', key, key, 'DB', '6'], ['6']],
      [['RENAME', 'other:list', key], []],
      [['MIGRATE', '127.0.0.1', `${other.port}`, key, '3', '1000'], []],
    ]) {
      await server.query('SET', key, 'x');
      const held = await server.contents();
      await server.query(...how);
      assert.notDeepEqual(await everything(), before, how.join(' '));
      assert.ok(held);
      if (back.length > 0) {
        await server.query('SELECT', back[0]);
        await server.query('DEL', key);
        await server.query('SELECT', '0');
      } else if (how[0] === 'RENAME') await server.query('RENAME', key, 'other:list');
      else {
        await other.query('SELECT', '3');
        await other.query('DEL', key);
        await other.query('SELECT', '0');
      }
      await server.query('DEL', key);
      assert.deepEqual(await everything(), before, how.join(' '));
    }
  });

  it('nothing that is let through reads or changes what is not ours, and clean finds what it leaves', async function () {
    const before = await everything();
    const counts = { commands: 0, forms: 0, sent: 0, carriedOut: 0 };
    const all = await described();
    /** @type {string[]} */
    const told = [];
    for (const [name, group, parts] of all) {
      if (OF_CONNECTIONS.test(name)) continue;
      const key = `${PREFIX}:${group}`;
      const foreign = `other:${group in DATA ? group : 'string'}`;
      const words = [foreign, `${foreign}*`, '{key}*', 'STORE', 'DB', '5', '127.0.0.1', `${other.port}`];
      const { once, twice } = formsOfCommand(name, parts);
      const variants = [
        ...once.flatMap((form) => variantsOf(form, words)),
        ...twice.flatMap((form) => variantsOf(form, [foreign])),
      ];
      /** @type {Map<string, string[]>} */
      const sent = new Map();
      for (const words of variants) {
        counts.forms++;
        const command = words.map((word) => word.replaceAll('{key}', key));
        const id = command.join('\0');
        if (!sent.has(id) && (await mayBeSent(words, command))) sent.set(id, command);
      }
      if (sent.size > 0) counts.commands++;
      const work = [...sent.values()].map(async (command) => {
        const data = dataOf(group, key, 'ours');
        // In a transaction nothing blocks.
        const all = [['MULTI'], ['DEL', key], ...data, command, ['DUMP', key], ['EXEC']];
        const settled = await Promise.allSettled(all.map((each) => server.query(...each)));
        const reply = /** @type {any} */ (settled.at(-1)).value?.at(-2);
        if (reply !== undefined && !(reply instanceof Error)) counts.carriedOut++;
        const text = JSON.stringify(settled, (_, value) => (value instanceof Error ? value.message : value));
        if (text.includes(SECRET)) told.push(command.join(' '));
      });
      await Promise.all(work);
      counts.sent += sent.size;
    }
    assert.deepEqual(told, [], 'they read what is not ours');
    assert.deepEqual(await everything(), before);
    const { sent, forms, commands, carriedOut } = counts;
    assert.ok(commands > 150 && carriedOut > 3000, JSON.stringify(counts));
    const { unknown } = await removeLeftovers({ url: server.url }, { stateFolder: null });
    assert.deepEqual(
      unknown.map(({ prefix }) => prefix),
      [PREFIX],
    );
    await removeLeftovers({ url: server.url, prefix: PREFIX }, { stateFolder: null });
    const left = Object.keys(await server.contents()).filter((each) => each.startsWith('rpb:'));
    assert.deepEqual(left, []);
    const unlisted = all.filter(([name]) => !LISTED_NAMES.includes(name)).length;
    const test = /** @type {Mocha.Runnable} */ (this.test);
    test.title += ` (${forms} forms of ${all.length} commands, ${sent} of ${commands} let through, ${carriedOut} carried out; ${unlisted} not listed)`;
  });
});
