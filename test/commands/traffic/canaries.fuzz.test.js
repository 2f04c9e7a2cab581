import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { rowOf } from '../../../src/commands/traffic/commands.js';
import { profileLineError } from '../../../src/commands/traffic/read-profile.js';
import { encodeCommand } from '../../../src/relay/resp.js';
import { NIGHTLY } from '../../helpers/nightly.js';
import { converseWhole } from '../../helpers/recording-in-memory.js';

/**
 * What Redis's documentation says of its commands: `?` is a content, `#` a number of the
 * user's, `key` a key; all else is a fixed word, a count, an
 * index or a duration, which a profile may hold of a command whose syntax is known. A content may stand where it looks like anything else.
 */
const FORMS = `
SET key ? | SET key ? EX 60 | SET key ? PX 60 NX GET | SET key ? EX 60 IFEQ ? | SET key ? IFNE ? EX 60 | SET key ? EXAT ? XX
SET key ? KEEPTTL | GET key | MGET key key | GETDEL key | GETSET key ? | APPEND key ? | SETNX key ? | STRLEN key
SETEX key 60 ? | PSETEX key 60 ? | GETEX key PERSIST | GETEX key PXAT ? | GETEX key EX 60 | GETRANGE key 0 -1 | SUBSTR key 0 5
SETRANGE key 5 ? | SETBIT key ? ? | GETBIT key ? | BITCOUNT key 0 -1 BYTE | BITPOS key ? 0 -1 BIT | BITOP AND key key
BITFIELD key GET? | BITFIELD key ? ? ? ? | LCS key key LEN | LCS key key IDX MINMATCHLEN 4 WITHMATCHLEN | INCRBY key ?
INCRBYFLOAT key ? | MSET key ? key ? | MSETEX 2 key ? key ? ? ? | EXPIRE key 60 NX | EXPIREAT key ? GT | COPY key key DB 2 REPLACE
RESTORE key ? ? REPLACE IDLETIME 60 FREQ 5 | SORT key BY ? LIMIT 0 5 GET ? GET ? ASC ALPHA STORE key | SELECT 2 | MOVE key 2
SCAN 0 MATCH ? COUNT 9 TYPE ? | SCAN ? COUNT 9 | HSCAN key ? NOVALUES | SSCAN key 0 MATCH ? COUNT 9 | FLUSHALL ASYNC | WAIT 1 60
HSET key ? ? ? ? | HGET key ? | HMGET key ? ? | HINCRBY key ? ? | HRANDFIELD key 5 WITHVALUES | HGETEX key EX 60 FIELDS 2 ? ?
HSETEX key FNX EX 60 FIELDS 2 ? ? ? ? | HSETEX key FIELDS 1 ? ? | HGETDEL key FIELDS 2 ? ? | HEXPIRE key 60 NX FIELDS 2 ? ?
HPEXPIREAT key ? FIELDS 1 ? | HTTL key FIELDS 3 ? ? ? | HPERSIST key FIELDS 1 ? | HPEXPIRETIME key FIELDS 1 ?
LPUSH key ? ? | LPOP key 2 | LRANGE key 0 9 | LINDEX key 3 | LSET key 3 ? | LREM key 2 ? | LINSERT key BEFORE ? ?
LMOVE key key LEFT RIGHT | BLMOVE key key LEFT RIGHT 5 | BLPOP key key 5 | LPOS key ? RANK 1 COUNT 2 MAXLEN 99 | LMPOP 2 key key LEFT COUNT 5
BLMPOP 5 2 key key RIGHT COUNT 5 | SADD key ? ? | SPOP key 2 | SMISMEMBER key ? ? | SINTERCARD 2 key key LIMIT 5
ZADD key NX CH # ? # ? | ZADD key # ? # ? # ? | ZADD key INCR # ? | ZINCRBY key ? ? | ZCOUNT key ? ? | ZCOUNT key -INF +INF
ZRANGE key 0 -1 WITHSCORES | ZRANGE key 5 9 REV | ZRANGE key ? ? BYSCORE LIMIT 0 5 | ZRANGE key ? ? REV BYSCORE | ZRANGE key ? + BYLEX
ZRANGEBYSCORE key ? ? WITHSCORES LIMIT 5 9 | ZREVRANGEBYSCORE key +INF ? | ZRANGEBYLEX key ? ? LIMIT 0 5 | ZREVRANGE key 0 5 WITHSCORES
ZRANGESTORE key key ? ? BYSCORE LIMIT 0 5 | ZREMRANGEBYSCORE key ? ? | ZREMRANGEBYRANK key 0 5 | ZRANK key ? WITHSCORE | ZPOPMIN key 2
BZPOPMIN key key 5 | ZMPOP 1 key MIN COUNT 2 | ZRANDMEMBER key 5 WITHSCORES | ZUNION 2 key key WEIGHTS ? ? | ZUNION 1 key AGGREGATE SUM WITHSCORES
ZUNIONSTORE key 2 key key WEIGHTS ? ? | ZDIFF 2 key key WITHSCORES | GEOADD key NX CH # # ? # # ? | GEODIST key ? ? KM
GEOSEARCH key FROMLONLAT ? ? BYBOX ? ? KM ASC COUNT 5 ANY WITHDIST | GEOSEARCH key FROMMEMBER ? BYRADIUS ? M | GEORADIUS key ? ? ? KM COUNT 5 STORE key
GEORADIUSBYMEMBER key ? ? FT WITHCOORD | XADD key NOMKSTREAM MAXLEN ~ 1000 LIMIT 5 * ? ? ? ? | XADD key MINID = # # ? ? | XADD key * ? ?
XREAD COUNT 5 BLOCK 60 STREAMS key key # $ | XREADGROUP GROUP ? ? COUNT 5 NOACK STREAMS key > | XREADGROUP GROUP ? ? STREAMS key #
XRANGE key ? + COUNT 5 | XRANGE key - ? | XTRIM key MAXLEN 1000 | XACK key ? ? ? | XDEL key ? ? | XCLAIM key ? ? 60 ? ? | XCLAIM key ? ? 60 ? ? ? ? ?
XAUTOCLAIM key ? ? 60 ? COUNT 5 JUSTID | XPENDING key ? IDLE 60 - # 5 ? | XPENDING key ? # # 5 ? | XGROUP CREATE key ? $ MKSTREAM | XGROUP SETID key ? ?
BRPOP key 5 | BRPOPLPUSH key key 5 | BZMPOP 5 1 key MAX COUNT 2 | BZPOPMAX key 5 | EVAL_RO ? 1 key | EVALSHA_RO ? 1 key | FCALL_RO ? 1 key
HPEXPIRE key 60 FIELDS 1 ? | LTRIM key 0 9 | PEXPIRE key 60 | RPOP key 2 | SRANDMEMBER key 2 | SWAPDB 1 2 | ZDIFFSTORE key 1 key
ZINTER 1 key | ZINTERCARD 1 key LIMIT 5 | ZINTERSTORE key 1 key | ZPOPMAX key 2 | ZRANGESTORE key key 0 5 REV LIMIT 0 5
PUBLISH ? ? | SUBSCRIBE ? ? | EVAL ? 2 key key ? ? | EVALSHA ? 1 key ? | FCALL ? 1 key ? | ECHO ? | PING ? | OBJECT FREQ key
NEWCOMMAND ? ? ? | FT.SEARCH ? ? ? ? | JSON.SET ? ? ?`
  .trim()
  .split(/\s*[|\n]\s*/)
  .map((form) => form.replace('GET?', '? ? ?').split(' '));

/** Whose second word belongs to the name. */
const CONTAINERS = new Set(['XGROUP', 'OBJECT']);
/** @param {string[]} form @returns {string[]} without the name */
const argumentsIn = (form) => form.slice(CONTAINERS.has(form[0]) ? 2 : 1);

const SECRETS = [
  '4155550003',
  '41555',
  '4155550003-17',
  '-415555.5',
  'cAnary',
  'cAnary4155550003',
  '(415555',
];
/** What a content may be that looks like syntax. Those of one character look like others. */
const DISGUISES = [...new Set(FORMS.flat())].filter((word) => /^[A-Z]{2,}$/.test(word) && word !== 'MATCH');
const number = fc.constantFrom(...SECRETS.filter((text) => /^[-\d]/.test(text)));
const content = fc.oneof(fc.constantFrom(...SECRETS), fc.constantFrom(...DISGUISES));

/** @param {string[]} command @returns {{text: string, args: unknown[]}} what a profile has of it */
function recorded(command) {
  const lines = converseWhole(encodeCommand(command), Buffer.from('$10\r\n4155550003\r\n'));
  for (const line of lines) assert.equal(profileLineError(line), null, JSON.stringify(line));
  const [line] = lines.filter((each) => Array.isArray(each));
  return { text: JSON.stringify(line), args: line[3] };
}

/** @param {string} text @param {string[]} command */
const assertNoSecret = (text, command) =>
  assert.doesNotMatch(text, /canary|41555/i, `${command.join(' ')} is recorded as ${text}`);

describe('a profile', () => {
  it('holds nothing but words and counts of the syntax, whatever contents look like', () => {
    for (const form of FORMS) {
      const words = form.map((word) => (word === '?' ? content : word === '#' ? number : fc.constant(word)));
      fc.assert(
        fc.property(fc.tuple(...words), (command) => {
          const { text, args } = recorded(command);
          const name = form[0];
          for (const [place, word] of argumentsIn(form).entries()) {
            const told = args[place];
            if (/^[?#]$/.test(word) || rowOf(name).syntax === undefined)
              assert.notEqual(typeof told, 'string', `${command.join(' ')}: ${text}`);
            else if (word !== 'key')
              assert.equal(told, word, `${name} ${place} of ${form.join(' ')}: ${text}`);
          }
          assertNoSecret(text, command);
        }),
        { numRuns: form.some((word) => /^[?#]$/.test(word)) ? 60 : 1 },
      );
    }
  });

  it('holds no canary of any command, known or not, but where each of its forms has a count', () => {
    /** @type {Record<string, {subcommands?: Record<string, object>}>} */
    const all = createRequire(import.meta.url)('@ioredis/commands/built/commands.json');
    const names = Object.entries(all).flatMap(([name, { subcommands = {} }]) => [
      [name],
      ...Object.keys(subcommands).map((word) => [name, word]),
    ]);
    for (const name of [...names, ['cAnary'], ['VNEW', 'CREATE'], ['4155550003'], ['get ']]) {
      const forms = FORMS.filter((form) => form[0] === name[0].toUpperCase());
      for (let count = 0; count < (NIGHTLY ? 12 : 6); count++) {
        for (const secret of SECRETS) {
          const command = [...name, ...Array(count).fill(secret)];
          const { text, args } = recorded(command);
          // A timeout stands behind any number of keys.
          const last = /^b(?:[lr]pop|zpop(?:min|max))$/.test(name[0]) ? args.length - 1 : -1;
          const unproven = args.filter(
            (told, place) =>
              typeof told === 'string' &&
              place !== last &&
              !forms.some((form) => /^-?\d+$/.test(argumentsIn(form)[place])),
          );
          assert.deepEqual(unproven, [], `${command.join(' ')} is recorded as ${text}`);
          if (forms.length === 0) assertNoSecret(text, command);
        }
      }
    }
  });

  it('keeps no key as anything else, however many there are', () => {
    for (const count of [126, 127, 128, 129, 130, 200, 256, 300, 5000]) {
      const keys = Array.from({ length: count }, (_, index) => `${4_155_550_000 + index}`);
      const forms = [
        ...['BLPOP', 'BRPOP', 'BZPOPMIN', 'BZPOPMAX'].map((name) => [name, ...keys, '5']),
        ['XREAD', 'STREAMS', ...keys, ...keys.map(() => '$')],
        ['XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', ...keys, ...keys.map(() => '>')],
      ];
      for (const form of forms) {
        const { text, args } = recorded(form);
        const expected = form.slice(1, 129).filter((word) => keys.includes(word)).length;
        assert.equal(args.filter(Array.isArray).length, expected, `${form[0]} of ${count}`);
        assertNoSecret(text, [form[0]]);
      }
    }
  });

  it('holds nothing of CLIENT but the name, sizes included', () => {
    for (const command of [
      'CLIENT TRACKING ON BCAST PREFIX cAnary PREFIX x',
      'CLIENT TRACKING ON REDIRECT 4155550003',
      'CLIENT REPLY cAnary',
      'CLIENT REPLY SKIP',
      'CLIENT SETNAME cAnary',
    ])
      assert.deepEqual(recorded(command.split(' ')).args, [], command);
  });

  it('holds no number behind words that a command does not have', () => {
    const word = fc.oneof(content, fc.constantFrom('COUNT', 'LIMIT', 'EX', 'FIELDS', 'MAXLEN', '~', 'BLOCK'));
    const name = fc.constantFrom(
      'GET',
      'HSET',
      'LPUSH',
      'SADD',
      'PUBLISH',
      'BITFIELD',
      'VSIM',
      'NEW',
      'DIGEST',
    );
    fc.assert(
      fc.property(name, fc.array(word, { maxLength: 12 }), (first, words) => {
        const { text, args } = recorded([first, ...words]);
        assert.ok(!args.some((told) => typeof told === 'string'), `${first} ${words.join(' ')}: ${text}`);
        assertNoSecret(text, [first, ...words]);
      }),
      { numRuns: 400 },
    );
  });
});
