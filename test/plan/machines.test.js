import assert from 'node:assert/strict';
import { shareConflict } from '../../src/plan/machines.js';

describe('plan/machines', () => {
  it('says why tasks cannot be shared', () => {
    assert.equal(shareConflict({ tasks: 2, machines: 2 }), null);
    assert.equal(
      shareConflict({ tasks: 1, machines: 2 }),
      '1 task cannot be shared by 2 machines: each needs one',
    );
    assert.match(String(shareConflict({ tasks: 2, machines: 3 })), /^2 tasks cannot/);
  });
});
