import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { foldCpu, originOf } from '../../../src/commands/why/fold.js';

/**
 * @param {number} id
 * @param {string} functionName
 * @param {string} url
 * @param {number[]} [children]
 */
const node = (id, functionName, url, children = []) => ({
  id,
  callFrame: { functionName, scriptId: '1', url, lineNumber: 9, columnNumber: 0 },
  hitCount: 0,
  children,
});
const CLIENT = 'file:///home/somebody/app/node_modules/@redis/client/dist/lib/client/socket.js';
const TOOL = new URL('../../../src/worker/loops.js', import.meta.url).href;

/** @param {[id: number, us: number][]} samples each with the time since the one before */
const profile = (samples) => ({
  nodes: [
    node(1, '(root)', '', [2, 3, 4, 8]),
    node(2, '(idle)', ''),
    node(3, '(garbage collector)', ''),
    node(4, 'onDone', TOOL, [5, 6]),
    node(5, 'write', CLIENT, [7]),
    node(6, 'RegExp: the source of it', ''),
    node(7, 'setTimeout', 'node:timers'),
    node(8, 'plugin', pathToFileURL('/home/somebody/plugins/mine.js').href),
  ],
  startTime: 1000,
  endTime: 2000,
  samples: samples.map(([id]) => id),
  timeDeltas: samples.map(([, us]) => us),
});
const ALL = { fromUs: 0, toUs: 1e9, cpuUs: 0 };

describe('commands/why/fold-cpu', () => {
  it('counts the time that each sample stands for, without that in which nothing was done', () => {
    const { samples, frames } = foldCpu(profile([[2, 500], [3, 100], [5, 20], [5, 30]]), ALL); // biome-ignore format: a row
    assert.equal(samples, 3);
    assert.deepEqual(
      frames.filter(({ self }) => self > 0).map(({ name, self, variance }) => [name, self, variance]),
      [
        ['garbage collection', 100, 100 * 100],
        ['write', 50, 20 * 20 + 30 * 30],
      ],
    );
  });

  it('counts only what was measured', () => {
    const { frames } = foldCpu(profile([[3, 100], [5, 100], [7, 100]]), { ...ALL, fromUs: 1050, toUs: 1220 }); // biome-ignore format: a row
    assert.deepEqual(Object.fromEntries(frames.map(({ name, self }) => [name, self])), {
      'garbage collection': 50,
      write: 100,
      setTimeout: 20,
    });
  });

  it('says whose code it is, without the path to it and without source text', () => {
    const folded = foldCpu(profile([[4, 9], [5, 8], [6, 7], [7, 6], [8, 5]]), ALL); // biome-ignore format: a row
    assert.deepEqual(
      folded.frames.map(({ self: _, variance: _v, ...frame }) => frame),
      [
        { part: 'tool', package: null, file: 'src/worker/loops.js', name: 'onDone', line: 10 },
        {
          part: 'package',
          package: '@redis/client',
          file: 'dist/lib/client/socket.js',
          name: 'write',
          line: 10,
        },
        { part: 'native', package: null, file: null, name: 'RegExp', line: null },
        { part: 'node', package: null, file: 'timers', name: 'setTimeout', line: 10 },
        { part: 'other', package: null, file: 'mine.js', name: 'plugin', line: 10 },
      ],
    );
    assert.doesNotMatch(JSON.stringify(folded), /somebody|the source of it/);
  });

  it('takes what records latencies for this tool, which is no package of a client', () => {
    const url = 'file:///app/node_modules/hdr-histogram-js/dist/Histogram.js';
    const { part, package: owner } = originOf({ functionName: 'recordValue', url, lineNumber: 0 });
    assert.deepEqual([part, owner], ['tool', null]);
  });

  it('gives the CPU time that no sample accounts for to the poll, which V8 calls idle', () => {
    const { frames } = foldCpu(profile([[2, 500], [5, 40]]), { ...ALL, cpuUs: 100 }); // biome-ignore format: a row
    assert.deepEqual(
      frames.filter(({ self }) => self > 0).map(({ part, self }) => [part, self]),
      [
        ['poll', 60],
        ['package', 40],
      ],
    );
  });

  it('gives what other threads took to whom they belong, and only the rest to the poll', () => {
    const partsAt = (/** @type {number} */ cpuUs) => {
      const run = { ...ALL, cpuUs, threads: { v8Us: 30.2, nativeUs: 20 } };
      const { frames } = foldCpu(profile([[2, 500], [3, 5], [5, 35]]), run); // biome-ignore format: a row
      return Object.fromEntries(frames.flatMap(({ name, self }) => (self > 0 ? [[name, self]] : [])));
    };
    const known = { 'garbage collection': 35, write: 35, 'threads of native libraries': 20 };
    assert.deepEqual(partsAt(100), { ...known, 'polling and reading sockets': 10 });
    assert.deepEqual(partsAt(50), known);
  });

  it('sums up what is too small to be listed, so that nothing is lost', () => {
    const small = Array.from({ length: 3000 }, (_, index) => node(index + 10, `f${index}`, CLIENT));
    const many = profile([[3, 1e7], ...small.map(({ id }) => /** @type {[number, number]} */ ([id, 2]))]);
    many.nodes[0].children?.push(...small.map(({ id }) => id));
    many.nodes.push(...small);
    const { frames, rest } = foldCpu(many, ALL);
    assert.equal(frames.length, 1);
    assert.deepEqual(rest, [{ part: 'package', package: '@redis/client', self: 6000, variance: 12_000 }]);
  });
});
