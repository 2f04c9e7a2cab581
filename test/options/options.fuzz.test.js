import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveOptions } from '../../src/commands/benchmark/settings.js';
import { UsageError } from '../../src/errors.js';
import { CALIBRATE_OPTIONS, OPTIONS } from '../../src/options/option-table.js';
import { readOption } from '../../src/options/read.js';
import { parseUrl } from '../../src/server/target.js';
import { fuzz } from '../helpers/nightly.js';
import { anyText } from '../helpers/poison.js';

/** @import { OptionSpec } from '../../src/options/types.js' */

const TRIES = fuzz(3000);
const SUITE = /** @type {any} */ ({ id: 'default', title: '', summary: '', options: {} });

/** What people type, and what programs pass. */
const value = fc.oneof(
  anyText({ maxLength: 20 }),
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '1e3',
    '0x10',
    '1,2',
    ',',
    ' 8 ',
    '1.5',
    'auto',
    '5s',
    '1h30m',
    'NaN',
    '∞',
    'tcp,tcp',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'redis:__proto__'),
  fc.integer().map(String),
  fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true }),
  fc.constantFrom(Symbol('a'), Number.NaN, -0, Number.POSITIVE_INFINITY),
);

/**
 * @param {() => unknown} work
 * @param {RegExp} message of the only error there may be
 */
function worksOrSays(work, message) {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof UsageError, String(/** @type {any} */ (error)?.stack));
    assert.match(error.message, message);
    assert.ok(!error.message.includes('\n') || error.message.length < 10_000);
    return undefined;
  }
}

describe('options, whatever they are given', () => {
  for (const [table, options] of Object.entries({ run: OPTIONS, calibrate: CALIBRATE_OPTIONS })) {
    it(`of ${table} are read, or refused by their name`, () => {
      const specs = /** @type {OptionSpec[]} */ (Object.values(options));
      fc.assert(
        fc.property(fc.constantFrom(...specs), value, (spec, given) => {
          const flag = spec.flag.split(' ')[0];
          const read = worksOrSays(() => readOption(spec, given), new RegExp(`^${flag}: `));
          // What was read is read the same again: suites and programs pass values, people text.
          if (read !== undefined) assert.deepEqual(readOption(spec, read), read);
        }),
        TRIES,
      );
    });
  }

  it('together give settings, or say which option is wrong', () => {
    const given = fc.dictionary(fc.constantFrom(...Object.keys(OPTIONS), '__proto__', 'taks'), value, {
      maxKeys: 4,
    });
    fc.assert(
      fc.property(given, (options) => {
        const settings = worksOrSays(() => resolveOptions(options, SUITE), /--[a-z]|option '/);
        if (settings !== undefined)
          assert.deepEqual(
            Object.keys(/** @type {object} */ (settings)).sort(),
            [...Object.keys(OPTIONS), 'races'].sort(),
          );
      }),
      TRIES,
    );
  });

  it('a URL is read or refused, and its password is in no message', () => {
    const secret = fc
      .string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 12 })
      .map((text) => `S3${text}`);
    const host = fc.constantFrom(
      '127.0.0.1',
      'localhost:6379',
      '[::1]:1',
      '',
      'host:port',
      'a b',
      '127.0.0.1:99999',
    );
    const rest = fc.oneof(fc.constantFrom('', '/', '/0', '/x', '/1?a', '#b'), fc.string({ maxLength: 5 }));
    const scheme = fc.constantFrom('redis', 'rediss', 'unix', 'http', '');
    fc.assert(
      fc.property(scheme, fc.boolean(), secret, host, rest, (protocol, named, password, where, tail) => {
        const url = `${protocol}://${named ? 'user' : ''}:${password}@${where}${tail}`;
        try {
          parseUrl(url);
        } catch (error) {
          assert.ok(error instanceof UsageError, String(error));
          assert.ok(!error.message.includes(password), error.message);
        }
      }),
      TRIES,
    );
  });
});
