import assert from 'node:assert/strict';
import { clockText } from '../../../src/cli/commands/agents.js';

describe('cli/commands/agents', () => {
  it('says how far a clock is ahead', () => {
    assert.equal(clockText(-0.3, 0.2), '0 ms ± 0.2');
    assert.equal(clockText(-12.4, 0.2), '-12 ms ± 0.2');
    assert.equal(clockText(3, 0.25), '+3 ms ± 0.3');
  });
});
