import assert from 'node:assert/strict';
import { rankingText } from '../../../src/report/words/fault-ranking-words.js';
import { createFixture } from '../../helpers/report-fixture.js';

/** @import { FaultRanking } from '../../../src/analysis/types.js' */

const range = (/** @type {number} */ low, high = low) => ({ low, high, never: false });

/** @type {Omit<FaultRanking, 'cells'>} */
const SOUND = {
  faults: 2,
  harmed: 0,
  neverHeld: 0,
  heldInNone: 0,
  runs: range(3),
  longestWaitMs: range(2000),
  failedShare: range(0),
};

/** @param {Partial<FaultRanking>[]} ranks of redis, ioredis and iovalkey in this order, the best first */
async function told(...ranks) {
  const { cells } = await createFixture({
    given: { clients: 'redis,ioredis,iovalkey', scenarios: 'pool', tasks: 4 },
    measured: () => null,
  });
  const ranking = ranks.map((rank, place) => ({ ...SOUND, cells: [cells[place].id], ...rank }));
  return rankingText({ ranking }, { measured: cells });
}

describe('words/fault-ranking-words', () => {
  it('one run is never told as more than that', async () => {
    const runs = range(1);
    const text = await told({ runs }, { runs, longestWaitMs: range(9000), faults: 1 });
    assert.match(text, /^In one run of each fault, all lost nothing .*One run is no test: --runs 3/);
    assert.doesNotMatch(await told({}, { longestWaitMs: range(9000) }), /no test/);
    assert.match(await told({ faults: 1 }), /^In 3 runs each, /);
  });

  it('what the runs do not tell apart is named together', async () => {
    const text = await told({}, { longestWaitMs: range(3900, 5000) }, { longestWaitMs: range(4100, 5000) });
    assert.match(
      text,
      /"redis.*" and "ioredis.*" let callers wait least: 2 s to 5 s at most, with no operation failed\./,
    );
    const sometimes = { neverHeld: 1, heldInNone: 0 };
    assert.match(await told({}, sometimes), /, all lost nothing .* the rate not held again in 1 of 2 faults/);
  });

  it('who fails at once until the end does not let callers wait least', async () => {
    const failsForEver = { neverHeld: 1, heldInNone: 1, longestWaitMs: range(250), failedShare: range(0.5) };
    assert.match(
      await told({}, failsForEver),
      /, only "redis[^"]*" lost nothing .*, answered every caller and held the rate again after every fault: 2 s/,
    );
    assert.match(
      await told({ longestWaitMs: range(900) }, { longestWaitMs: range(9000) }, failsForEver),
      /, of those that .* and held the rate again after every fault, "redis[^"]*" let callers wait least: 900 ms/,
    );
    assert.match(
      await told({ neverHeld: 1, heldInNone: 1 }, { ...failsForEver, neverHeld: 2, heldInNone: 2 }),
      /and held the rate again after 1 of 2 faults: 2 s/,
    );
  });

  it('no difference is told as none, and of whom', async () => {
    const others = [{ longestWaitMs: range(2100) }, { harmed: 1 }];
    assert.match(
      await told({ failedShare: range(0.0001) }, ...others),
      /, only "redis.*" and "ioredis.*" lost nothing .* no difference shows in waiting or failing: 2 s to 2\.1 s at most, with under 0\.1 %/,
    );
    assert.match(await told({}, {}), /, all lost nothing that .* no difference shows/);
  });

  it('waiting and failing each have their best', async () => {
    const quick = { longestWaitMs: range(50), failedShare: range(0.1, 0.18) };
    assert.match(
      await told(quick, {}),
      /"redis.*" let callers wait least: 50 ms at most, with 10 % to 18 % .* failed; "ioredis.*" failed least: 2 s at most, with no/,
    );
    assert.match(
      await told({ failedShare: range(0.1) }, {}),
      /waited about as long with each; "ioredis.*" failed least: 2 s/,
    );
  });

  it('where all were harmed, nobody is praised for it', async () => {
    assert.match(await told({ harmed: 1 }, { harmed: 1 }), /: each had harm in 1 of 2 faults\./);
    assert.match(await told({ harmed: 1 }, { harmed: 2 }), /; "redis.*" came nearest, with harm in 1 of 2/);
  });
});
