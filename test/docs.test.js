import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CALIBRATE_OPTIONS, loadOptions } from '../src/index.js';

const OPTIONS = await loadOptions();
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name)),
].map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

/** Flags that belong to other programs, or to commander itself. */
const NOT_OURS = new Set(['--help', '--version', '--test-time', '--frozen-lockfile', '--parallel']);

/** @param {string} heading @returns {string} its anchor, made as GitHub makes it */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-');

/** @param {string} text */
const anchorsOf = (text) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));

/** @returns {Set<string>} every flag that any command has, `--no-…` and its opposite among them */
function knownFlags() {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'));
  const ofCommands = sources
    .flatMap((code) => [...code.matchAll(/['"`](--[a-z][a-z-]*)\b/g)])
    .map(([, flag]) => flag);
  const ofTables = [...Object.values(OPTIONS), ...Object.values(CALIBRATE_OPTIONS)].map(
    ({ flag }) => flag.match(/--[a-z-]+/)?.[0] ?? '',
  );
  return new Set([...ofCommands, ...ofTables]);
}

describe('the documents', () => {
  for (const { file, text } of PAGES) {
    it(`${file}: every link leads to a page and a heading that exist`, () => {
      const broken = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
        .map(([, path, anchor]) => ({ target: path === '' ? file : join(dirname(file), path), anchor }))
        .filter(
          ({ target, anchor }) =>
            !existsSync(join(ROOT, target)) ||
            (anchor !== undefined && !anchorsOf(readFileSync(join(ROOT, target), 'utf8')).includes(anchor)),
        );
      assert.deepEqual(broken, []);
    });

    it(`${file}: every option that it names exists`, () => {
      const known = knownFlags();
      const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag);
      assert.deepEqual(
        named.filter((flag) => !known.has(flag) && !NOT_OURS.has(flag)),
        [],
      );
    });
  }

  it('every option of a benchmark is explained', () => {
    const all = PAGES.map(({ text }) => text).join('\n');
    const flags = Object.values(OPTIONS).map(({ flag }) => flag.match(/--(?:no-)?([a-z-]+)/)?.[1] ?? '');
    assert.deepEqual(
      flags.filter((name) => !new RegExp(`--(?:no-)?${name}(?![a-z-])`).test(all)),
      [],
    );
  });

  it('every page of docs/ is linked from the README and links back', () => {
    const [readme] = PAGES;
    for (const { file, text } of PAGES.slice(2)) {
      assert.ok(readme.text.includes(`](${file}`), `README.md has no link to ${file}`);
      assert.ok(text.includes(`](${relative('docs', 'README.md')})`), `${file} has no link to README.md`);
    }
  });
});
