/**
 * Prints the outputs in README and docs again, each from its saved result:
 *
 *     node test/docs/write.js
 *
 * Do this after a change of words that is meant, or of a page's markers (`outputs.js`), and look at the diff.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withOutputs } from './outputs.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

for (const page of ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name))]) {
  const file = join(ROOT, page);
  const before = readFileSync(file, 'utf8');
  const after = await withOutputs(before);
  if (after === before) continue;
  writeFileSync(file, after);
  process.stdout.write(`${page}: printed again\n`);
}
