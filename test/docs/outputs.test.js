import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MARKED } from './commands.js';
import { HOW, withOutputs } from './outputs.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name))].map(
  (file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }),
);

describe('the outputs in the documents', () => {
  for (const { file, text } of PAGES) {
    it(`${file}: what it shows is what is printed`, async () => {
      const printed = (await withOutputs(text)).split('\n');
      const line = printed.findIndex((each, index) => each !== text.split('\n')[index]);
      if (line !== -1) assert.fail(`${file}, line ${line + 1}: another output is printed now; ${HOW}`);
    });
  }

  it('show every saved result of test/docs', () => {
    const all = PAGES.map(({ text }) => text).join('\n');
    const shown = new Set(
      [...all.matchAll(MARKED)].flatMap(([, , marker]) => marker.split(' | ')[0].split(' ')),
    );
    const saved = readdirSync(join(ROOT, 'test/docs')).filter((name) => name.endsWith('.gz'));
    assert.deepEqual(
      saved.filter((name) => !shown.has(name.split('.')[0])),
      [],
    );
  });
});
