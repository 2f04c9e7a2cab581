import assert from 'node:assert/strict';
import { linesOf, parseJson, withoutMark } from '../../src/core/read-file.js';

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

describe('lines of chunks', () => {
  /** @param {string[]} chunks @param {number} longest */
  async function split(chunks, longest) {
    /** @type {string[]} */
    const told = [];
    async function* bytes() {
      for (const chunk of chunks) yield Buffer.from(chunk);
    }
    for await (const lines of linesOf(bytes(), longest, () => new Error(`too long after ${told}`)))
      for (const { text, whole } of lines) told.push(`${text}${whole ? '' : ' torn'}`);
    return told.join(' ');
  }

  it('are put together, wherever the chunks end', async () => {
    const text = 'one\n\nthree and more\nlast';
    for (let size = 1; size <= text.length; size++) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      assert.equal(await split(chunks, 100), 'one  three and more last torn', `chunks of ${size}`);
    }
  });

  it('are refused when they are too long, as soon as they are', async () => {
    assert.equal(await split(['abcd\nab', 'cd\nx'], 4), 'abcd abcd x torn');
    await assert.rejects(split(['abcd\n', 'abcde\n'], 4), /too long after abcd$/);
    await assert.rejects(split(['ab', 'cde'], 4), /too long after $/);
    assert.equal(withoutMark('\uFEFF{}'), '{}');
  });
});
