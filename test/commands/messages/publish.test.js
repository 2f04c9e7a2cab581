import assert from 'node:assert/strict';
import publish from '../../../src/commands/messages/workloads/publish.js';

describe('messages/publish', () => {
  it('takes a number of subscribers, and whether they are a process of their own', () => {
    for (const [argument, count, apart] of /** @type {const} */ ([
      [undefined, 1, false],
      ['3', 3, false],
      ['apart', 1, true],
      ['100:apart', 100, true],
    ]))
      assert.deepEqual(publish.parse(argument), { count, apart }, argument);
    for (const argument of ['', '0', '101', '3apart', '3:', ':apart', 'apart:3', 'apartx', '-1', '1.5'])
      assert.throws(
        () => publish.parse(argument),
        /from 1 to 100, as in publish:3, and publish:3:apart/,
        argument,
      );
  });
});
