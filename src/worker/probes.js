import v8 from 'node:v8';

/** A long run collects garbage thousands of times; what the profiler keeps of each is fetched this often. */
const FETCH_GC_EVERY_MS = 500;

/**
 * Watches this process during a run: its CPU, its event loop, its garbage collector.
 *
 * @returns {{stop: () => import('../types.js').ClientProbe}} what was seen, from here to `stop`
 */
export function startProbes() {
  const garbage = watchGarbage();
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  return {
    stop() {
      const { user, system } = process.cpuUsage(cpu);
      const { utilization } = performance.eventLoopUtilization(loop);
      return {
        cpuUs: user + system,
        eventLoopUtilization: utilization,
        ...garbage.stop(),
        // The highest of the process's life, in KiB.
        peakRssBytes: process.resourceUsage().maxRSS * 1024,
      };
    },
  };
}

/**
 * Counts collections, their pauses and the bytes allocated on the V8 heap. A heap only grows between
 * two collections, so what was allocated is the sum of its growth from the end of each to the start
 * of the next. Buffers live outside of that heap and are not in it.
 */
function watchGarbage() {
  let collections = 0;
  let pauseMs = 0;
  let allocatedBytes = 0;
  let heapBytes = v8.getHeapStatistics().used_heap_size;
  let profiler = startProfiler();

  function fetch() {
    for (const { cost, beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
      collections++;
      pauseMs += cost / 1000;
      allocatedBytes += Math.max(0, beforeGC.heapStatistics.usedHeapSize - heapBytes);
      heapBytes = afterGC.heapStatistics.usedHeapSize;
    }
  }
  const timer = setInterval(() => {
    fetch();
    profiler = startProfiler();
  }, FETCH_GC_EVERY_MS);

  return {
    stop() {
      clearInterval(timer);
      const heapNow = v8.getHeapStatistics().used_heap_size;
      fetch();
      allocatedBytes += Math.max(0, heapNow - heapBytes);
      return { gcCount: collections, gcPauseMs: pauseMs, allocatedBytes };
    },
  };
}

function startProfiler() {
  const profiler = new v8.GCProfiler();
  profiler.start();
  return profiler;
}
