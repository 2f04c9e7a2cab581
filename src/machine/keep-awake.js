import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tryOr } from '../errors.js';
import { textOf } from '../process/read-file.js';
import { onCpus, startGuarded, startProcess, withoutNodeOptions } from '../process/spawn.js';
import { cpuLimit } from './cpu-limit.js';

/** @import { NotAwake, WakeUpCost } from './types.js' */

const LOOPS = fileURLToPath(new URL('./keep-awake.sh', import.meta.url));

/**
 * Idle-priority loops, one on each processor. `ended`: how, in words that follow their name
 * @typedef {{pids: number[], pause: () => void, resume: () => void, stop: () => Promise<void>, ended: Promise<string>}} KeptAwake
 */

/**
 * A sleeping processor takes long to wake, above all a virtual one. These never sleep until `pause` or `stop`, and end
 * with the tool, even by kill -9.
 * @param {number[]} cpus @param {NodeJS.ProcessEnv} [env] @returns {Promise<KeptAwake | NotAwake>}
 */
export async function keepAwake(cpus, env = process.env) {
  if (process.platform !== 'linux') return { reason: 'system' };
  const limit = cpuLimit();
  if (limit !== null && limit.cpus <= cpus.length) return { reason: 'cpu-limit', limitedTo: limit.cpus };
  const loops = startGuarded(['sh', LOOPS, ...cpus.map(String)], { env });
  const allRead = once(loops.child, 'close').catch(() => {});
  const pids = await startedPids(loops, cpus.length);
  if (pids.length < cpus.length) {
    await loops.stop();
    // A loop that could be started ends when the machine has a moment for it.
    await Promise.race([allRead, setTimeout(500)]);
    return reasonIn(loops.tail());
  }
  // Where the kernel shares processors among sessions (sched_autogroup), theirs would otherwise get a full share.
  tryOr(() => writeFileSync(`/proc/${pids[0]}/autogroup`, '19'), undefined);
  let haveEnded = false;
  void loops.ended.then(() => {
    haveEnded = true;
    // Whoever ended all processes of the tool by name has ended their guard too, and paused ones hear of nothing.
    for (const pid of pids) tryOr(() => isLoop(pid) && process.kill(pid, 'SIGKILL'), false);
  });
  /** @param {NodeJS.Signals} signal */
  function tell(signal) {
    // Their ids may belong to other programs by now.
    if (haveEnded) return;
    for (const pid of pids) process.kill(pid, signal);
  }
  return {
    pids,
    pause: () => tell('SIGSTOP'),
    resume: () => tell('SIGCONT'),
    async stop() {
      // Even to end, a process of idle priority has to run.
      await startProcess(['sh', '-c', 'for pid; do chrt -o -p 0 "$pid"; done', 'sh', ...pids.map(String)], {
        stdio: 'ignore',
      }).ended;
      await loops.stop();
    },
    ended: loops.ended,
  };
}

/** Ids are used again. @param {number} pid */
const isLoop = (pid) => textOf(`/proc/${pid}/cmdline`).includes('redis-pipe-bench-keep-awake');

/** @param {ReturnType<typeof startGuarded>} loops @param {number} count @returns {Promise<number[]>} fewer if one failed */
async function startedPids({ child, tail, ended }, count) {
  const pids = () => [...tail().matchAll(/^(\d+)\n/gm)].map(([pid]) => Number(pid));
  await Promise.race([
    ended,
    new Promise((resolve) => child.stdout?.on('data', () => pids().length === count && resolve(null))),
  ]);
  return pids();
}

/** @param {string} printed by chrt or taskset @returns {NotAwake} */
function reasonIn(printed) {
  const line = printed.split('\n').find((each) => /chrt|taskset/.test(each)) ?? '';
  const program = /(chrt|taskset): (?:command )?not found/.exec(line)?.[1];
  return program ? { reason: 'no-program', program } : { reason: 'refused', why: line.trim() };
}

const SENDER = fileURLToPath(new URL('./wake-up-sender.js', import.meta.url));

/**
 * What it costs to wake a process on another processor, as the machine is and kept awake. Takes about half a second.
 * The other process is dd, which does nothing but read a byte and write it. Both end without this process too.
 * @param {number[]} cpus to which processes can be pinned; two are used @param {number[]} loops that keep both awake, paused;
 * none where that cannot be done @returns {Promise<WakeUpCost | null>} null with one processor, or where it failed
 */
export async function measureWakeUpCost([first, second], loops) {
  if (second === undefined) return null;
  const [program, ...args] = onCpus([first], ['dd', 'bs=1']);
  const peer = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const peerEnded = once(peer, 'close').catch(() => {});
  const sender = startProcess(onCpus([second], [process.execPath, SENDER, ...loops.map(String)]), {
    env: withoutNodeOptions(),
    stdio: [peer.stdout, peer.stdin, 'pipe'],
  });
  peer.stdin.destroy();
  peer.stdout.destroy();
  await sender.ended;
  await peerEnded;
  return tryOr(() => JSON.parse(sender.tail()), null);
}
