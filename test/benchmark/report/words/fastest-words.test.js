import assert from 'node:assert/strict';
import { createFixture, goodRun } from '../../../helpers/report-fixture.js';

/**
 * The sentence for a group of node-redis cells.
 *
 * @param {Record<string, number[]>} averages of the runs of each scenario, in ms; none where not measured
 */
async function sentence(averages) {
  const { comparisons } = await createFixture({
    given: { clients: 'redis', scenarios: Object.keys(averages), runs: 3, tasks: 10 },
    measured: ({ tasks, scenario }) => ({
      iterations: 1000,
      runs: averages[scenario].map((averageMs, index) =>
        goodRun(index + 1, { tasks, iterations: 1000, averageMs }),
      ),
    }),
  });
  return comparisons[0].conclusion;
}

describe('words/fastest-words', () => {
  it('claims no difference between those that vary more than they differ', async () => {
    const text = await sentence({ pool: [100, 110, 120], 'shared-connection': [101, 111, 121] });
    assert.match(text, /"redis, pool of 3"/);
    assert.match(text, /"redis, shared connection"/);
    assert.match(text, /no significant difference between them/);
    assert.doesNotMatch(text, /is fastest|as fast as/);
  });

  it('does not count as fastest what is much slower, though so few runs do not show it', async () => {
    const text = await sentence({
      pool: [100, 400],
      'shared-connection': [50, 51],
      'connection-per-task': [50, 52],
    });
    assert.match(text, /no significant difference between them \(about 1/);
    assert.match(text, / have the highest medians, with no significant/);
    assert.match(
      text,
      /Maybe slower, but not proven: "redis, pool of 3" \(3\.2x\)\. Use more --runs and --starts\.$/,
    );
    assert.equal(text.match(/"redis, pool of 3"/g)?.length, 1);
  });

  it('calls none the fastest beside one that may be as fast', async () => {
    const text = await sentence({ pool: [100, 700], 'shared-connection': [50, 51] });
    assert.match(
      text,
      /^"redis, shared connection" has the highest median, 19\d,\d+ operations per second\. Maybe slower/,
    );
    assert.doesNotMatch(text, /fastest/);
  });

  it('says nothing of a cell with a single run beside others', async () => {
    const text = await sentence({
      pool: [300],
      'shared-connection': [100, 101, 102],
      'open-and-close': [900, 910, 920],
    });
    assert.match(text, /^"redis, shared connection" is fastest/);
    assert.doesNotMatch(text, /pool/);
  });
});
