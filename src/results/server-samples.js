import { sum } from 'simple-statistics';
import { foldCalls } from '../fold.js';

/**
 * @import { CodeFrame, FoldedProfile } from '../worker/types.js'
 *
 * @typedef {object} Sample
 * @property {number} atMs by the clock that all processes of a machine share
 * @property {number} us of CPU time that it stands for
 * @property {boolean} withKernel whether perf might look into the kernel
 * @property {CodeFrame} frame
 */

/** Of a symbol; those of C++ can be very long. */
const LONGEST_NAME = 120;

/**
 * What perf says of a server's main threads, by function; what the kernel does also by system call, which stands for a
 * file.
 * @param {string} text as `perf script` prints it @param {object} run
 * @param {string[]} run.binaries the files that the server runs
 * @param {number} run.fromMs when it began, by the clock that all processes share @param {number} run.toMs
 * @param {number} run.cpuUs of CPU time that the server says its main threads took in it
 * @returns {FoldedProfile & {systemShare: number}} of the CPU time, without stacks
 */
export function foldServerSamples(text, { binaries, fromMs, toMs, cpuUs }) {
  const samples = samplesIn(text, binaries).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const us = sum(samples.map((sample) => sample.us));
  // Then no sample is of the kernel, and what the server took besides is its work for the server.
  const hiddenUs = samples.some(({ withKernel }) => withKernel) ? 0 : Math.max(0, Math.round(cpuUs - us));
  const hidden = { frame: KERNEL, self: hiddenUs, variance: hiddenUs * (us / samples.length), calls: [] };
  const calls = samples.map((each) => ({
    frame: each.frame,
    self: each.us,
    variance: each.us * each.us,
    calls: [],
  }));
  const all = samples.length > 0 && hiddenUs > 0 ? [...calls, hidden] : calls;
  const ofKernel = all.filter(({ frame }) => frame.part === 'kernel').map(({ self }) => self);
  return {
    unit: 'µs',
    samples: samples.length,
    ...foldCalls(all),
    stacks: [],
    systemShare: sum(ofKernel) / Math.max(1, us + hiddenUs),
  };
}

/** Where perf may not look. @type {CodeFrame} */
const KERNEL = { part: 'kernel', package: null, file: 'work', name: 'hidden from perf', line: null };

/** The head of a sample: `34681.859582:  200000 cpu-clock:`; with `:u` the kernel is left out */
const HEAD = /^\s*(\d+\.\d+):\s+(\d+)\s+([\w-]+(?::\w+)?):\s*$/;
/** A call: `  55d300b6e910 processCommand (/usr/bin/redis-server)` */
const CALL = /^\s*([0-9a-f]+) (.+) \((.+)\)\s*$/;

/** @param {string} text @param {string[]} binaries @returns {Sample[]} */
const samplesIn = (text, binaries) =>
  text.split(/\n\s*\n/).flatMap((paragraph) => {
    const [head, ...lines] = paragraph.trim().split('\n');
    const [, seconds, ns, event] = HEAD.exec(head) ?? [];
    const calls = lines.flatMap((line) => {
      const [, address, symbol, file] = CALL.exec(line) ?? [];
      return file === undefined ? [] : { address, symbol, file };
    });
    if (event === undefined || calls.length === 0) return [];
    return {
      atMs: Number(seconds) * 1000,
      us: Number(ns) / 1000,
      withKernel: !/:\w*u/.test(event),
      frame: frameOf(calls, binaries),
    };
  });

/**
 * @param {{address: string, symbol: string, file: string}[]} calls the innermost first
 * @param {string[]} binaries @returns {CodeFrame}
 */
function frameOf(calls, binaries) {
  const [{ address, symbol, file }] = calls;
  const isOwn = binaries.includes(file);
  const known = symbol.replace(CLONE, '').slice(0, LONGEST_NAME);
  const name = symbol !== '[unknown]' ? known : isOwn ? `own ${UNNAMED}` : UNNAMED;
  const frame = { name, package: null, file: null, line: null };
  if (OF_KERNEL.test(address)) return { ...frame, part: 'kernel', file: systemCallOf(calls) };
  if (isOwn) return { ...frame, part: 'server' };
  const library = (file.split('/').at(-1) ?? file).slice(0, LONGEST_NAME);
  return { ...frame, part: 'library', package: library };
}

/** The upper half of all addresses is the kernel's. */
const OF_KERNEL = /^[89a-f][0-9a-f]{15}$/;
/** How the kernel's functions are called that a system call begins with. */
const SYSTEM_CALL = /^(?:ksys_|__sys_|do_sys_|__(?:x64|ia32|arm64|riscv|se|do)_sys_)(\w+)$/;

/** @param {{address: string, symbol: string}[]} calls @returns {string} what the kernel does it for: `write` */
function systemCallOf(calls) {
  const outermost = calls.filter(({ address }) => OF_KERNEL.test(address)).reverse();
  for (const { symbol } of outermost) {
    const [, name] = SYSTEM_CALL.exec(symbol.replace(CLONE, '')) ?? [];
    if (name !== undefined) return name.slice(0, LONGEST_NAME);
  }
  const isWithin = (/** @type {RegExp} */ what) => outermost.some(({ symbol }) => what.test(symbol));
  if (isWithin(/page_fault/)) return 'page faults';
  return isWithin(/syscall/i) ? 'system calls' : 'interrupts';
}

/** What a compiler adds to the name of a function that it has split or changed. */
const CLONE = /\.(?:isra|constprop|part|cold|lto_priv|llvm)\b.*$/;

/** Of a binary whose symbols were stripped. */
const UNNAMED = 'code without a symbol';
