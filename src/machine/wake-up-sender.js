import { readSync, writeSync } from 'node:fs';

// Sends a byte to another process and waits for it to come back. Its arguments are the loops that keep the processors awake.

const loops = process.argv.slice(2).map(Number);
const ROUNDS = 4;
const SLICE_MS = 40;
const WARM_UP_MS = 40;
const byte = Buffer.alloc(1);

/** @param {number} ms @param {number[]} times in µs */
function exchange(ms, times) {
  const start = performance.now();
  for (let before = start; before < start + ms; ) {
    writeSync(1, byte);
    // When the other process has ended, the next write fails.
    readSync(0, byte);
    const now = performance.now();
    times.push((now - before) * 1000);
    before = now;
  }
}

/** @param {NodeJS.Signals} signal */
const tellLoops = (signal) => {
  for (const pid of loops) process.kill(pid, signal);
};

/** A round trip is two wake-ups. @param {number[]} times @returns {number | null} */
const medianWakeUp = (times) =>
  times.length === 0 ? null : times.sort((a, b) => a - b)[Math.floor(times.length / 2)] / 2;

/** @type {number[]} */
const asIs = [];
/** @type {number[]} */
const keptAwake = [];
exchange(WARM_UP_MS, []);
for (let round = 0; round < ROUNDS; round++) {
  exchange(SLICE_MS, asIs);
  if (loops.length === 0) continue;
  tellLoops('SIGCONT');
  exchange(SLICE_MS, keptAwake);
  tellLoops('SIGSTOP');
}
writeSync(2, JSON.stringify({ asIsUs: medianWakeUp(asIs), keptAwakeUs: medianWakeUp(keptAwake) }));
