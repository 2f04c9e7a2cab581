import assert from 'node:assert/strict';
import { WARNING_WORDS } from '../../../src/report/words/warning-words.js';

/** @param {number} tellsApart */
const said = (tellsApart) => {
  const found = /** @type {any} */ ([{ kind: 'control', group: 'g', cells: [], starts: 2, tellsApart }]);
  return [...WARNING_WORDS.control.sure(found), ...WARNING_WORDS.control.details(found)].join('\n');
};

describe('report/words: what this machine can tell apart', () => {
  it('is a share', () => assert.match(said(0.19), /Noise: differences under 19 % are too small/));

  it('is no figure where it would be ten times as much', () => {
    assert.match(said(67065), /^Noise: restarts differ too much, or are too few/);
    assert.doesNotMatch(said(67065), /%/);
  });
});
