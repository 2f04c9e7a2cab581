import assert from 'node:assert/strict';
import { renderReport } from '../../src/cli/render.js';
import { fuzz } from '../helpers/nightly.js';
import { createRandom } from '../helpers/random.js';
import { badRun, createFixture, goodRun } from '../helpers/report-fixture.js';
import { ROWS } from './format-rows.js';
import { decided, OF_EQUAL_STARTS, RULES } from './rules.js';

/** @import { Cell } from '../../src/run/plan/types.js' */
/** @import { Run } from '../../src/store/types.js' */

/**
 * A reader that contradicts: random results are printed in each format for people, read back, and compared with what the
 * tests decided. FUZZ_TRIES and FUZZ_SEED set how many, and which.
 */
const TRIES = fuzz(10, 5000).numRuns;
const SEED = Number(process.env.FUZZ_SEED ?? 61);
const FORMATS = ['table', 'markdown', 'html', 'csv', 'objects'];
/** Nothing is shortened for want of room. */
const VIEW = { width: 500, details: true };

const CLIENTS = ['redis', 'redis:tuned', 'redis:careful', 'ioredis', 'ioredis:auto-pipelining'];
const SCENARIOS = ['shared-connection', 'pool', 'connection-per-task', 'open-and-close'];
/** Of the speeds of cells and of starts. Nothing that is measured repeats to a thousandth. */
const SPREADS = [0.003, 0.01, 0.05, 0.3, 1.5];

/** @param {ReturnType<typeof createRandom>} random */
function randomReport({ uniform, normal }) {
  const below = (/** @type {number} */ most) => Math.min(most - 1, Math.floor(uniform() * most));
  const oneOf = (/** @type {any[]} */ all) => all[below(all.length)];
  const someOf = (/** @type {string[]} */ all) => {
    const some = all.filter(() => uniform() < 0.5);
    return some.length > 0 ? some : [oneOf(all)];
  };
  const starts = uniform() < 0.15 ? 1 : 1 + below(12);
  const [runs, between, luck] = [1 + below(4), oneOf(SPREADS), oneOf(SPREADS)];
  const isAwake = uniform() < 0.3;
  const machine = Array.from({ length: starts }, () => Math.exp(0.2 * normal()));
  /** @param {Cell} cell */
  const measured = ({ tasks }) => {
    const speed = Math.exp(between * normal());
    const started = uniform() < 0.3 ? 1 : starts;
    const fails = uniform() < 0.05;
    /** @type {Run[]} */
    const all = [];
    for (let start = 1; start <= started; start++) {
      const ofStart = machine[start - 1] * Math.exp(luck * normal());
      for (let run = 0; run < runs + Number(isAwake); run++) {
        const round = 100 * start + run;
        const averageMs = 10 / (speed * ofStart * Math.exp(luck * normal()));
        const good = goodRun(round, { tasks, iterations: 100, averageMs });
        const slice = { elapsedMs: averageMs, operations: good.operations, cpuUs: 10, waitedMs: 0 };
        all.push({
          ...(fails ? badRun(round, 'READONLY') : good),
          start,
          slices: /** @type {any} */ ([
            { ...slice, serverWaitedMs: 0, stolenMs: 0, disturbed: false, repeats: 0 },
          ]),
          ...(run === runs && { awake: true }),
        });
      }
    }
    return { iterations: 100, runs: all };
  };
  return createFixture({
    given: {
      clients: someOf(CLIENTS).join(),
      scenarios: someOf(SCENARIOS).join(),
      tasks: uniform() < 0.3 ? '2,8' : '8',
      ...(uniform() < 0.3 && { starts: 3 }),
    },
    measured,
  });
}

describe('a reader of random results', function () {
  // A tenth of a second each on a quiet machine, a third on a busy one.
  this.timeout(60_000 + 2000 * TRIES);
  it(`finds no contradiction in ${TRIES} of them`, async () => {
    const random = createRandom(SEED);
    /** @type {string[]} */
    const broken = [];
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const report = await randomReport(random);
      /** @type {Map<string, string>} */
      const texts = new Map();
      for (const format of FORMATS) texts.set(format, await renderReport(report, format, VIEW));
      const rows = new Map([...texts].map(([format, text]) => [format, ROWS[format](text, report)]));
      const subject = {
        report,
        ...decided(report),
        texts,
        rows: (/** @type {string} */ format) => rows.get(format) ?? [],
      };
      for (const [rule, breaks] of Object.entries(RULES).filter(([name]) => name !== OF_EQUAL_STARTS))
        for (const text of breaks(subject)) broken.push(`${attempt}: ${rule}: ${text}`);
    }
    assert.deepEqual(broken.slice(0, 20), []);
  });
});
