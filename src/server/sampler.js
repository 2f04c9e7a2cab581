import { readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { attempt, messageOf } from '../errors.js';
import { cpuOfServer } from '../machine/processors.js';
import { ANSWERS_WITHIN_MS, startPerf, whyNoPerf } from './perf.js';
import { createPrivateFolder } from './private-folder.js';

/** @import { NoServerProfile, Sampler, Server } from './types.js' */

/**
 * @param {Pick<Server, 'kind' | 'isLocal' | 'pids'>} server @param {number} [answersWithinMs]
 * @returns {Promise<Sampler | NoServerProfile>}
 */
export async function createSampler(server, answersWithinMs = ANSWERS_WITHIN_MS) {
  if (process.platform !== 'linux') return { kind: 'perf-not-here', platform: process.platform };
  const unseen = await whyUnseen(server);
  if (unseen !== null) return unseen;
  const { pids } = server;
  const whyNot = await inFolder((folder) => whyNoPerf({ threads: pids, folder, answersWithinMs }));
  if (whyNot !== null) return whyNot;
  return {
    binaries: pids.map(binaryOf),
    sampleDuring: (work) =>
      inFolder((folder) => sampleDuring(work, { threads: pids, folder, answersWithinMs })),
  };
}

/** @template T @param {() => Promise<T>} work @param {Parameters<typeof startPerf>[0]} how */
async function sampleDuring(work, how) {
  const perf = await startPerf(how).catch(failureOf);
  if ('kind' in perf) return { failure: perf };
  try {
    const done = await work();
    const text = await perf.stop().catch((error) => ({ failure: failureOf(error) }));
    return typeof text === 'string' ? { done, text } : text;
  } finally {
    perf.kill();
  }
}

/** @param {unknown} error @returns {NoServerProfile} */
const failureOf = (error) => ({ kind: 'perf-failed', why: messageOf(error) });

/** @param {number} pid @returns {string} as perf names it; empty if unknown */
const binaryOf = (pid) => attempt(() => readlinkSync(`/proc/${pid}/exe`), '');

/**
 * Profiles an external process only if it is local and certainly a server.
 * @param {Pick<Server, 'kind' | 'isLocal' | 'pids'>} server @returns {Promise<NoServerProfile | null>}
 */
async function whyUnseen({ kind, isLocal, pids }) {
  if (!isLocal) return { kind: 'server-far' };
  if (pids.length === 0) return { kind: 'server-without-pid' };
  if (kind === 'managed') return null;
  const cpus = await Promise.all(pids.map(cpuOfServer));
  return cpus.includes(null) ? { kind: 'server-unseen' } : null;
}

/** @template T @param {(folder: string) => Promise<T>} work */
async function inFolder(work) {
  const folder = await createPrivateFolder();
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
