import assert from 'node:assert/strict';
import { inventedSpeed, mapReport } from '../../helpers/map-fixture.js';

/**
 * @import { Finding, MapFinding } from '../../../src/analysis/types.js'
 * @import { Report } from '../../../src/results/types.js'
 */

/** @param {Report} report */
const mapsOf = ({ findings }) =>
  findings.flatMap((finding) =>
    finding.kind === 'map' ? /** @type {(Finding & MapFinding)[]} */ ([finding]) : [],
  );

describe('findings/map-findings', () => {
  it('each winner is among the fastest, and what loses is not', async () => {
    const report = await mapReport();
    const [map] = mapsOf(report);
    assert.equal(map.points.length, 20);
    const speeds = new Map(report.cells.map((cell) => [cell.id, inventedSpeed(cell)]));
    const speedOf = (/** @type {string} */ id) => Number(speeds.get(id));
    for (const { state, standing } of map.points) {
      assert.equal(state, 'decided');
      const best = Math.max(...standing.map(({ cell }) => speedOf(cell)));
      for (const each of standing) {
        const slower = best / speedOf(each.cell);
        if (each.standing === 'good') assert.ok(slower <= 1.1, `${each.cell} ${slower}`);
        else assert.ok(slower > 1, each.cell);
      }
    }
  });

  it('one choice that is good everywhere is the advice; where half are good it matters little', async () => {
    const [map] = mapsOf(await mapReport());
    assert.equal(map.advice.length, 1);
    assert.deepEqual(map.advice[0].region, [{ rows: [0, 4], columns: [0, 3] }]);
    assert.match(map.choices[map.advice[0].choice].cell, /^redis:tuned\/shared-connection/);
    assert.deepEqual(map.indifferent, [{ rows: [0, 1], columns: [1, 3] }]);
    const closing = map.values.find(({ value }) => value === 'open and close');
    assert.equal(closing?.good, 0);
  });

  it('where no choice is good everywhere, the fewest are that together are', async () => {
    // Without the client that is best everywhere nearby.
    const [map] = mapsOf(
      await mapReport({ given: { clients: 'ioredis,redis', scenarios: 'pool,open-and-close' } }),
    );
    const covered = new Set();
    for (const { region } of map.advice) {
      for (const { rows, columns } of region) {
        for (let row = rows[0]; row <= rows[1]; row++)
          for (let column = columns[0]; column <= columns[1]; column++) covered.add(`${row} ${column}`);
      }
    }
    assert.equal(covered.size, 20);
  });

  it('a third condition makes several maps', async () => {
    const given = { clients: 'ioredis', tasks: '1,16,64', rtt: '0,2ms', size: '10,1000' };
    const maps = mapsOf(await mapReport({ given }));
    assert.deepEqual(
      maps.map(({ points, third }) => [points.length, third?.axis]),
      [
        [6, 'rtt'],
        [6, 'rtt'],
      ],
    );
  });

  it('a point that time did not decide is open, and no advice follows from it', async () => {
    const report = await mapReport({ luck: 0.2, startMs: 800 });
    const [map] = mapsOf(report);
    const open = map.points.filter(({ state }) => state === 'open');
    assert.ok(open.length > 0);
    assert.match(report.advice.join(' '), /points (is|are) undecided\. Use a longer --budget/);
    assert.match(report.advice[0], /is known, of 20|Too early to recommend anything/);
    for (const { winners, left } of open) assert.ok(left.some((id) => !winners.includes(id)));
    for (const { winners } of open)
      assert.deepEqual(winners, [], 'a point with a best choice is not undecided');
  });

  it('where few points are known nothing is recommended, but what is ahead and what is far behind is named', async () => {
    const given = { clients: 'redis:tuned,ioredis', scenarios: 'shared-connection,open-and-close' };
    const report = await mapReport({ given, luck: 0.3, startMs: 3000 });
    const [text, costs] = report.advice;
    assert.match(
      text,
      /^Too early to recommend anything: the best choice is known at (none|\d) of 20 points\./,
    );
    assert.match(
      text,
      /Ahead, but not proven: "redis:tuned, shared connection" \(A\), fastest at \d+ of the 20 points measured\./,
    );
    assert.match(costs, /^Far behind, even with its best client: open and close \(\d+x slower\)\.$/);
  });

  it('no copy of a choice is recommended before the other', async () => {
    const given = { clients: 'redis:tuned,redis:tuned,ioredis', scenarios: 'shared-connection' };
    const report = await mapReport({ given });
    assert.match(
      report.advice[0],
      /^Use "redis:tuned, shared connection" \(A, B\): best or tied at all 20 points\.$/,
    );
    const same = await mapReport({ given: { ...given, clients: 'redis:tuned,redis:tuned' } });
    assert.match(
      same.advice[0],
      /^All choices are copies of "redis:tuned.*" \(A, B\): there is nothing to recommend\.$/,
    );
  });
});
