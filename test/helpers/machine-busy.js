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
 * the middle of it is not seen before or after. Processes that were there before and that this one did not start.
 *
 * @returns {() => boolean} whether that was much
 */
export function watchOthers() {
  if (process.platform !== 'linux') return () => false;
  const before = { ...systemTicks(), others: ticksOfOthers() };
  return () => {
    const { all, stolen } = systemTicks();
    let others = stolen - before.stolen;
    for (const [pid, ticks] of ticksOfOthers()) others += ticks - (before.others.get(pid) ?? ticks);
    return others > OTHERS_SHARE * (all - before.all);
  };
}

/** Of all processors, and of that what went to other virtual machines. */
function systemTicks() {
  const [line] = readFileSync('/proc/stat', 'latin1').split('\n');
  const ticks = line.split(/ +/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] };
}

/** @returns {Map<string, number>} by process */
function ticksOfOthers() {
  /** @type {Map<string, {parent: string, ticks: number}>} */
  const all = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, parent, ...fields] = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
      all.set(pid, { parent, ticks: Number(fields[9]) + Number(fields[10]) });
    } catch {
      // It has ended.
    }
  }
  const isOwn = (/** @type {string} */ pid) => {
    for (let at = pid; all.has(at); at = String(all.get(at)?.parent))
      if (at === `${process.pid}`) return true;
    return false;
  };
  return new Map([...all].flatMap(([pid, { ticks }]) => (isOwn(pid) ? [] : [[pid, ticks]])));
}
