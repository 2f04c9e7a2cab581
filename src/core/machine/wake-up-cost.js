import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { attempt } from '../errors.js';
import { onCpus, startProcess } from '../process/spawn.js';

/** @import { WakeUpCost } from './types.js' */

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
    stdio: [peer.stdout, peer.stdin, 'pipe'],
  });
  peer.stdin.destroy();
  peer.stdout.destroy();
  await sender.ended;
  await peerEnded;
  return attempt(() => JSON.parse(sender.tail()), null);
}
