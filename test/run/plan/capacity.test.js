import assert from 'node:assert/strict';
import { factText } from '../../../src/report/fact-words.js';
import { limitCells, turnsOf } from '../../../src/run/plan/capacity.js';

/** @import { Cell, Limits } from '../../../src/run/plan/types.js' */

const CATALOGUE = /** @type {any} */ ({
  scenarios: new Map([
    ['each', { connections: (/** @type {number} */ tasks) => tasks }],
    ['opening', { connections: (/** @type {number} */ tasks) => tasks, opensDuringRun: true }],
  ]),
  workloads: new Map([
    ['messages', { receive() {}, receivers: (/** @type {{count: number}} */ { count }) => count }],
  ]),
});

/** @param {Partial<Cell>} [cell] */
const cellOf = (cell) =>
  /** @type {Cell} */ ({
    ...{ chosen: { workload: { id: 'get', parameter: null } } },
    ...{ scenario: 'each', tasks: 100, processes: 1, group: 'a', topology: 'standalone', skipped: null },
    ...cell,
  });

/**
 * @param {Partial<Cell>[]} cells
 * @param {Partial<Limits>} limits
 */
const skips = (cells, limits) =>
  limitCells(cells.map(cellOf), CATALOGUE, { files: null, servers: {}, ...limits }).map(
    ({ skipped }) => skipped && factText(skipped),
  );

describe('run/plan/capacity: connection-limits', () => {
  it('skips nothing where no limit is known', () => assert.deepEqual(skips([{}, {}], {}), [null, null]));

  it('leaves room for the files that a process needs itself', () => {
    assert.deepEqual(skips([{ tasks: 100 }], { files: 164 }), [null]);
    assert.match(
      String(skips([{ tasks: 100 }], { files: 163 })),
      /100 connections.*163 files.*ulimit -n 256/,
    );
  });

  it('counts a connection to each node of a cluster', () => {
    const servers = { cluster: { free: 1000, nodes: 3 } };
    const [reason] = skips([{ topology: 'cluster' }], { files: 350, servers });
    assert.match(String(reason), /300 connections/);
  });

  it("adds up what a group's cells hold at the same time", () => {
    const servers = { standalone: { free: 250, nodes: 1 } };
    const [one, two, three] = skips([{}, {}, {}], { servers });
    assert.deepEqual([one, two], [null, null]);
    assert.match(String(three), /100 connections on top of the 200 .*room for only 250; .*maxclients/);
  });

  it('counts the connections of all processes for the server, and of each one for its files', () => {
    const servers = { standalone: { free: 250, nodes: 1 } };
    const limits = { files: 164, servers };
    assert.deepEqual(skips([{ processes: 2 }], limits), [null]);
    assert.match(String(skips([{ processes: 3 }], limits)), /300 connections, .*room for only 250;/);
  });

  it('does not add up groups', () => {
    const servers = { standalone: { free: 150, nodes: 1 } };
    assert.deepEqual(skips([{ group: 'a' }, { group: 'b' }], { servers }), [null, null]);
  });

  it('leaves room for connections that are closing, beside all that others hold', () => {
    const cells = [{ scenario: 'opening' }, { scenario: 'opening' }, {}];
    const servers = (/** @type {number} */ free) => ({ servers: { standalone: { free, nodes: 1 } } });
    assert.deepEqual(skips(cells, servers(300)), [null, null, null]);
    const [one, two, held] = skips(cells, servers(299));
    assert.match(
      String(one),
      /200 connections \(100 of them just closed\) on top of the 100 of other cells, .*only 299; raise its maxclients by 1,/,
    );
    assert.deepEqual([one, held], [two, null]);
  });

  it('counts the connections of subscribers and consumers', () => {
    const workload = { id: 'messages', parameter: { count: 6 } };
    const limits = { servers: { standalone: { free: 105, nodes: 1 } } };
    const [reason] = skips([{ chosen: /** @type {any} */ ({ workload }) }], limits);
    assert.match(String(reason), /106 connections/);
  });

  it('keeps the reason of what was skipped before', () => {
    assert.deepEqual(skips([{ skipped: { kind: 'distance-over-unix' } }], { files: 1 }), [
      'a unix socket has no distance; use --rtt with tcp or tls',
    ]);
  });
});

const cells = Array.from(
  { length: 200 },
  (_, index) => /** @type {Cell} */ ({ id: `${index}`, processes: 1, keys: 1, keySize: 10, valueSize: 10 }),
);

describe('run/plan/capacity: turns', () => {
  it('is one turn where all workers fit into memory', () => {
    assert.deepEqual(turnsOf(cells, { bytes: 100e9, processes: 200 }), [cells]);
  });

  it('has as many workers in a turn as fit into half of the free memory, and every cell once, in order', () => {
    const turns = turnsOf(cells, { bytes: 4e9, processes: 1000 });
    assert.deepEqual(turns.flat(), cells);
    assert.ok(turns.length >= 4 && turns.length <= 8, `${turns.length}`);
    for (const turn of turns) assert.ok(turn.length * 25e6 <= 2e9, 'at the 25 MB that each of 200 took');
  });

  it('has no more processes in a turn than the tool may have open files for', () => {
    const turns = turnsOf(cells, { bytes: 100e9, processes: 150 });
    assert.deepEqual(
      turns.map((turn) => turn.length),
      [150, 50],
    );
  });

  it('has a cell with many processes or much data in a turn of its own', () => {
    const [cell] = cells;
    const large = [cell, { ...cell, processes: 40 }, cell, { ...cell, keys: 4e6, valueSize: 1000 }];
    assert.deepEqual(
      turnsOf(large, { bytes: 1e9, processes: 1000 }).map((turn) => turn.length),
      [1, 1, 1, 1],
    );
  });
});
