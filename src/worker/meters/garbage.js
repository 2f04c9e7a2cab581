import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import v8 from 'node:v8';
import { present } from '../../collections.js';

/** Short enough that many spans between two samples are free of collections. */
const LOOK_EVERY_MS = 5;
/** A collection has been reported after so many: Node does so two turns of the event loop later. */
const REPORTED_AFTER_SAMPLES = 10;

/**
 * Watches the garbage collector, and how much is allocated on the V8 heap; Buffers live outside of it.
 *
 * Between two collections the heap only grows. It is sampled at turns of the event loop, and the growth of the spans
 * without a collection stands for the whole run, by the turns: on a busy machine a span may wait for most of its time, and
 * is then the more likely to be without one. A timer would make the kernel set an alarm in each turn: 6 % more CPU
 * with 8 tasks, measured. v8.GCProfiler sees every byte, but in Node 20 a stopped one records until it is itself
 * collected: after a hundred runs collections took three times as long.
 */
export function watchGarbage() {
  const collections = watchCollections();
  const clean = { bytes: 0, turns: 0 };
  /** @type {{from: number, to: number, bytes: number, turns: number}[]} for which collections may still be reported */
  const spans = [];
  let last = look();
  let turns = 0;
  let lookedAtTurn = 0;

  function addSpan() {
    const now = look();
    spans.push({ from: last.at, to: now.at, bytes: now.bytes - last.bytes, turns: turns - lookedAtTurn });
    last = now;
    lookedAtTurn = turns;
  }
  function settleSpan() {
    const span = present(spans.shift());
    if (collections.anyBetween(span.from, span.to) || span.bytes < 0) return;
    clean.bytes += span.bytes;
    clean.turns += span.turns;
  }

  return {
    begin() {
      last = look();
      turns = 0;
      lookedAtTurn = 0;
      collections.begin(last.at);
    },

    /** @param {number} ms when the turn began, by performance.now() */
    atTurn(ms) {
      turns++;
      if (ms - last.at < LOOK_EVERY_MS) return;
      addSpan();
      if (spans.length > REPORTED_AFTER_SAMPLES) settleSpan();
    },

    async take() {
      addSpan();
      const { gcPauseMs, gcLongestMs } = await collections.stop(last.at);
      while (spans.length > 0) settleSpan();
      /** null where the run was too short, or each span had a collection. */
      const allocatedBytes = clean.turns > 0 ? (clean.bytes / clean.turns) * turns : null;
      return { gcPauseMs, gcLongestMs, allocatedBytes };
    },
  };
}

const look = () => ({ at: performance.now(), bytes: v8.getHeapStatistics().used_heap_size });

function watchCollections() {
  /** @type {number[]} when the latest began */
  const began = [];
  const MOST_KEPT = 1000;
  let gcPauseMs = 0;
  let gcLongestMs = 0;
  let beganAt = 0;
  let endedAt = Number.POSITIVE_INFINITY;

  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      if (startTime < beganAt || startTime > endedAt) continue;
      gcPauseMs += duration;
      gcLongestMs = Math.max(gcLongestMs, duration);
      if (began.push(startTime) > MOST_KEPT) began.shift();
    }
  });
  observer.observe({ entryTypes: ['gc'] });

  return {
    /** @param {number} at by performance.now() */
    begin(at) {
      beganAt = at;
      gcPauseMs = 0;
      gcLongestMs = 0;
    },

    /** @param {number} from @param {number} to */
    anyBetween: (from, to) => began.some((at) => at >= from && at <= to),

    /** @param {number} at by performance.now() */
    async stop(at) {
      endedAt = at;
      // Node reports the last ones a few turns late.
      for (let turn = 0; turn < 3; turn++) await setImmediate();
      observer.disconnect();
      return { gcPauseMs, gcLongestMs };
    },
  };
}
