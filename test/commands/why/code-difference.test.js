import assert from 'node:assert/strict';
import { codeCosts, codeDifference } from '../../../src/commands/benchmark/judge/code-costs.js';
import { profiledCell } from '../../helpers/profile-fixture.js';

/** @param {{garbage: number}} figures µs of the 1,000 that were sampled */
const cell = ({ garbage }, cpuUsPerOp = 10) =>
  profiledCell(
    [
      ['garbage', null, null, 'garbage collection', garbage],
      ['package', 'redis', 'lib/queue.js', 'push', 300],
      ['node', null, 'timers', 'setTimeout', 1e6 - 300 - garbage],
    ],
    cpuUsPerOp,
  );

describe('commands/why/code-difference: code-costs', () => {
  it('is the part of each in the profile, of the CPU of the timed runs', () => {
    const costs = codeCosts(cell({ garbage: 400_000 }));
    assert.equal(costs?.perOp, 10);
    const garbage = costs?.parts.find(({ part }) => part === 'garbage');
    assert.ok(Math.abs(Number(garbage?.perOp) - 4) < 1e-9);
    for (const level of /** @type {const} */ (['kinds', 'parts', 'modules'])) {
      const all = costs?.[level].reduce((sum, { perOp }) => sum + perOp, 0);
      assert.ok(Math.abs(Number(all) - 10) < 1e-9, level);
    }
  });

  it('has the binomial error where all samples count alike', () => {
    const garbage = codeCosts(cell({ garbage: 400_000 }))?.parts.find(({ part }) => part === 'garbage');
    // 4,000 samples of 250 µs.
    const expected = 10 * Math.sqrt((0.4 * 0.6) / 4000);
    assert.ok(Math.abs(Number(garbage?.error) / expected - 1) < 0.01, `${garbage?.error} and ${expected}`);
  });

  it('misses what samples do not account for, but not the time in which the event loop polls', () => {
    const polling = profiledCell(
      [
        ['poll', null, null, 'polling and reading sockets', 400_000],
        ['package', 'redis', 'lib/queue.js', 'push', 600_000],
      ],
      10,
    );
    /** @param {number} eventLoopUtilization of 10 µs for each operation */
    const missed = (eventLoopUtilization) => {
      const client = { cpuUsPerOp: 10, eventLoopUtilization };
      const summary = /** @type {any} */ ({ client, opsPerSecond: 100_000, intervals: {} });
      return Number(codeCosts({ ...polling, summary })?.missed);
    };
    assert.ok(Math.abs(missed(1) - 0.4) < 1e-9);
    assert.ok(Math.abs(missed(0.6)) < 1e-9);
  });

  it('is unknown without a profile, or without a result', () => {
    assert.equal(codeCosts({ ...cell({ garbage: 1 }), profiles: undefined }), null);
    assert.equal(codeCosts({ ...cell({ garbage: 1 }), summary: null }), null);
  });
});

describe('commands/why/code-difference', () => {
  it('names what differs by more than the error of sampling, and nothing else', () => {
    const near = codeDifference(cell({ garbage: 400_000 }), cell({ garbage: 420_000 }));
    assert.deepEqual(near?.functions, []);
    const far = codeDifference(cell({ garbage: 600_000 }), cell({ garbage: 200_000 }));
    assert.deepEqual(
      far?.functions.map(({ name, more }) => [name, Math.round(more)]),
      [
        ['garbage collection', 4],
        ['setTimeout', -4],
      ],
    );
  });

  it('names what timed runs of uneven length still carry', () => {
    const uneven = (/** @type {number} */ garbage, /** @type {number} */ perOp) => {
      const { summary, ...rest } = cell({ garbage }, perOp);
      const cpuUsPerOp = { low: 0.7 * perOp, high: 1.3 * perOp };
      return { ...rest, summary: /** @type {any} */ ({ ...summary, intervals: { cpuUsPerOp } }) };
    };
    const named = (/** @type {number} */ against) =>
      codeDifference(uneven(500_000, 16), uneven(500_000, against))?.kinds.map(({ part }) => part);
    assert.deepEqual(named(8), ['garbage', 'node']);
    assert.deepEqual(named(11), []);
  });

  it('is the same the other way round, with the signs exchanged', () => {
    const [one, other] = [cell({ garbage: 600_000 }, 12), cell({ garbage: 200_000 }, 3)];
    const more = codeDifference(one, other)?.kinds.map((each) => each.more);
    const less = codeDifference(other, one)?.kinds.map((each) => -each.more);
    assert.deepEqual(more, less);
    assert.ok(Number(more?.length) > 0);
  });
});
