import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { createLiveTable } from '../../src/cli/live-table.js';
import { createProgress } from '../../src/cli/progress.js';
import { createPrinter } from '../../src/cli/terminal.js';
import { createColors } from '../../src/report/colors.js';
import { mixedReport } from '../helpers/report-fixture.js';

/**
 * @import { Output } from '../../src/cli/types.js'
 * @import { BenchmarkEvent } from '../../src/commands/benchmark/types.js'
 */

/** @typedef {BenchmarkEvent} Event */

/**
 * A stderr that keeps what is written.
 *
 * @param {{isTTY?: boolean, columns?: number, rows?: number}} facts
 */
function fakeStderr(facts) {
  /** @type {string[]} */
  const writes = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      done();
    },
  });
  return {
    stream: /** @type {Output} */ (Object.assign(stream, facts)),
    writes,
  };
}

describe('cli/progress', () => {
  /** @type {Event[]} */
  let events;
  before(async () => {
    const { cells, server } = await mixedReport();
    const measured = cells.filter((cell) => cell.runs.some((run) => run.failed === null));
    const settings = /** @type {any} */ ({ runs: 3, warmupRuns: 1 });
    const plan = {
      cells,
      groups: [measured],
      runs: measured.length * 3,
      isAtMost: false,
      estimateMs: 30_000,
    };
    events = [
      { type: 'plan', plan, settings, server, servers: [server] },
      { type: 'group', index: 0, cells: measured },
      ...measured.map((cell) => /** @type {Event} */ ({ type: 'run', cell, round: 0 })),
      ...measured.map((cell, place) => /** @type {Event} */ ({ type: 'warmed', cell, perMs: 10 - place })),
      { type: 'failure', cell: measured[0], message: 'it broke' },
      ...measured.flatMap((cell) => [
        /** @type {Event} */ ({ type: 'run', cell, round: 1 }),
        /** @type {Event} */ ({ type: 'run-end', cell, round: 1, run: cell.runs[0] }),
      ]),
      { type: 'round-end', round: 1 },
    ];
  });

  /**
   * @param {Parameters<typeof fakeStderr>[0]} facts
   * @param {{quiet?: boolean, env?: NodeJS.ProcessEnv, runs?: number, stepMs?: number}} [options] `stepMs`: between events
   */
  function show(facts, { quiet = false, env = {}, runs = 3, stepMs = 1000 } = {}) {
    const { stream, writes } = fakeStderr(facts);
    let ms = 0;
    const nowMs = () => (ms += stepMs);
    const progress = createProgress({ stderr: createPrinter(stream, env), quiet, nowMs });
    for (const event of events)
      progress.onEvent(event.type === 'plan' ? { ...event, settings: { ...event.settings, runs } } : event);
    progress.interrupted('SIGINT');
    progress.end();
    return writes;
  }

  describe('in a pipe', () => {
    it('is lines without codes: what comes, each round, failures, the interruption', () => {
      const text = show({}).join('');
      assert.equal(text, stripVTControlCharacters(text));
      assert.ok(!text.includes('\r'));
      const lines = text.split('\n');
      assert.match(lines[0], /\bcells.*warm-up \+ 3 runs.*managed Redis 5\.0\.5, about 30 s$/);
      assert.ok(lines.some((line) => /^round 1 of 3 done$/.test(line)));
      assert.ok(lines.some((line) => /^failed: .*it broke$/.test(line)));
      assert.match(lines.at(-2) ?? '', /^SIGINT: stopping/);
      assert.equal(lines.at(-1), '');
    });
    it('has a line for each of more than 20 runs: the time of day, p99 where it is known, memory', () => {
      const line = /\d\d:\d\d:\d\d redis:tuned, shared connection, run 1: 80 MB$/m;
      assert.match(show({}, { runs: 21 }).join(''), line);
      assert.match(show({ isTTY: true, columns: 120 }, { runs: 21 }).join(''), line);
      assert.doesNotMatch(show({}, { runs: 20 }).join(''), line);
    });
    it('says how many cells are skipped', () => assert.match(show({}).join(''), /\d skipped/));
  });

  describe('on a terminal', () => {
    for (const columns of [80, 40]) {
      it(`is a bar that stays within ${columns} columns`, () => {
        const drawn = show({ isTTY: true, columns }).flatMap((write) =>
          write.startsWith('\r') ? stripVTControlCharacters(write).replace('\r', '').split('\n') : [],
        );
        assert.ok(drawn.some((line) => line.includes('░')));
        for (const line of drawn) assert.ok([...line].length < columns, line);
      });
    }
    it('names the part that is done, the cell and the time left', () => {
      const text = show({ isTTY: true, columns: 120 }).join('');
      assert.match(text, / \d+ % \d+ .*left/);
      assert.match(text, /run 1 of redis:tuned, shared connection/);
    });
    it('shows the table as it grows, with all rows and the fastest first, and nothing as sure', () => {
      const table = createLiveTable(/** @type {any} */ (events[1]).cells, '2 of 6: 8 tasks');
      const linesOf = () => table.lines({ width: 100, colors: createColors(false) }, 20);
      assert.deepEqual(linesOf(), []);
      /** @type {string[][]} */
      const all = [];
      for (const event of events) {
        table.onEvent(event);
        if (event.type === 'warmed' || event.type === 'run-end') all.push(linesOf());
      }
      for (const [head, , heading, first, ...others] of all) {
        assert.match(head, /^ +ops\/s +behind$/);
        assert.equal(heading, '2 of 6: 8 tasks');
        assert.match(first, /^ {2}redis.* [\d,.]+ +best\?$/);
        assert.equal(others.length, 4);
        for (const line of others) assert.match(line, /^ {2}redis[^?]*( [\d.]+x\?)?$/);
      }
      const known = all.map((lines) => lines.filter((line) => /\?$/.test(line)).length);
      assert.deepEqual([known[0], known.at(-1)], [1, 5]);
    });
    it('draws a few times a second, and writes only lines that changed', () => {
      const isDrawn = (/** @type {string} */ write) => write.includes('% ');
      const [seldom, often] = [1, 1000].map((stepMs) =>
        show({ isTTY: true, columns: 120 }, { stepMs }).filter(isDrawn),
      );
      assert.ok(seldom.length < 6 && often.length > 10, `${seldom.length}, ${often.length}`);
      assert.ok(often.some((write) => /\n\n/.test(write) && write.includes('\x1b[2K')));
      assert.ok(often.every((write) => !write.includes('\x1b[J') || !write.includes('ops/s')));
    });
    it('has no colours with NO_COLOR', () => {
      const colours = (/** @type {NodeJS.ProcessEnv} */ env) =>
        show({ isTTY: true, columns: 120 }, { env }).some((write) => write.includes('\x1b[32m'));
      assert.deepEqual([colours({}), colours({ NO_COLOR: '1' })], [true, false]);
    });
    for (const [columns, rows, most] of [
      [120, 40, 8],
      [120, 9, 6],
      [30, 14, 11],
      [60, 4, 1],
    ]) {
      it(`leaves earlier lines on a terminal of ${columns} columns and ${rows} rows`, () => {
        const writes = show({ isTTY: true, columns, rows }).filter((write) => write.startsWith('\r'));
        const heights = writes.map((write) => stripVTControlCharacters(write).split('\n').length);
        assert.equal(Math.max(...heights), most);
      });
    }
    it('leaves notes standing, and no bar at the end', () => {
      const writes = show({ isTTY: true, columns: 80 });
      assert.ok(writes.some((write) => /^failed: .*it broke\n$/.test(write)));
      assert.equal(stripVTControlCharacters(writes.at(-1) ?? 'x').trim(), '');
    });
    it('is lines in CI', () =>
      assert.ok(
        !show({ isTTY: true }, { env: { CI: 'true' } })
          .join('')
          .includes('\r'),
      ));
  });

  it('is nothing with --quiet', () => {
    assert.deepEqual(show({}, { quiet: true }), []);
    assert.deepEqual(show({ isTTY: true }, { quiet: true }), []);
  });
});
