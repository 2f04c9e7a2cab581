import assert from 'node:assert/strict';
import { endStarted, ONE_CELL, runCli } from '../helpers/cli.js';

const SHORT = [...ONE_CELL, '--iterations', '50', '--format', 'json'];

describe('end to end: --until-stable', () => {
  afterEach(endStarted);

  it('adds rounds until the interval is narrow enough: six at least, for 95 %', async () => {
    // Runs of 50 round trips: however busy the machine is, none takes three times as long as another.
    const distant = ['--rtt', '4ms', '--warmup-runs', '0', '--until-stable', '100%'];
    const { code, stdout, stderr } = await runCli([...SHORT, ...distant, '--runs', '2']);
    assert.equal(code, 0, stderr);
    const { cells, settings } = JSON.parse(stdout);
    assert.ok(cells[0].runs.length >= 6, `${cells[0].runs.length}`);
    const { intervals, opsPerSecond } = cells[0].summary;
    const { low, high, level } = intervals.opsPerSecond;
    assert.ok(level >= 0.95);
    assert.ok((high - low) / 2 / opsPerSecond <= 1);
    assert.equal(settings.untilStable, 100);
    assert.match(stderr, /2 to 30 runs, until each is within 100 %/);
  });

  it('gives up after --max-runs, and says so', async () => {
    const { code, stdout, stderr } = await runCli([
      ...SHORT,
      ...['--runs', '2', '--warmup-runs', '0', '--until-stable', '0.0001', '--max-runs', '7'],
    ]);
    assert.equal(code, 0, stderr);
    const { cells, warnings } = JSON.parse(stdout);
    assert.equal(cells[0].runs.length, 7);
    assert.match(warnings.join(), /not stable within 0\.0001 %: .*--max-runs/);
    assert.match(stderr, /round 7 of at most 7 done/);
  });
});
