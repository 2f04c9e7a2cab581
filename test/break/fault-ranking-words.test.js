import assert from 'node:assert/strict';
import { ratedGrid } from '../../src/benchmark/report/tables/rated-grid.js';
import { struckRun } from '../helpers/fault-fixture.js';
import { createFixture, goodRun } from '../helpers/report-fixture.js';
import { detailsOf, sentencesIn } from '../helpers/said.js';

/** @typedef {Parameters<typeof struckRun>[0]} Facts */

/**
 * @param {Record<string, Record<string, Facts | Facts[]>>} outcomes of each client by fault: of one run, or of each
 * @param {Record<string, unknown>} [given]
 */
function reportOf(outcomes, given = {}) {
  const clients = Object.keys(outcomes);
  return createFixture({
    packages: { redis: '6.3.1', ioredis: '6.0.0', iovalkey: '0.4.0' },
    given: {
      clients: clients.join(','),
      fault: [...new Set(Object.values(outcomes).flatMap((each) => Object.keys(each)))].join(','),
      durationMs: 3000,
      rate: '1000',
      ...given,
    },
    measured: (cell) => {
      const facts = outcomes[cell.client]?.[String(cell.fault?.name)];
      if (facts === undefined) return null;
      const runs = (Array.isArray(facts) ? facts : [facts, facts, facts]).map((each, index) => ({
        ...goodRun(index + 1, { tasks: 8, iterations: 100, averageMs: 1 }),
        fault: struckRun(each),
      }));
      return { iterations: null, runs };
    },
  });
}

/** @param {Parameters<typeof reportOf>} facts */
const adviceOf = async (...facts) => sentencesIn(await reportOf(...facts));
/** @param {Parameters<typeof reportOf>} facts @returns what the first screen says of it, and below it each cell's sentence */
async function told(...facts) {
  const report = await reportOf(...facts);
  return [...sentencesIn(report), ...report.comparisons.map((_, index) => detailsOf(report, index))].join(
    '\n',
  );
}

const STALL = 'stall:2s';

describe('words/fault-ranking-words', () => {
  it('reports one run as no more than that', async () => {
    assert.match(
      await told({ redis: { cut: [{}] } }),
      /^In one run each, "redis.*" never lost or repeated a write, and no caller was left waiting\.\nConfidence: one run proves little; --runs 3/,
    );
    const [first] = await adviceOf({ redis: { cut: {}, [STALL]: {} }, ioredis: { cut: {}, [STALL]: {} } });
    assert.equal(
      first,
      'In 3 runs of each fault, no client lost or repeated a write, and no caller was left waiting.',
    );
  });

  it("a stall's wait does not hide a cut's", async () => {
    const text = await told({
      redis: { cut: { longestWaitMs: 13 }, [STALL]: {} },
      ioredis: { cut: { longestWaitMs: 1100 }, [STALL]: {} },
    });
    assert.match(text, /^Shortest waits: "redis" \(cut\)\.$/m);
    assert.doesNotMatch(text, /Fewest errors|No difference/);
  });

  it('what the runs do not tell apart is named together, and no order is made of it', async () => {
    const range = (/** @type {number[]} */ ...waits) => ({
      cut: waits.map((longestWaitMs) => ({ longestWaitMs })),
    });
    assert.match(
      await told({ redis: range(2000, 2000), ioredis: range(3900, 5000), iovalkey: range(4100, 5000) }),
      /^Shortest waits: "redis" and "ioredis" \(cut\)\.$/m,
    );
    assert.match(
      await told({ redis: { cut: { failed: 1 } }, ioredis: { cut: { longestWaitMs: 2100 } } }),
      /^These runs show no difference in waits or errors\.$/m,
    );
  });

  it('who did not recover is named, with the fault, and has no shortest wait for failing at once', async () => {
    const failsForEver = { heldAgainMs: null, longestWaitMs: 250, failed: 1500 };
    const text = await told({
      redis: { cut: {}, [STALL]: {} },
      ioredis: { cut: { longestWaitMs: 9000 }, [STALL]: {} },
      iovalkey: { cut: [{}, failsForEver, {}], [STALL]: {} },
    });
    assert.match(
      text,
      /^Use "redis" or "ioredis"\.\nIn 3 runs of each fault, only they recovered and never crashed/,
    );
    assert.match(text, /^Had not recovered when the run ended: "iovalkey" \(cut\)\.$/m);
    const ever = await told({
      redis: { cut: {} },
      ioredis: { cut: { longestWaitMs: 9000 } },
      iovalkey: { cut: failsForEver },
    });
    assert.match(ever, /^Shortest waits: "redis" \(cut\)\.$/m);
    assert.match(
      await told({
        redis: { cut: { ...failsForEver, longestWaitMs: 900 } },
        iovalkey: { cut: failsForEver },
      }),
      /^Shortest waits: "iovalkey" \(cut\)\.$/m,
    );
  });

  it('waiting and failing each have their best', async () => {
    assert.match(
      await told({ redis: { cut: { longestWaitMs: 50, failed: 300 } }, ioredis: { cut: {} } }),
      /^Shortest waits: "redis" \(cut\)\.\nFewest errors: "ioredis" \(cut\)\.$/m,
    );
  });

  it('who was harmed is named, and by what; nobody else is', async () => {
    const harm = { doneTwice: 1 };
    const one = await told({ redis: { cut: {}, [STALL]: {} }, ioredis: { cut: harm, [STALL]: {} } });
    assert.match(
      one,
      /^Use "redis"\.\nIn 3 runs of each fault, only it recovered and never crashed, lost or repeated a write/,
    );
    assert.match(one, /"ioredis[^:]*: [^.]*; 1 done twice\./);
    assert.doesNotMatch(one, /"redis[^:]*: [^.]*done twice/);
    const both = await told({ redis: { cut: harm, [STALL]: {} }, ioredis: { cut: harm, [STALL]: harm } });
    assert.match(both, /, every client crashed, .*; "redis[^"]*" came closest, failing only in cut\.$/m);
    assert.match(
      await told({ redis: { cut: harm }, ioredis: { cut: harm } }),
      /, every client crashed, lost or repeated a write, or left a caller waiting\.$/m,
    );
    const copies = await told({ redis: { cut: harm } }, { clients: 'redis,redis,ioredis' });
    assert.doesNotMatch(copies, /cut and cut/);
    const alone = await told({ ioredis: { cut: harm } });
    assert.match(alone, /^In 3 runs each, every client crashed, [^;]*\.$/m);
  });

  it('a client whose callers got an error for a write that was done is not called unharmed', async () => {
    const failed = { failed: 3, doneThoughFailed: 2 };
    const text = await told({ redis: { cut: failed }, ioredis: { cut: { doneTwice: 1 } } });
    assert.match(
      text,
      /^Use "redis"\.\nIn 3 runs each, only it recovered and never crashed, lost or repeated a write, or hung\.$/m,
    );
    assert.match(text, /"redis[^:]*: [^.]*; 2 done, but the caller got an error or no reply\./);
    assert.doesNotMatch(text, /unharmed/);
  });

  it('who has fewer faults to show is not ahead by that', async () => {
    const text = await told({ redis: { cut: {} }, ioredis: { cut: {}, [STALL]: {} } });
    assert.match(
      text,
      /^In 3 runs of each fault, "ioredis" never crashed, lost or repeated a write, or hung\./,
    );
    const late = { before: 0.5 };
    const each = await told({ redis: { cut: late, [STALL]: {} }, ioredis: { cut: {}, [STALL]: late } });
    assert.match(each, /^In 3 runs of each fault, no client could be judged by every fault\.$/m);
  });

  it('conditions beside the fault are named with it', async () => {
    const text = await told(
      { redis: { cut: { longestWaitMs: 13 } }, ioredis: { cut: {} } },
      { rtt: '1ms,2ms' },
    );
    assert.match(text, /^Shortest waits: "redis" \(cut, 1 ms round trip; cut, 2 ms round trip\)\.$/m);
  });

  it('a run that ends during the fault, or just after it, does not say who recovers', async () => {
    const during = {
      overAtMs: 10_900,
      heldAgainMs: null,
      unanswered: 2000,
      doneThoughUnanswered: 2000,
      longestWaitAnswered: false,
    };
    const stalled = { 'stall:10s': during };
    const report = await reportOf({ redis: stalled, ioredis: stalled });
    assert.deepEqual(sentencesIn(report).slice(0, 1), [
      'Runs ended too soon to see recovery: "redis" and "ioredis" (stall:10s). Use --duration 16s.',
    ]);
    assert.doesNotMatch(sentencesIn(report).join(), /survived|no caller was left/);
    assert.match(detailsOf(report), /the run ended before the fault was over, too soon/);
    const { columns, rows } = ratedGrid([{ comparison: report.comparisons[0], cells: report.cells }]);
    assert.equal(rows[0].texts[columns.findIndex(({ title }) => title === 'recovered')], 'not seen');

    const both = await told({ redis: { cut: {}, ...stalled }, ioredis: { cut: {}, ...stalled } });
    assert.match(both, /^In 3 runs of cut, no client lost or repeated a write/);
    assert.doesNotMatch(both, /though the caller/);

    const after = { [STALL]: { overAtMs: 2900, heldAgainMs: null } };
    const soon = await reportOf({ redis: after, ioredis: after });
    assert.match(
      sentencesIn(soon).join('\n'),
      /^In 3 runs each, no client lost.*\n.* recovery: .* Use --duration 5s\./,
    );
    assert.doesNotMatch(sentencesIn(soon).join(), /Had not recovered/);
    assert.match(detailsOf(soon), /the run ended 100 ms after the fault, too soon to see/);
  });

  it('who did not recover is no worse in what must not happen, where nobody was seen to recover from all', async () => {
    const text = await told({
      redis: { cut: {}, [STALL]: { overAtMs: 2900, heldAgainMs: null } },
      ioredis: { cut: { heldAgainMs: null, longestWaitMs: 250, failed: 1500 }, [STALL]: {} },
    });
    assert.match(text, /^In 3 runs of each fault, no client lost or repeated a write/);
    assert.match(
      text,
      /^Had not recovered when the run ended: "ioredis" \(cut\)\.\nRuns ended too soon .*"redis" \(stall:2s\)/m,
    );
    assert.doesNotMatch(text, /, only |^Use |no difference in waits/m);
  });

  it('who was late before the fault is not judged by it', async () => {
    const overloaded = { before: 0.3, heldAgainMs: null, longestWaitMs: 9000, doneTwice: 0 };
    const report = await reportOf({
      redis: { cut: {} },
      ioredis: { cut: {} },
      iovalkey: { cut: overloaded },
    });
    const text = sentencesIn(report).join('\n');
    assert.match(text, /^Already late before the fault, so not judged: "iovalkey[^"]*" \(cut\)\. Try a/m);
    assert.match(text, /^These runs show no difference in waits or errors\.$/m);
    assert.doesNotMatch(text, /Had not recovered/);
    assert.match(
      detailsOf(report),
      /"iovalkey[^:]*: .*only 30 % of operations were in time just before the fault\./,
    );
    const once = await told({ redis: { cut: [overloaded, {}, {}] } });
    assert.doesNotMatch(once, /late before|Had not recovered/, 'a disturbed run is none of its doing');
    const { columns, rows } = ratedGrid([{ comparison: report.comparisons[0], cells: report.cells }]);
    assert.equal(rows.at(-1)?.texts[columns.findIndex(({ title }) => title === 'recovered')], 'late before');
  });
});
