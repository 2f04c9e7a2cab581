import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { getKeyIndexes } from '@ioredis/commands';
import { COMMANDS } from '../../src/commands/traffic/commands.js';
import { createCodeStep } from '../../src/plugins/shared/own-code.js';
import {
  isListed,
  LISTED_NAMES,
  permissionOf,
  placesIn,
  runsScripts,
} from '../../src/server/command-places.js';

/** Channels, which are no keys for Redis. */
const CHANNELS = /PUBLISH$|SUBSCRIBE$/;
/** @type {Record<string, {arity: number, keyStart: number, subcommands?: Record<string, object>}>} */
const ALL = createRequire(import.meta.url)('@ioredis/commands/built/commands.json');

/** @param {string} command */
const words = (command) => command.split(' ');
/** @param {string} command */
const placesOf = (command) => placesIn(words(command));

describe('the places of keys', () => {
  it('are those that @ioredis/commands names, in each listed command that it knows', () => {
    let compared = 0;
    for (const name of LISTED_NAMES) {
      const [command, ...sub] = name.toLowerCase().split('|');
      if (!Object.hasOwn(ALL, command) || CHANNELS.test(name)) continue;
      for (let count = Math.max(2, Math.abs(ALL[command].arity) - 1); count < 12; count++) {
        // Where a number of keys stands, 2 is one; STREAMS stands where options of streams may.
        const args = [
          ...sub,
          ...Array.from({ length: count }, (_, at) => (at < 3 && count > 5 ? '2' : `k${at}`)),
        ];
        if (/^XREAD/.test(name))
          args.splice(
            0,
            name === 'XREAD' ? 1 : 4,
            ...words('GROUP g c STREAMS').slice(name === 'XREAD' ? 3 : 0),
          );
        const places = placesIn([command, ...args]);
        if (places === null) continue;
        const known = getKeyIndexes(command, args).map((at) => args[at]);
        assert.deepEqual(places.keys.toSorted(), known.toSorted(), `${command} ${args.join(' ')}`);
        compared++;
      }
    }
    assert.ok(compared > 1000, `${compared}`);
  });

  it('are known of all that a replay sends', () => {
    const replayed = [...COMMANDS].filter(([, { replay }]) => replay !== undefined).map(([name]) => name);
    assert.deepEqual(
      replayed.filter((name) => !isListed(name)),
      [],
    );
    assert.ok(replayed.length > 100);
  });

  for (const [command, keys, patterns = ''] of [
    ['GEORADIUS a 1 1 9 m STORE b ASC STORE c STOREDIST d', 'a b c d'],
    ['georadiusbymember a m 9 m count 5 any store b', 'a b'],
    ['SORT a BY w_* GET # GET x_*->f STORE b LIMIT 0 5 STORE c', 'a b c', 'w_* # x_*->f'],
    ['COPY a b REPLACE', 'a b'],
    ['XREAD COUNT 5 STREAMS a b 0 $', 'a b'],
    ['XREADGROUP NOACK GROUP g c BLOCK 5 STREAMS a >', 'a'],
    ['ZUNIONSTORE a 2 b c WEIGHTS 1 2', 'a b c'],
    ['BLMPOP 5 2 a b LEFT COUNT 5', 'a b'],
    ['BITOP NOT a b', 'a b'],
    ['MSET a 1 b 2', 'a b'],
    ['OBJECT encoding a', 'a'],
    ['JSON.MSET a $ 1 b $ 2', 'a b'],
  ])
    it(command, () => {
      const places = placesOf(command);
      assert.deepEqual(places?.keys.join(' '), keys);
      assert.deepEqual(places?.patterns.join(' '), patterns);
    });

  for (const command of [
    'EVAL x 0',
    'MOVE a 5',
    'COPY a b DB 6',
    'COPY a b REPLACE DB 6',
    'SORT_RO a STORE b',
    'GEORADIUS a 1 1 9 m STORE\0 b',
    'XREAD STREAMS a b 0',
    'ZUNIONSTORE a 3 b c',
    'ZUNIONSTORE a 0x2 b c',
    'LMPOP -1 a LEFT',
    'OBJECT HELP',
    'CLIENT LIST',
    'CONFIG GET x',
    'DEBUG OBJECT a',
    'RESTORE-ASKING a 0 x',
    'constructor a',
    '__proto__ a',
    '',
  ])
    it(`are not known, and it needs the permission of a script: ${JSON.stringify(command)}`, () => {
      assert.equal(placesOf(command), null);
      assert.equal(permissionOf([words('GET a'), words(command)]), 'scripts');
    });
});

describe('code of the user’s own', () => {
  /** @param {string[]} command @param {boolean} [anyCommand] */
  async function send(command, anyCommand) {
    /** @type {unknown[]} */
    const sent = [];
    const iterate = (/** @type {any} */ redis) =>
      command[0] === 'declare' ? redis.declare(command[1]) : redis.command(command);
    const connection = { command: async (/** @type {unknown} */ each) => sent.push(each) };
    const context = /** @type {any} */ ({ keyPrefix: 'rpb:test', anyCommand });
    await createCodeStep({ id: 'own', iterate }, null, context).send(
      /** @type {any} */ (connection),
      /** @type {any} */ ({}),
    );
    return sent.length;
  }

  /** Each hands over another word when it is read once more. @type {Record<string, () => any>} */
  const CHANGING = {
    // Reads for the check come first; which one is the last of them is not for this test to know.
    ...Object.fromEntries(
      [1, 2, 3, 4].flatMap((own) => {
        const changed = () => {
          let reads = 0;
          return () => (reads++ < own ? 'rpb:test1' : 'foreign');
        };
        return [
          [
            `a Proxy of a list, after ${own} reads`,
            () => {
              const read = changed();
              return new Proxy(['DEL', 'x'], {
                get: (list, at) => (at === '1' ? read() : Reflect.get(list, at)),
              });
            },
          ],
          [
            `a list with a getter, after ${own} reads`,
            () => Object.defineProperty(['DEL', 'x'], '1', { get: changed() }),
          ],
          [`an object with a text of its own, after ${own} reads`, () => ['DEL', { toString: changed() }]],
        ];
      }),
    ),
    'a list with an iterator of its own': () => {
      let reads = 0;
      const list = ['DEL', 'rpb:test1'];
      return Object.assign(list, {
        [Symbol.iterator]: () => ['DEL', reads++ > 0 ? 'foreign' : 'rpb:test1'].values(),
      });
    },
    'a list that is changed while it waits': () => {
      const list = ['DEL', 'rpb:test1'];
      queueMicrotask(() => {
        list[1] = 'foreign';
      });
      return list;
    },
    'a Buffer that is changed while it waits': () => {
      const key = Buffer.from('rpb:test1');
      queueMicrotask(() => void key.write('foreign!!'));
      return ['DEL', key];
    },
    'a Buffer with a text of its own': () => {
      const key = Object.assign(Buffer.from('foreign'), { toString: () => 'rpb:test1' });
      return ['DEL', key];
    },
    'a list within a list': () => ['DEL', ['rpb:test1', 'foreign']],
    'a text that is an object': () => ['DEL', Object('rpb:test1')],
    'a key that is no text': () => ['DEL', Buffer.from([...Buffer.from('rpb:test'), 0xff])],
  };
  /** @type {Record<string, (redis: any, command: any) => unknown>} */
  const WAYS = {
    command: (redis, command) => redis.command(command),
    'del()': (redis, command) => redis.del(command[1]),
    transaction: (redis, command) => redis.transaction([command]),
    pipeline: (redis, command) => redis.pipeline([command]),
    'a batch': async (redis, command) => {
      const batch = redis.batch();
      batch.command(command);
      await Promise.resolve();
      return batch.exec();
    },
  };
  for (const [what, changing] of Object.entries(CHANGING))
    for (const [how, act] of Object.entries(WAYS))
      it(`sends what was checked, by ${how}: ${what}`, async () => {
        /** @type {unknown[]} */
        const sent = [];
        /** A client that encodes later. @param {unknown} each */
        const later = async (each) => {
          await new Promise((resolve) => setImmediate(resolve));
          sent.push(JSON.stringify([each].flat(9).map(String)));
          return [];
        };
        const connection = { command: later, pipeline: later, transaction: later, del: later };
        const context = /** @type {any} */ ({ keyPrefix: 'rpb:test' });
        const iterate = async (/** @type {any} */ redis) => act(redis, changing());
        const step = createCodeStep({ id: 'own', iterate }, null, context);
        await Promise.resolve(step.send(/** @type {any} */ (connection), /** @type {any} */ ({}))).catch(
          (error) =>
            assert.match(error.message, /^expected texts|expected a key in UTF-8|is not this tool's/),
        );
        assert.doesNotMatch(sent.join(), /foreign|\ufffd/);
      });

  for (const command of [
    'SORT rpb:test1 BY nosort GET rpb:test1:*',
    'BLPOP rpb:test1 1',
    'PUBLISH rpb:test1 x',
    'MULTI',
  ])
    it(`may send ${command}`, async () => assert.equal(await send(words(command)), 1));

  for (const command of [
    'GEORADIUS rpb:test1 1 1 9 m STORE rpb:test1 STORE other',
    'SORT rpb:test1 GET other:*',
    'PUBLISH other x',
    'COPY rpb:test1 other',
  ])
    it(`may not send ${command}, whatever is allowed`, async () => {
      await assert.rejects(send(words(command), true), /of the key 'other.*', which is not this tool's/);
    });

  for (const command of [
    'EVAL x 0',
    'MOVE rpb:test1 5',
    'COPY rpb:test1 rpb:test2 DB 6',
    'NOSUCH rpb:test1',
    'ASKING',
    'FLUSHALL',
  ])
    it(`sends ${command} where that is allowed`, async () => {
      await assert.rejects(send(words(command)), /is not known to keep to .*--allow-scripts/);
      assert.equal(await send(words(command), true), 1);
    });

  it('declares no script where none is allowed', async () => {
    await assert.rejects(send(words('declare evalsha')), /EVALSHA is not known to keep to .*--allow-scripts/);
    await send(words('declare evalsha'), true);
    await send(words('declare xgroup'));
  });
});

it('scripts are those of Redis and of its modules', () => {
  for (const name of words('eval eval_ro evalsha evalsha_ro fcall fcall_ro tfcall tfcallasync'))
    assert.ok(runsScripts({ [name]: 1 }), name);
  assert.ok(!runsScripts({ get: 1, evaluate: 1 }));
});
