import assert from 'node:assert/strict';
import control from '../../../src/benchmark/findings/control.js';
import disturbance from '../../../src/benchmark/findings/disturbance.js';
import fewRuns from '../../../src/benchmark/findings/few-runs.js';
import keptAwake from '../../../src/benchmark/findings/kept-awake.js';
import noConclusion from '../../../src/benchmark/findings/no-conclusion.js';
import notWarm from '../../../src/benchmark/findings/not-warm.js';
import { goodRun } from '../../helpers/report-fixture.js';

/** @import { CellResult } from '../../../src/core/store/types.js' */
/** @import { CpuLimited } from '../../../src/core/machine/types.js' */

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

describe('the noise floor', () => {
  const groups = (/** @type {number[]} */ ...all) => ({
    groups: all.map((tellsApart) => ({
      comparison: { group: 'g', ranking: [{ cell: 'a' }], tested: { starts: 2, tellsApart } },
    })),
  });
  for (const [shares, context, says] of /** @type {[number[], object, string][]} */ ([
    [[0.19], {}, 'Differences under 19 % do not show here.'],
    [[0.19, 0.3], {}, 'Differences under 19 to 30 % do not show here.'],
    [
      ...[[67065], {}],
      'Differences under 10x do not show here: starts differ too much, or are too few. Use more --starts.',
    ],
    [
      ...[[67065], { measured: [{ chosen: { workload: { startsProcesses: true } } }] }],
      'Differences under 10x do not show here: starts differ too much, or are too few. Use more --runs.',
    ],
    [
      ...[[0.19, 0.3, 67065], { settings: { races: true } }],
      'Differences under 10x do not show in 1 of 3 groups, and under 19 to 30 % in the others. Use a longer --budget.',
    ],
    [
      ...[[0.19, 67065], { settings: { races: true }, isUndecided: true }],
      'Differences under 10x do not show in 1 of 2 groups, and under 19 % in the others.',
    ],
  ]))
    it(`of ${shares.join(', ')} is said once, and as no figure where it would be ten times as much`, () =>
      assert.deepEqual(saidOf(control, groups(...shares), context), [`condition: ${says}`]));

  it('is not known where no starts were compared', () =>
    assert.deepEqual(control.find(/** @type {any} */ ({ groups: [{ comparison: { tested: {} } }] })), []));
});

describe('what is not decided', () => {
  const SILENT = {
    'single-runs': {},
    'too-noisy': { mostRuns: 6, farthestApartTimes: 2 },
    'no-difference': { mostRuns: 6, widestReachShare: 0.01 },
  };
  for (const [reason, facts] of Object.entries(SILENT))
    it(`${reason}: more of what was given would decide it: the budget in a race that found no tie, runs elsewhere`, () => {
      const said = [true, false].map((races) => {
        const silent = [{ reason, group: null, cells: [], ...facts }];
        return saidOf(noConclusion, { silent }, { settings: { races } }).join();
      });
      assert.deepEqual(
        said.map((text) => [/longer --budget|More --starts/.test(text), /--runs/.test(text)]),
        [
          [true, false],
          [false, true],
        ],
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
    const found = (/** @type {object} */ given, own = {}, by = 'starts') =>
      saidOf(fewRuns, {
        cells: [cell({ openLoop: null, ...own })],
        groups: [{ comparison: { tested: { by } } }],
        settings: { ...settings, ...given },
      });
    assert.match(
      found({})[0],
      /^warning: too few runs per cell to see small differences \(3\); use --runs 5/,
    );
    for (const given of [{ runs: 5 }, { races: true }]) assert.deepEqual(found(given), []);
    assert.deepEqual(found({}, { openLoop: { search: {} } }), []);
    assert.deepEqual(found({}, { fault: 'cut' }), []);
    assert.match(
      found({ runs: 5 }, {}, 'welch')[0],
      /^warning: each cell was started once, .*; use --starts 4$/,
    );
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
      return saidOf(keptAwake, { groups: [{ cells, ranked: cells }] });
    };
    assert.match(
      found(80, 50)[0],
      /^details: With processors kept awake, as on a busy machine, "b" is 1\.6x faster than "a"/,
    );
    assert.deepEqual(found(50, 80), ['details: With processors kept awake, "a" is fastest too.']);
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
    const [{ awake }] = keptAwake.find(judged);
    assert.deepEqual(
      awake.map(({ cell: id, low, high, verdict }) => ({ id, low, high, verdict })),
      ['a', 'b'].map((id) => ({ id, low: null, high: null, verdict: 'not measured' })),
    );
    assert.match(saidOf(keptAwake, judged)[0], /"a" was not compared: too few cells were started/);
  });
});
