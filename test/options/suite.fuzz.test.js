import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UsageError } from '../../src/errors.js';
import { OPTIONS } from '../../src/options/option-table.js';
import { resolveOptions } from '../../src/options/resolve-options.js';
import { readSuite } from '../../src/options/suite.js';
import { pluginIds } from '../../src/plugins/registry.js';

/** JSON, in which an object may be one that no template text can hold. */
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom({ toString: 1, valueOf: 1 }, [{ toString: null }], '__proto__', 'constructor', ''),
  fc.constantFrom('redis', 'redis:tuned', 'pool:2', '1,2', '5s', 'get', 'mix:get=1', 'p50Us < 1', 'a.b.c'),
);
const suite = fc.oneof(
  json,
  fc.record(
    {
      id: json,
      title: json,
      summary: json,
      assertions: json,
      options: fc.oneof(
        json,
        fc.dictionary(fc.constantFrom(...Object.keys(OPTIONS), 'toString', 'taks'), json, { maxKeys: 4 }),
      ),
    },
    { requiredKeys: [] },
  ),
);

describe('options/suite, whatever a file holds', () => {
  it('is a suite that can be resolved, or refused by its name', () => {
    fc.assert(
      fc.property(suite, (given) => {
        try {
          resolveOptions({}, readSuite(given, { name: 'mine.json', id: 'mine' }, pluginIds));
        } catch (error) {
          assert.ok(error instanceof UsageError, String(/** @type {any} */ (error)?.stack));
        }
        assert.equal(/** @type {any} */ ({}).polluted, undefined);
      }),
      { numRuns: 10_000 },
    );
  });
});
