import assert from 'node:assert/strict';
import disturbance from '../../../../src/commands/benchmark/findings/disturbance.js';
import fewRuns from '../../../../src/commands/benchmark/findings/few-runs.js';
import keptAwake from '../../../../src/commands/benchmark/findings/kept-awake.js';
import noConclusion from '../../../../src/commands/benchmark/findings/no-conclusion.js';
import notWarm from '../../../../src/commands/benchmark/findings/not-warm.js';
import undecided from '../../../../src/commands/benchmark/findings/undecided.js';
import { goodRun } from '../../../helpers/report-fixture.js';

/** @import { CellResult } from '../../../../src/store/types.js' */
/** @import { CpuLimited } from '../../../../src/machine/types.js' */

/** @type {any} */
const CONTEXT = { name: (/** @type {string} */ id) => `"${id}"`, measured: [], settings: {} };

/** @param {any} file @param {object} judged @param {object} [context] @returns {string[]} where each stands, and what it says */
function saidOf(file, judged, context = {}) {
  const all = file.find(judged);
  return all.flatMap((/** @type {any} */ each) =>
    [file.say(each, { ...CONTEXT, ...context }, all)].flat().map((/** @type {string} */ text) => {
      const place = typeof file.place === 'function' ? file.place(each) : file.place;
      return `${place}: ${text}`;
    }),
  );
}

describe('what a longer budget would decide', () => {
  /** @param {[ratio: number, low: number, high: number][][]} all those of each group that are not decided */
  const groups = (...all) =>
    all.map((own, group) => {
      const ranking = own.map(([ratio, low, high], place) => ({
        ...{ cell: 'abc'[place], verdict: 'not decided', againstFastest: { ratio, low, high } },
      }));
      const ranked = own.map(() => ({ runs: [{ start: 1 }, { start: 2 }, { start: 3 }] }));
      return { comparison: { group: `${group}`, ranking }, ranked };
    });
  const ofOneStart = (/** @type {string} */ group) => ({ reason: 'one-start', group });
  const settings = { races: true, budgetMs: 45_000 };
  /** @param {object[]} all @param {object} [more] */
  const said = (all, more) =>
    saidOf(undecided, { groups: all, settings, partial: false, usedMs: 44_000, noVerdicts: [], ...more });

  it('is said once, by the pair that is farthest from decided', () => {
    const twice = /** @type {[number, number, number]} */ ([0.9, 0.73, 1.109]);
    assert.deepEqual(said(groups([twice])), [
      'condition: Not decided: 1 of 1 cell. About --budget 3min would decide them.',
    ]);
    assert.deepEqual(said(groups([twice], [[0.95, 0.9, 1.003]])), [
      'condition: Not decided: 2 of 2 conditions. About --budget 3min would decide them.',
    ]);
    assert.match(said(groups([[0.96, 0.3, 3]]))[0], /More time would not decide them here/);
    const twoStarts = groups([[0.96, 0.3, 3]]).map((group) => ({
      ...group,
      ranked: [{ runs: [{ start: 1 }, { start: 2 }] }],
    }));
    assert.match(said(twoStarts)[0], /A longer --budget starts them more often, and may decide them/);
  });

  it('are the conditions whose cells were started once, too, unless all were', () => {
    const all = groups([[0.9, 0.73, 1.109]], [], []);
    assert.deepEqual(said(all, { noVerdicts: [ofOneStart('1')] }), [
      'condition: Not decided: 2 of 3 conditions. A longer --budget starts them more often, and may decide them.',
    ]);
    const every = ['0', '1', '2'].map(ofOneStart);
    assert.deepEqual(said(groups([], [], []), { noVerdicts: every }), []);
  });

  it('is nothing where time was left, or nobody raced', () => {
    const open = groups([[0.9, 0.7, 1.1]]);
    for (const more of [{ usedMs: 20_000 }, { partial: true }, { settings: { races: false } }])
      assert.deepEqual(said(open, more), []);
    assert.deepEqual(said(groups([])), []);
  });
});

describe('what is not decided', () => {
  const SILENT = {
    'one-start': { farthestApartTimes: 2 },
    'too-noisy': { mostRuns: 6, farthestApartTimes: 2 },
    'no-difference': { mostRuns: 6, widestReachShare: 0.01 },
  };
  for (const [reason, facts] of Object.entries(SILENT))
    it(`${reason}: more of what was given would decide it: starts, runs, or in a race the budget, which may have a line of its own`, () => {
      const said = [true, false].map((races) => {
        const noVerdicts = [{ reason, group: null, cells: [], ...facts }];
        return saidOf(noConclusion, { noVerdicts }, { settings: { races } }).join();
      });
      assert.deepEqual(
        said.map(
          (text) => /longer --budget|More --starts|More --runs|more --runs|--starts 4/.exec(text)?.[0],
        ),
        {
          'one-start': ['longer --budget', '--starts 4'],
          'too-noisy': [undefined, 'more --runs'],
          'no-difference': ['More --starts', 'More --runs'],
        }[reason],
      );
    });
});

describe('disturbance', () => {
  /** @param {number | null} waitedMs of 100 @param {number | null} serverWaitedMs @param {number | null} [stolenMs] */
  function cell(waitedMs, serverWaitedMs, stolenMs = null) {
    const slice = { elapsedMs: 100, waitedMs, serverWaitedMs, stolenMs, disturbed: false, repeats: 0 };
    const runs = [{ ...goodRun(1, { tasks: 1, iterations: 10, averageMs: 100 }), slices: [slice] }];
    const summary = { waits: waitedMs === null ? null : { slices: 1, disturbed: 0 } };
    return /** @type {CellResult} */ (/** @type {unknown} */ ({ id: 'a', runs, summary }));
  }
  /** @type {CpuLimited} */
  const limited = { kind: 'cpu-limited', setting: 'cpu.max', limitedTo: 0.5, periods: 240, throttled: 237 };

  for (const [what, cells, says, limit] of /** @type {[string, CellResult[], string, CpuLimited?][]} */ (
    /** @type {unknown} */ ([
      [
        'is no news on a quiet machine',
        [cell(2, 1)],
        'details: CPU: worker and server waited for CPU 3 % of the time.',
      ],
      [
        ...['is known of the worker alone next to a remote server', [cell(20, null)]],
        'condition: Other programs were running: the worker waited for CPU 20 % of the time.',
      ],
      [
        ...['is known of some servers', [cell(12, 2), cell(2, null)]],
        'condition: Other programs were running: the worker (and the server, where known) waited for CPU 8 % of the time.',
      ],
      [
        ...['is CPU steal where nothing waited here', [cell(1, 1, 60), cell(1, 1, 20)]],
        'condition: Other virtual machines on this host were busy: CPU steal was 40 % of the time.',
      ],
      [
        ...['is a CPU limit that explains it', [cell(40, 20)]],
        'condition: The CPU limit of 0.5 CPUs was reached: worker and server waited for CPU 60 % of the time.',
        limited,
      ],
      [
        ...['is no CPU limit that was hardly reached', [cell(40, 20)]],
        'condition: Other programs were running: worker and server waited for CPU 60 % of the time.',
        { ...limited, throttled: 5 },
      ],
      [
        ...['is said of those that were watched', [cell(30, 10), cell(null, 1)]],
        'condition: Other programs were running: worker and server, where it has a CPU of its own, waited for CPU 40 % of the time.',
      ],
    ])
  ))
    it(what, () => assert.deepEqual(saidOf(disturbance, { cells, limited: limit }), [says]));

  it('is not known of processes that share CPUs', () =>
    assert.deepEqual(disturbance.find(/** @type {any} */ ({ cells: [cell(null, 1)] })), []));
});

/** Slices of four starts, the first ones of each so many times as costly. @param {number} times */
const runsFalling = (times) =>
  [1, 2, 3, 4].map((start) => ({
    ...goodRun(start, { tasks: 1, iterations: 10, averageMs: 100 }),
    start,
    slices: [times, 1, 1].map((cost, index) => ({
      cpuUs: 1000 * cost + index,
      operations: 100,
      disturbed: false,
    })),
  }));

describe('what makes figures doubtful', () => {
  const cell = (/** @type {object} */ own) => ({
    id: 'a',
    group: 'g',
    warm: true,
    summary: {},
    runs: [],
    ...own,
  });
  const settings = { runs: 3, races: false };

  it('are cells that were not warm, or became faster while they were timed', () => {
    const judged = {
      groups: [{ cells: [cell({ warm: false }), cell({ id: 'b', runs: runsFalling(1.5) })] }],
    };
    assert.deepEqual(saidOf(notWarm, judged, { settings: { iterations: 3000 } }), [
      'warning: not warm after the longest warm-up, so not compared: 1 cell; use more --warmup-runs',
      'warning: "b" was still getting faster (1.5x the CPU per operation at first); use --iterations 30000',
    ]);
    assert.deepEqual(
      notWarm.find(/** @type {any} */ ({ groups: [{ cells: [cell({ runs: runsFalling(1.02) })] }] })),
      [],
    );
  });

  it('are few runs, unless they were not up to the user', () => {
    const found = (/** @type {object} */ given, own = {}, /** @type {object[]} */ noVerdicts = []) =>
      saidOf(fewRuns, {
        cells: [cell({ openLoop: null, ...own })],
        noVerdicts,
        settings: { ...settings, ...given },
      });
    assert.match(
      found({})[0],
      /^warning: too few runs per cell to see small differences \(3\); use --runs 5/,
    );
    for (const given of [{ runs: 5 }, { races: true }]) assert.deepEqual(found(given), []);
    assert.deepEqual(found({}, { openLoop: { search: {} } }), []);
    assert.deepEqual(found({}, { fault: 'cut' }), []);
    // More runs of one start would not help, and what would is said.
    assert.deepEqual(found({}, {}, [{ reason: 'one-start', group: null }]), []);
  });

  it('is a processor that goes to sleep, if another cell is fastest while it is kept awake', () => {
    // As it is, and kept awake.
    const found = (/** @type {number[]} */ ...awakeMs) => {
      const cells = awakeMs.map((ms, place) => ({
        ...cell({ id: 'ab'[place] }),
        runs: [1, 2, 3, 4, 5, 6, 7, 8].map((start) => {
          const isAwake = start % 2 === 0;
          const averageMs = (isAwake ? ms : 100 + 10 * place) + (start * (place + 1)) / 20;
          const run = { ...goodRun(start, { tasks: 1, iterations: 100, averageMs }), start };
          return isAwake ? { ...run, awake: true } : run;
        }),
      }));
      const judged = /** @type {any} */ ({ groups: [{ cells, ranked: cells }] });
      const [turned] = keptAwake.find(judged);
      return [...saidOf(keptAwake, judged), ...(keptAwake.details?.(turned, CONTEXT).slice(0, 1) ?? [])];
    };
    const turned = 'On a machine that is never idle, "b" is fastest: 1.59x (1.58–1.60) over "a".';
    assert.deepEqual(found(80, 50), [`choose: ${turned}`, turned]);
    assert.deepEqual(found(50, 80), ['With processors kept awake, "a" is fastest too.']);
    assert.deepEqual(found(80, 79.8), ['With processors kept awake, "a" is ahead too.']);
  });

  it('is not that of a cell that was started once', () => {
    const starts = (/** @type {number[]} */ all, /** @type {number} */ averageMs) =>
      all.flatMap((start) =>
        [false, true].map((awake) => ({
          ...goodRun(start, { tasks: 1, iterations: 100, averageMs: averageMs + start / 20 }),
          ...{ start, awake, round: 2 * start + Number(awake) },
        })),
      );
    const cells = [
      { ...cell({ id: 'a' }), runs: starts([1, 2, 3, 4], 50) },
      { ...cell({ id: 'b' }), runs: starts([1], 120) },
    ];
    const judged = /** @type {any} */ ({ groups: [{ cells, ranked: cells }] });
    const [found] = keptAwake.find(judged);
    assert.deepEqual(
      found.awake.map(({ cell: id, low, high, verdict }) => ({ id, low, high, verdict })),
      ['a', 'b'].map((id) => ({ id, low: null, high: null, verdict: 'not measured' })),
    );
    assert.match(
      String(keptAwake.details?.(found, CONTEXT)[0]),
      /"a" was not compared: too few cells were started/,
    );
  });
});
