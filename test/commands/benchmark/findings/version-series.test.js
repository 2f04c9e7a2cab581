import assert from 'node:assert/strict';
import { contrastGroups, versionsOf } from '../../../../src/commands/benchmark/judge/compare-group.js';
import { versionGrid } from '../../../../src/commands/benchmark/report/tables/version-grid.js';
import { adviceOf } from '../../../helpers/said.js';
import { versionReport } from '../../../helpers/version-fixture.js';

/**
 * @import { Cell } from '../../../../src/run/plan/types.js'
 * @import { CellResult, Report } from '../../../../src/store/types.js'
 */

/** @param {Parameters<typeof versionReport>} given */
const cellsOf = async (...given) => (await versionReport(...given)).cells;

/** @param {CellResult[]} cells */
const seriesOf = (cells) => versionsOf(contrastGroups([cells])[0]);

/** @param {Report} report @returns {string[]} what it says of versions */
const sentencesOf = (report) => adviceOf(report).filter((line) => line.includes('client CPU'));

describe('commands/benchmark/findings/version-series', () => {
  it('releases of a client stand in order, however they were named', async () => {
    const [series, ...more] = seriesOf(await cellsOf('redis@6.3.1,redis@4.7.1,redis@5.12.1'));
    assert.deepEqual(more, []);
    assert.equal(series.axis, 'release');
    assert.deepEqual(
      series.entries.map(({ version }) => version),
      ['4.7.1', '5.12.1', '6.3.1'],
    );
  });

  it('each has its ratio to the one before and to the newest', async () => {
    const [{ entries }] = seriesOf(await cellsOf('redis@4.7.1,redis@5.12.1,redis@6.3.1'));
    const [first, second, third] = entries.map(({ cpuUsPerOp }) => cpuUsPerOp);
    assert.equal(first.toPrevious, null);
    assert.equal(second.toPrevious?.differs, false);
    assert.deepEqual([third.toPrevious?.differs, Math.round(Number(third.toPrevious?.ratio))], [true, 6]);
    assert.deepEqual([first.toNewest?.differs, first.toNewest?.ratio.toFixed(1)], [true, '0.2']);
    assert.equal(third.toNewest, null);
    assert.equal(entries[2].opsPerSecond.toPrevious?.ratio.toFixed(1), '0.2');
  });

  it('clients and variants have each their own', async () => {
    const cells = await cellsOf('redis@5.12.1,redis@6.3.1,redis@5.12.1:tuned,redis@6.3.1:tuned,ioredis');
    assert.deepEqual(
      seriesOf(cells).map(({ entries }) => entries.length),
      [2, 2],
    );
  });

  it('where everything has one version, there is none', async () => {
    assert.deepEqual(seriesOf(await cellsOf('redis,ioredis,redis:tuned')), []);
  });

  it('a client named twice is no series of versions', async () => {
    assert.deepEqual(seriesOf(await cellsOf('redis,redis')), []);
  });

  it('releases of Node are a series too', async () => {
    const cells = await cellsOf('redis', { runtimes: ['24.1.0', '20.19.0'] });
    const [{ axis, entries }] = seriesOf(cells);
    assert.equal(axis, 'node');
    assert.deepEqual(
      entries.map(({ version }) => version),
      ['20.19.0', '24.1.0'],
    );
  });
});

describe('what releases changed in the client CPU', () => {
  for (const [what, clients, given, says] of /** @type {[string, string, object, string[]][]} */ ([
    [
      'is told of the largest step',
      'redis@4.7.1,redis@5.12.1,redis@6.3.1,redis@5.12.1:tuned,redis@6.3.1:tuned',
      {},
      [
        '"redis@6.3.1, shared connection" uses 6.0x as much client CPU per operation as "redis@5.12.1, shared connection".',
      ],
    ],
    ['is nothing where there is no difference', 'redis@4.7.1,redis@5.12.1', {}, []],
    [
      'is told of small steps that add up',
      'redis@4.7.1,redis@5.12.1,redis@6.3.1',
      {
        cpu: (/** @type {Cell} */ { release }) =>
          ({ '4.7.1': 2, '5.12.1': 2.05, '6.3.1': 2.1 })[String(release?.version)] ?? 5,
      },
      [
        '"redis@6.3.1, shared connection" uses 1.05x as much client CPU per operation as "redis@4.7.1, shared connection".',
      ],
    ],
    [
      'is told of releases of Node',
      'redis',
      {
        runtimes: ['20.19.0', '24.1.0'],
        cpu: (/** @type {Cell} */ { node }) => (node === '20.19.0' ? 8 : 4),
      },
      [
        '"redis, Node 24.1.0, shared connection" uses 0.50x as much client CPU per operation as "redis, Node 20.19.0, shared connection".',
      ],
    ],
  ]))
    it(what, async () => assert.deepEqual(sentencesOf(await versionReport(clients, given)), says));
});

describe('advice on releases', () => {
  it('advises against no release of which a variant is as fast', async () => {
    const adviceWith = async (/** @type {number} */ ofTuned) => {
      const report = await versionReport('redis@5.12.1,redis@6.3.1,redis@6.3.1:tuned', {
        cpu: ({ variant, release }) =>
          variant === 'tuned' ? ofTuned : release?.version === '5.12.1' ? 2 : 12,
      });
      return adviceOf(report)[0];
    };
    assert.match(
      await adviceWith(2),
      /^redis release: redis@5\.12\.1 or redis@6\.3\.1:tuned: tied; behind it: redis@6\.3\.1: /,
    );
    assert.match(await adviceWith(1), /^redis release: redis@6\.3\.1:tuned; behind it: /);
    assert.match(await adviceWith(4), /^redis release: redis@5\.12\.1; behind it: /);
  });

  it('names the releases where it advises a client, as one may be as fast as another client, and the other not', async () => {
    const report = await versionReport('redis@5.12.1,redis@6.3.1,ioredis', {
      cpu: ({ client, release }) => (client === 'ioredis' ? 2.02 : release?.version === '5.12.1' ? 2 : 2.06),
    });
    const [, ofClient] = adviceOf(report);
    assert.match(ofClient, /^client: redis@5\.12\.1, ioredis or redis@6\.3\.1: (?:tied$|up to 1\.0\d*x\?)/);
  });
});

describe('commands/benchmark/findings/version-series: grid', () => {
  it('has a row for each version, with no ratio where no difference can be claimed', async () => {
    const cells = await cellsOf('redis@6.3.1,redis@4.7.1,redis@5.12.1');
    const grid = versionGrid(cells, /** @type {any} */ ({ versions: seriesOf(cells) }));
    assert.deepEqual(
      grid?.rows.map(({ name, texts: [, ...ratios] }) => [name, ...ratios.filter((text) => text !== '')]),
      [
        ['redis@4.7.1, shared connection', '6.0x', '2 µs', '0.17x'],
        ['redis@5.12.1, shared connection', '6.0x', '≈', '2 µs', '0.17x', '≈'],
        ['redis@6.3.1, shared connection', '0.17x', '12 µs', '6.0x'],
      ],
    );
  });
});
