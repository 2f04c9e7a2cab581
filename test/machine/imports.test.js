import assert from 'node:assert/strict';
import { loadedByEnvironment } from '../../src/machine/imports.js';

describe('machine/imports', () => {
  const { NODE_OPTIONS: before } = process.env;
  afterEach(() => {
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  });

  it('knows which NODE_OPTIONS load modules, and shows no secret of them', () => {
    for (const [options, expected] of [
      ['', null],
      ['--max-old-space-size=4000 --enable-source-maps', null],
      ['--conditions=--import', null],
      ['-r dd-trace/init', '-r dd-trace/init'],
      ['--max-old-space-size=4000 --require=./a.cjs', '--max-old-space-size=4000 --require=./a.cjs'],
      ['--import ./otel.mjs?url=redis://user:secret@host', '--import ./otel.mjs?url=redis://***@host'],
      ['--experimental-loader ./loader.mjs', '--experimental-loader ./loader.mjs'],
    ]) {
      process.env.NODE_OPTIONS = `${options}`;
      assert.equal(loadedByEnvironment(), expected);
    }
  });
});
