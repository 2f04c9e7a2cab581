import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mayMakeSentences, PARTS_OF_ERRORS, sentencesIn } from '../../helpers/sentences.js';
import { tokensOf } from '../../helpers/tokens.js';

const ROOT = new URL('../../../', import.meta.url);

/** @param {string} code @returns {string[]} */
const textsIn = (code) => sentencesIn(tokensOf(code)).map(({ text, line }) => `${line}: ${text}`);

/** @param {string} file */
const foundIn = (file) => textsIn(readFileSync(new URL(file, ROOT), 'utf8'));

describe('sentences that are stored or reported', () => {
  it('are made in report/words alone', () => {
    const files = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file.replaceAll('\\', '/')}`)
      .filter(mayMakeSentences);
    assert.deepEqual(
      files.flatMap((file) => foundIn(file).map((text) => `${file}:${text}`)),
      [],
    );
  });

  it('are found where one is made, errors are not', () => {
    assert.deepEqual(textsIn("const a = 1;\nreturn { skipped: 'a unix socket has no distance' };"), [
      "2: 'a unix socket has no distance'",
    ]);
    assert.equal(textsIn('warnings.push(`the server evicted some of the keys it had`);').length, 1);
    assert.deepEqual(textsIn("throw new RunError('the server does not reply any more');"), []);
  });

  it('are excepted only in files that make parts of errors', () => {
    for (const file of Object.keys(PARTS_OF_ERRORS)) assert.notDeepEqual(foundIn(file), [], file);
  });
});
