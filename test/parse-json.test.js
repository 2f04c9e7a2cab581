import assert from 'node:assert/strict';
import { parseJson } from '../src/parse-json.js';

describe('json', () => {
  for (const [text, line, column] of /** @type {[string, number, number][]} */ ([
    ['{nope', 1, 2],
    ['{"a":hunter2}', 1, 6],
    ['{"password": "hunter2",\n x}', 2, 2],
    ['{"password":\n  "hunter2"\n  "b": 1}', 3, 3],
    ['[1,2,]', 1, 6],
    ['{"a": "hunter2', 1, 15],
    ['{"a": -}', 1, 8],
    ['{} hunter2', 1, 4],
    ['', 1, 1],
  ])) {
    it(`names the place of an error and quotes nothing: ${JSON.stringify(text)}`, () =>
      assert.throws(() => parseJson(text), {
        message: `expected JSON, but there is an error in line ${line}, column ${column}`,
      }));
  }

  it('refuses what would overflow the stack of its readers', () =>
    assert.throws(() => parseJson(`${'['.repeat(9000)}${']'.repeat(9000)}`), /more than 100 levels/));
});
