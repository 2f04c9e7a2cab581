import assert from 'node:assert/strict';
import { animated, colorsWanted } from '../../src/cli/terminal.js';

/** @import { Output } from '../../src/cli/types.js' */

const TERMINAL = /** @type {Output} */ ({ isTTY: true });
const PIPE = /** @type {Output} */ ({});

describe('cli/terminal', () => {
  for (const [stream, env, expected] of /** @type {const} */ ([
    ['terminal', {}, true],
    ['pipe', {}, false],
    ['terminal', { NO_COLOR: '1' }, false],
    ['terminal', { NO_COLOR: '' }, true],
    ['pipe', { FORCE_COLOR: '1' }, true],
    ['terminal', { FORCE_COLOR: '0' }, false],
    ['pipe', { FORCE_COLOR: '' }, false],
    ['terminal', { FORCE_COLOR: '' }, true],
    ['pipe', { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    ['terminal', { CI: 'true' }, false],
    ['terminal', { TERM: 'dumb' }, false],
    ['pipe', { FORCE_COLOR: '1', CI: 'true' }, true],
  ])) {
    it(`${expected ? 'colours' : 'no colours'} on a ${stream} with ${JSON.stringify(env)}`, () => {
      assert.equal(colorsWanted(stream === 'pipe' ? PIPE : TERMINAL, env), expected);
    });
  }

  it('no animation in a pipe, in CI, on a dumb terminal, even with forced colours', () => {
    assert.equal(animated(TERMINAL, {}), true);
    assert.equal(animated(PIPE, { FORCE_COLOR: '1' }), false);
    assert.equal(animated(TERMINAL, { CI: '1' }), false);
    assert.equal(animated(TERMINAL, { TERM: 'dumb' }), false);
  });
});
