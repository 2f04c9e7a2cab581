import { sum } from 'simple-statistics';
import { foldCalls } from '../fold.js';

/** @import { CodeFrame, FoldedProfile } from '../worker/types.js' */

/** `us`: CPU time. @typedef {{atMs: number, us: number, withKernel: boolean, frame: CodeFrame}} Sample */

/** C++ symbols can be very long. */
const LONGEST_NAME = 120;

/**
 * Folds perf's samples of a server's main threads by function; kernel functions also by system call, as `file`.
 * @param {string} text of `perf script`
 * @param {{binaries: string[], fromMs: number, toMs: number, cpuUs: number}} run `binaries`: the server's files;
 *   times are by the shared clock; `cpuUs`: of the main threads, as the server reports it
 * @returns {FoldedProfile & {systemShare: number}}
 */
export function foldServerSamples(text, { binaries, fromMs, toMs, cpuUs }) {
  const samples = samplesIn(text, binaries).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const us = sum(samples.map((sample) => sample.us));
  // Without kernel samples, the rest of the server's CPU time is kernel work.
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
    systemShare: sum(ofKernel) / Math.max(1, us + hiddenUs),
  };
}

/** @type {CodeFrame} */
const KERNEL = { part: 'kernel', package: null, file: 'work', name: 'hidden from perf', line: null };

/** The head of a sample: `34681.859582:  200000 cpu-clock:`; `:u` excludes the kernel. */
const HEAD = /^\s*(\d+\.\d+):\s+(\d+)\s+([\w-]+(?::\w+)?):\s*$/;
/** `  55d300b6e910 processCommand (/usr/bin/redis-server)` */
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
 * @param {{address: string, symbol: string, file: string}[]} calls innermost first
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

/** The upper half of the address space is the kernel's. */
const OF_KERNEL = /^[89a-f][0-9a-f]{15}$/;
const SYSTEM_CALL = /^(?:ksys_|__sys_|do_sys_|__(?:x64|ia32|arm64|riscv|se|do)_sys_)(\w+)$/;

/** @param {{address: string, symbol: string}[]} calls @returns {string} such as `write` */
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

/** Suffixes of functions that the compiler split or specialized. */
const CLONE = /\.(?:isra|constprop|part|cold|lto_priv|llvm)\b.*$/;

const UNNAMED = 'code without a symbol';
