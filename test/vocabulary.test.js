import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { bannedIn, textsOf } from './helpers/vocabulary.js';

const ROOT = new URL('../', import.meta.url);

/** Texts with a banned word that is the right one there. @type {Record<string, string>} reason by text */
const ALLOWED = {
  'batch held for': 'a window holds a batch back; the title is in saved csv files',
  "'not held'": 'the name of a state, not printed',
  "' beside '": 'the name of a workload, as it is saved',
};

/** @param {string} folder @param {string} ending @returns {string[]} from the root */
const filesIn = (folder, ending) =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}${file.replaceAll('\\', '/')}`);

const read = (/** @type {string} */ file) => readFileSync(new URL(file, ROOT), 'utf8');

/** @param {string} file @returns {string[]} of its prose: what stands in blocks is printed by the code */
function bannedInPage(file) {
  let isBlock = false;
  return read(file)
    .split('\n')
    .flatMap((line, index) => {
      if (line.trimStart().startsWith('```')) isBlock = !isBlock;
      return isBlock || Object.keys(ALLOWED).some((text) => line.includes(text))
        ? []
        : bannedIn(line, `${file}:${index + 1}`);
    });
}

/** @param {string} file @returns {string[]} */
const bannedInCode = (file) =>
  textsOf(read(file), file).flatMap(({ where, text }) => bannedIn(withoutAllowed(text), where));

/** @param {string} text */
const withoutAllowed = (text) =>
  Object.keys(ALLOWED).reduce((rest, allowed) => rest.replaceAll(allowed, ''), text);

describe('the vocabulary', () => {
  const code = filesIn('src/', '.js');
  const pages = [...filesIn('docs/', '.md'), 'README.md', 'CONTRIBUTING.md'];

  it('has no banned word in any text of the code', () => {
    assert.deepEqual(code.flatMap(bannedInCode), []);
  });

  it('has none in any page', () => {
    assert.deepEqual(pages.flatMap(bannedInPage), []);
  });

  it('has no exception without need', () => {
    const texts = code.flatMap((file) => textsOf(read(file), file).map(({ text }) => text)).join('\n');
    const prose = pages.map(read).join('');
    assert.deepEqual(
      Object.keys(ALLOWED).filter((text) => !texts.includes(text) && !prose.includes(text)),
      [],
    );
  });

  it('finds what it looks for, in a string, in a template and in a page, and not in names and comments', () => {
    const sample = `
      /** operations under way */
      const inFlight = 1; // held
      const one = 'at most 8 under way';
      const other = \`\${client} held no rate, \${us} an operation\`;
      const field = 'held';`;
    const found = textsOf(sample, 'x.js').flatMap(({ where, text }) => bannedIn(text, where));
    assert.deepEqual(
      found.map((line) => line.split(' in ')[0]),
      ['x.js:4: "under way"', 'x.js:5: "held"', 'x.js:5: "} an operation"'],
    );
    assert.equal(bannedIn('Nearby, the client decides', 'README.md').length, 1);
  });
});
