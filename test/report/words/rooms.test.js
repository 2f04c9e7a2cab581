import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mayMakeSentences, sentencesIn } from '../../helpers/sentences.js';
import { tokensOf } from '../../helpers/tokens.js';

const SRC = new URL('../../../src/', import.meta.url);

/** What they say is stored or shown as it is made: reasons to skip, notes of a benchmark, what a replay leaves out. */
const ROOMS = ['agents', 'machine', 'plugins', 'results', 'runner', 'server', 'traffic', 'worker'];

describe('rooms that make sentences', () => {
  it('are few, and no new one comes', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file.replaceAll('\\', '/')}`)
      .filter(mayMakeSentences);
    const found = files.filter(
      (file) => sentencesIn(tokensOf(readFileSync(new URL(`../${file}`, SRC), 'utf8'))) > 0,
    );
    assert.deepEqual([...new Set(found.map((file) => file.split('/')[1]))].sort(), ROOMS);
  });
});
