import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { latencyOf } from '../../src/statistics/latency.js';
import { createRecorder, recorderIf } from '../../src/worker/recorder.js';

/** @param {number[]} latencies in µs @param {number} [from] where the clock stands, in units of 100 ns */
function record(latencies, from = 0) {
  let now = from | 0;
  const recorder = createRecorder(() => now);
  for (const latency of latencies) {
    const startedAt = recorder.start();
    now = (now + latency * 10) | 0;
    recorder.done(startedAt);
  }
  const figures = latencyOf([String(recorder.encode())]);
  assert.ok(figures);
  return figures;
}

/** @param {number} actual @param {number} expected @param {number} [share] */
function near(actual, expected, share = 0.003) {
  assert.ok(Math.abs(actual - expected) <= expected * share + 0.1, `${actual} is not near ${expected}`);
}

describe('worker/recorder', () => {
  it('counts every operation', () => {
    assert.equal(record([1, 2, 3, 4000, 500_000]).count, 5);
  });

  it('is exact to 0.3 % from a microsecond to minutes', () => {
    for (const latency of [1, 7, 51, 102.4, 999, 12_345, 1_000_000, 180_000_000]) {
      const { minUs, p50Us, maxUs } = record([latency]);
      for (const figure of [minUs, p50Us, maxUs]) near(figure, latency);
    }
  });

  it('has the percentiles of what was recorded', () => {
    const latencies = Array.from({ length: 1000 }, (_, index) => 100 + index);
    const { p50Us, p90Us, p99Us, p999Us, meanUs } = record(latencies);
    near(p50Us, 599);
    near(p90Us, 999);
    near(p99Us, 1089);
    near(p999Us, 1098);
    near(meanUs, 599.5);
  });

  it('does not mind that its clock wraps around', () => {
    near(record([250], 2 ** 31 - 100).p50Us, 250);
  });

  it('counts a batch that ended together as its operations', () => {
    let now = 0;
    const recorder = createRecorder(() => now);
    const startedAt = recorder.start();
    now = 1000;
    recorder.done(startedAt, 64);
    assert.equal(latencyOf([String(recorder.encode())])?.count, 64);
  });

  it('reads its own clock once in a turn of the event loop', async () => {
    const recorder = createRecorder();
    const first = recorder.start();
    for (let spin = 0; spin < 1e6; spin++) Math.sqrt(spin);
    assert.equal(recorder.start(), first);
    await setImmediate();
    await setImmediate();
    assert.notEqual(recorder.start(), first);
  });

  it('sees how long an operation took that ends in the turn in which it began', () => {
    const recorder = createRecorder();
    const before = performance.now();
    let startedAt = recorder.start();
    for (let operation = 0; operation < 3; operation++) {
      for (let spin = 0; spin < 1e5; spin++) Math.sqrt(spin);
      startedAt = recorder.done(startedAt);
    }
    const elapsedUs = (performance.now() - before) * 1000;
    const { minUs = 0, meanUs = 0 } = latencyOf([String(recorder.encode())]) ?? {};
    assert.ok(minUs > 0);
    assert.ok(meanUs * 3 <= elapsedUs * 1.01, `${meanUs} µs each of ${elapsedUs} µs`);
  });

  it('records nothing when latencies are off', () => {
    const recorder = recorderIf(false, () => 7);
    recorder.done(recorder.start());
    assert.equal(recorder.encode(), null);
  });
});

describe('worker/recorder: latency, of recorded values', () => {
  it('merges histograms instead of averaging percentiles', () => {
    const [fast, slow] = [record(Array.from({ length: 99 }, () => 100)), record([10_000])];
    const both = latencyOf([fast.hdr, slow.hdr]);
    assert.equal(both?.count, 100);
    near(Number(both?.p50Us), 100);
    near(Number(both?.maxUs), 10_000);
    near(Number(both?.meanUs), 199);
  });

  it('gives back the histogram from which it can be made again', () => {
    const figures = record([100, 200, 300]);
    assert.deepEqual(latencyOf([figures.hdr]), figures);
  });

  it('is null where nothing was recorded', () => {
    assert.equal(latencyOf([]), null);
    assert.equal(latencyOf([String(createRecorder().encode())]), null);
  });
});
