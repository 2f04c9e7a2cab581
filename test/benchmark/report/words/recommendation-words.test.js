import assert from 'node:assert/strict';
import { createFixture, goodRun, mixedReport } from '../../../helpers/report-fixture.js';

/** @import { Cell } from '../../../../src/core/plan/types.js' */

/** Five runs that vary by a percent or two, each cell in its own way. */
const NOISE = [1, 0.985, 1.012, 0.993, 1.018];

/**
 * The report of known figures.
 *
 * @param {Record<string, unknown>} given options
 * @param {(cell: Cell) => number | null} averageOf ms of a cell's runs; null where it failed
 * @param {{noise?: number[], packages?: Record<string, string>,
 *   hits?: (cell: Cell) => number, restarted?: (cell: Cell) => boolean}} [more] `hits`: commands of a run that the
 *   client's cache answered; `restarted`: cells of which each run is a start of its own
 */
function reportOn(
  given,
  averageOf,
  { noise = NOISE, packages, hits = () => 0, restarted = () => false } = {},
) {
  let turn = 0;
  return createFixture({
    given,
    ...(packages ? { packages } : {}),
    measured: (cell) => {
      const averageMs = averageOf(cell);
      const shift = turn++;
      return averageMs === null
        ? null
        : {
            iterations: 1000,
            runs: noise.map((_, round) => ({
              ...goodRun(round + 1, {
                tasks: cell.tasks,
                iterations: 1000,
                averageMs: averageMs * noise[(round * (1 + (shift % 3)) + shift) % noise.length],
              }),
              ...(hits(cell) > 0 && { cacheHits: hits(cell) }),
              ...(restarted(cell) && { start: round + 1 }),
            })),
          };
    },
  });
}

/** @type {(...facts: Parameters<typeof reportOn>) => Promise<string[]>} */
const adviceOn = async (...facts) => (await reportOn(...facts)).advice;

/** @type {Record<string, number>} */
const SCENARIO_MS = { 'shared-connection': 100, pool: 250, 'open-and-close': 3000 };
const THREE = 'shared-connection,pool,open-and-close';

describe('words/recommendation-words', () => {
  it('tells a chance as no smaller than it is', async () => {
    for (const noise of [NOISE, NOISE.slice(0, 3), NOISE.slice(0, 2)]) {
      const { advice, findings } = await reportOn(
        { clients: 'redis', scenarios: THREE },
        ({ scenario }) => SCENARIO_MS[scenario],
        { noise },
      );
      const [p = 1] = findings.flatMap((each) => (each.kind === 'certainty' ? [each.worstPAdjusted] : []));
      const [, times] = / at most 1 in ([\d,]+) benchmarks/.exec(advice.join(' ')) ?? [];
      assert.ok(p <= 1 / Number(times.replace(',', '')), `${p} is reported as 1 in ${times}`);
    }
  });

  it('says that nothing was written where a cache answered everything', async () => {
    const given = { clients: 'redis,ioredis', scenarios: 'shared-connection', tasks: 8 };
    const averageOf = (/** @type {Cell} */ { client }) => (client === 'redis' ? 100 : 200);
    const adviceWith = async (/** @type {number} */ hits) =>
      (await adviceOn(given, averageOf, { hits: ({ client }) => (client === 'redis' ? hits : 0) })).join(' ');
    assert.match(
      await adviceWith(8000),
      /Nothing wrote to these keys during the runs, so the cache answered 100 %\. /,
    );
    assert.doesNotMatch(await adviceWith(7000), /Nothing wrote/);
  });

  it('recommends a client only where it is nowhere shown to be slower', async () => {
    const given = { clients: 'redis,ioredis', scenarios: 'shared-connection', tasks: '1,64' };
    const everywhere = await adviceOn(given, ({ client }) => (client === 'redis' ? 200 : 100));
    assert.equal(everywhere[0], 'Use ioredis.');
    const depends = await adviceOn(given, ({ client, tasks }) =>
      (client === 'redis') === (tasks === 1) ? 100 : 200,
    );
    assert.equal(depends[0], 'No choice is best everywhere; see the table.');
    assert.doesNotMatch(depends.join(' '), /Use |use [^"]/);
  });

  it('names the client where the best way to connect depends on it', async () => {
    const [first] = await adviceOn(
      { clients: 'redis,ioredis', scenarios: 'shared-connection,pool' },
      ({ client, scenario }) => ((client === 'redis') === (scenario === 'pool') ? 100 : 200),
    );
    assert.match(first, /^With redis, use a pool of 3 connections; with ioredis, share one connection/);
  });

  it('advises against nothing that is as fast, though no cell differs from it in one choice', async () => {
    const auto = (/** @type {number} */ ofRedis) =>
      adviceOn(
        { clients: 'redis,ioredis', scenarios: 'shared-connection', pipelining: 'none,auto' },
        ({ client, pipelining }) => (client === 'redis' ? ofRedis : pipelining === 'auto' ? 100 : 200),
      );
    assert.equal((await auto(50))[0], 'Use redis.');
    assert.match((await auto(100))[0], /^Use redis or ioredis, shared connection, auto \(no significant/);
    assert.equal((await auto(150))[0], 'Use ioredis, shared connection, auto.');
  });

  it('names both where neither can be shown to be better', async () => {
    const [first] = await adviceOn(
      { clients: 'redis', scenarios: 'shared-connection,connection-per-task,open-and-close' },
      ({ scenario }) => (scenario === 'open-and-close' ? 3000 : 100),
    );
    assert.equal(
      first,
      'Share one connection or give each task a connection of its own (no significant difference).',
    );
  });

  it('calls too noisy what looks different and may be equal', async () => {
    const noisy = { noise: [1, 2.5, 0.4, 1.8, 0.6] };
    const [nothing] = await adviceOn(
      { clients: 'redis', scenarios: 'shared-connection,pool' },
      ({ scenario }) => (scenario === 'pool' ? 220 : 100),
      noisy,
    );
    assert.match(nothing, /^Too noisy to decide: cells look up to \d\.\dx apart, but that may be chance\./);
    assert.doesNotMatch(nothing, /for other reasons/);
    const few = { noise: [1, 1.5] };
    const [early] = await adviceOn(
      { clients: 'redis', scenarios: 'shared-connection,pool' },
      ({ scenario }) => (scenario === 'pool' ? 220 : 100),
      few,
    );
    assert.match(early, /^Too few runs to decide: /);
    const [tie] = await adviceOn(
      { clients: 'redis', scenarios: THREE },
      ({ scenario }) => ({ pool: 220, 'open-and-close': 90_000 })[scenario] ?? 100,
      noisy,
    );
    assert.match(tie, /\(up to \d\.\dx apart, but too noisy to distinguish; use a longer --budget\)/);
  });

  it('says of copies of one cell that they differ, not that choices do', async () => {
    const [first] = await adviceOn({ clients: 'redis,redis', scenarios: 'pool' }, ({ copy }) => 100 * copy);
    assert.equal(
      first,
      'Copies of the same cell differ by up to 2.0x, so differences of that size mean nothing on this machine.',
    );
  });

  it('calls nothing equal, and nothing known, that starts do not tell apart', async () => {
    const asked = { clients: 'redis', scenarios: 'shared-connection,pool' };
    const few = { noise: [1, 1.3], restarted: () => true };
    const [equal] = await adviceOn(asked, () => 100, few);
    assert.match(
      equal,
      /^Too few runs to decide: medians are close, but the cells are not shown to be equal\. /,
    );
    const [apart] = await adviceOn(asked, ({ scenario }) => (scenario === 'pool' ? 160 : 100), few);
    assert.match(apart, /^Too few runs to decide: cells look up to 1\.\dx apart, but that may be chance\. /);
  });

  it('recommends nothing where runs vary more than cells differ', async () => {
    const advice = await adviceOn(
      { clients: 'redis', scenarios: THREE },
      ({ scenario }) => 100 + SCENARIO_MS[scenario] / 1000,
      { noise: [1, 1.5, 0.7, 1.1, 0.9] },
    );
    assert.match(
      advice[0],
      /^Too noisy to decide: medians are close, but the cells are not shown to be equal/,
    );
    assert.doesNotMatch(advice.join(' '), /[Ss]hare one|Why|No difference/);
    const quiet = await adviceOn({ clients: 'redis', scenarios: THREE }, () => 100);
    assert.match(quiet[0], /^No difference that this machine can detect: choose for other reasons\./);
  });

  it('compares the others where the first cell has one start and they have several', async () => {
    const advice = await adviceOn(
      { clients: 'redis', scenarios: THREE },
      ({ scenario }) => SCENARIO_MS[scenario],
      { restarted: ({ scenario }) => scenario !== 'shared-connection' },
    );
    assert.doesNotMatch(advice.join(' '), /after one run each/);
    assert.match(advice.join(' '), /pool of 3/);
  });

  it('counts what was skipped and what failed', async () => {
    const advice = await adviceOn(
      { clients: 'redis,ioredis', scenarios: THREE },
      ({ scenario }) => (scenario === 'pool' ? null : SCENARIO_MS[scenario]),
      { packages: { redis: '6.0.0' } },
    );
    assert.match(String(advice.at(-2)), /; 3 of 6 cells were skipped, 1 of 6 gave no result\.$/);
  });

  it('has nothing to say of one cell, of single runs, of a smoke run and of nothing', async () => {
    const alone = await adviceOn({ clients: 'redis', scenarios: 'pool' }, () => 100);
    assert.match(alone[0], /Nothing to compare/);
    const once = await adviceOn({ clients: 'redis', scenarios: THREE }, () => 100, { noise: [1] });
    assert.match(once[0], /^One run of each does not show .* --runs 5 or more\.$/);
    assert.match((await mixedReport({ smoke: true })).advice[0], /smoke run.*too short to compare/);
    assert.match(
      (await adviceOn({ clients: 'redis' }, () => null))[0],
      /^No cell has a result that can be compared/,
    );
  });
});
