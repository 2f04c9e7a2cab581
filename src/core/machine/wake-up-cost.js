import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { attempt } from '../errors.js';
import { onCpus, startProcess } from '../process/spawn.js';
import { keepAwake } from './keep-awake.js';
import { canPin } from './processors.js';

/** @import { WakeUpCost } from './types.js' */

const SENDER = fileURLToPath(new URL('./wake-up-sender.js', import.meta.url));

/**
 * What it costs to wake a process on another processor, as the machine is and kept awake. Takes about a second.
 * @param {number[]} cpus that may be used; two are @returns {Promise<WakeUpCost | {unavailable: string}>}
 */
export async function measureWakeUpCost([first, second]) {
  if (second === undefined) return { unavailable: 'it takes two CPUs' };
  if (!(await canPin([first, second]))) return { unavailable: 'processes cannot be pinned to CPUs here' };
  const awake = await keepAwake([first, second]);
  if ('unavailable' in awake) return exchangeBytes(first, second, []);
  awake.pause();
  try {
    return await exchangeBytes(first, second, awake.pids);
  } finally {
    await awake.stop();
  }
}

/**
 * The other process is dd, which does nothing but read a byte and write it. Both end without this process too.
 * @param {number} first @param {number} second @param {number[]} loops that keep both awake; none where that cannot be done
 * @returns {Promise<WakeUpCost | {unavailable: string}>}
 */
async function exchangeBytes(first, second, loops) {
  const [program, ...args] = onCpus([first], ['dd', 'bs=1']);
  const peer = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const peerEnded = once(peer, 'close').catch(() => {});
  const sender = startProcess(onCpus([second], [process.execPath, SENDER, ...loops.map(String)]), {
    stdio: [peer.stdout, peer.stdin, 'pipe'],
  });
  peer.stdin.destroy();
  peer.stdout.destroy();
  const how = await sender.ended;
  await peerEnded;
  const measured = attempt(() => JSON.parse(sender.tail()), null);
  return measured ?? { unavailable: `the process that measures it ${how}` };
}
