import assert from 'node:assert/strict';
import { checkReferences, findCell } from '../../../../src/commands/benchmark/assertions.js';
import { createFixture } from '../../../helpers/report-fixture.js';

/** @import { Cell } from '../../../../src/run/plan/types.js' */

describe('assertions/references', () => {
  /** @type {Cell[]} */
  let cells;
  before(async () => {
    const report = await createFixture({
      given: {
        clients: 'redis,redis,redis:tuned,ioredis',
        scenarios: 'pool,shared-connection',
        tasks: '1,8',
      },
      packages: { redis: '6.0.0' },
      measured: () => null,
    });
    cells = report.cells;
  });

  for (const [name, parts] of /** @type {[string, string[]][]} */ ([
    ['redis:tuned/pool/8', ['redis:tuned', 'pool', '8']],
    ['redis:tuned/pool:generic:3/8', ['redis:tuned', 'pool:generic:3', '8']],
    ['8/pool/redis:tuned', ['redis:tuned', 'pool', '8']],
    ['redis/shared-connection/1', ['redis:default', 'shared-connection', '1']],
    ['redis:default/pool/1', ['redis:default', 'pool', '1']],
    ['redis#2/pool/1', ['redis:default#2', 'pool', '1']],
    ['redis:tuned, shared connection, 8', ['redis:tuned', 'shared-connection', '8']],
  ])) {
    it(`${name} is one cell`, () => {
      const { id } = findCell(name, cells);
      assert.ok(
        parts.every((part) => id.split('/').some((each) => `${each}:`.startsWith(`${part}:`))),
        id,
      );
    });
  }

  /** @type {[string, RegExp][]} */
  const REFUSED = [
    [
      'pool',
      /'pool' is the name of 6 cells; name more of their parts: redis:default\/pool\b.*redis:tuned\/pool\b/,
    ],
    ['redis:tuned/pool', /is the name of 2 cells/],
    ['poool', /no cell has the name 'poool'; there are redis:default\/pool.*4 more$/],
    ['ioredis/pool/1', /'ioredis\/pool\/1' is skipped$/],
  ];
  for (const [name, message] of REFUSED) {
    it(`refuses ${name}`, () => assert.throws(() => findCell(name, cells), { name: 'UsageError', message }));
  }

  it('checks all assertions of a plan', () => {
    checkReferences(['redis/pool/1.p50Us < 1'], false, cells);
    assert.throws(() => checkReferences(['redis/pool/1.p50Us < 1 and pool.p50Us < 1'], false, cells), {
      name: 'UsageError',
      message: /^--assert: 'pool' is the name of 6 cells/,
    });
  });

  it('refuses a metric without intervals where they are needed', () => {
    checkReferences(['redis/pool/1.p99Us < 1'], true, cells);
    assert.throws(() => checkReferences(['redis/pool/1.clientBusy < 1'], true, cells), {
      name: 'UsageError',
      message: /^--assert: --assert-strict needs intervals, which 'clientBusy' has not; use one of averageMs/,
    });
  });
});
