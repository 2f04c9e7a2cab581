import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadOptions } from '../src/options/catalogue.js';
import { OPTIONS } from '../src/options/option-table.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** As strict as a project can be; types of this package's dependencies are checked, too. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
  },
  include: ['*.ts'],
};

describe('the types of the package', () => {
  /** @type {string} */
  let project;
  before(() => {
    project = mkdtempSync(join(tmpdir(), 'rpb-types-'));
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(ROOT, join(project, 'node_modules', 'redis-pipe-bench'));
    writeFileSync(join(project, 'package.json'), '{"type": "module"}');
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  });
  after(() => rmSync(project, { recursive: true }));

  it('a strict project compiles what the documents show and what is right, and nothing else', async () => {
    copyFileSync(join(ROOT, 'test/types/program.ts'), join(project, 'program.ts'));
    const page = readFileSync(join(ROOT, 'docs/results.md'), 'utf8');
    const shown = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
    assert.ok(shown.length > 1);
    shown.forEach((code, index) => {
      writeFileSync(join(project, `shown-${index}.ts`), `import console from 'node:console';\n${code}`);
    });
    const { stdout } = await promisify(execFile)(process.execPath, [TSC, '-p', project]).catch(
      (error) => error,
    );
    assert.equal(stdout, '');
  });

  it('know every option that plugins bring', async () => {
    const all = Object.keys(await loadOptions()).filter((name) => !(name in OPTIONS));
    const [, body] = /^export interface PluginOptions \{([^}]*)\}/m.exec(
      readFileSync(join(ROOT, 'src/api.d.ts'), 'utf8'),
    ) ?? ['', ''];
    assert.deepEqual(
      [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name),
      all,
    );
  });
});
