import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The end of a skipped test's title; `npm test` counts them. */
export const BUSY = '(skipped: machine busy)';

/** Long enough for the kernel's counters, which tick in hundredths of a second. */
const LOOK_FOR_MS = 250;
/** Of all processors together: in a moment, and in the seconds of a test. */
const BUSY_SHARE = 0.15;
const OTHERS_SHARE = 0.1;

/**
 * Whether other programs keep the processors busy. Call it while the test itself is idle.
 *
 * @returns {Promise<boolean>}
 */
export async function machineIsBusy() {
  const before = processorTimes();
  await sleep(LOOK_FOR_MS);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all) > BUSY_SHARE;
}

/** For all processors together, in milliseconds. */
function processorTimes() {
  const all = cpus().map(({ times }) => times);
  return {
    idle: all.reduce((sum, { idle }) => sum + idle, 0),
    all: all.reduce((sum, times) => sum + Object.values(times).reduce((a, b) => a + b, 0), 0),
  };
}

/**
 * What others take of the processors while a test goes on, other virtual machines included: what comes and goes in
 * the middle of it is not seen before or after.
 *
 * @returns {() => boolean} whether that was much; asked once the test has ended its processes
 */
export function watchOthers() {
  const before = ticks();
  return () => {
    const after = ticks();
    if (before === null || after === null) return false;
    const others = after.busy - before.busy - (after.own - before.own);
    return others > OTHERS_SHARE * (after.all - before.all);
  };
}

/** @returns {{busy: number, all: number, own: number} | null} null where the system does not tell */
function ticks() {
  if (process.platform !== 'linux') return null;
  const [line] = readFileSync('/proc/stat', 'latin1').split('\n');
  const [user, nice, system, idle, waiting, ...rest] = line.split(/ +/).slice(1, 9).map(Number);
  const busy = [user, nice, system, ...rest].reduce((sum, each) => sum + each, 0);
  return { busy, all: busy + idle + waiting, own: ticksOf(`${process.pid}`, processes()) };
}

/** @typedef {{parent: string, ticks: number}} Process */

/** @returns {Map<string, Process>} with what those have used that they started and that have ended */
function processes() {
  /** @type {Map<string, Process>} */
  const found = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
      const used = fields.slice(11, 15).map(Number);
      found.set(pid, { parent: fields[1], ticks: used.reduce((sum, each) => sum + each, 0) });
    } catch {
      // It has ended.
    }
  }
  return found;
}

/** @param {string} pid @param {Map<string, Process>} all @returns {number} with all that it has started */
function ticksOf(pid, all) {
  let sum = all.get(pid)?.ticks ?? 0;
  for (const [child, { parent }] of all) if (parent === pid) sum += ticksOf(child, all);
  return sum;
}
