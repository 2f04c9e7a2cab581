import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('./outlive-guard.sh', import.meta.url));

/**
 * Has a process ended that is still there some time after this one has gone, however it went. A shell does that, which
 * sleeps until then: a thread in the process itself would be among what is measured there.
 *
 * @param {number} pid
 * @param {number} graceS
 * @returns {() => Promise<void>} to be called when the process has ended; resolves when the guard is gone too
 */
export function guardAgainstOutliving(pid, graceS) {
  const guard = spawn('sh', [GUARD, String(pid), String(graceS)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A signal to the tool's process group is not for it.
    detached: true,
  });
  // Without a shell there is no guard, and everything else goes on.
  const ended = once(guard, 'exit').catch(() => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  /** @type {any} */ (guard.stdin).unref?.();
  return async () => {
    guard.ref();
    guard.kill('SIGKILL');
    guard.stdin.destroy();
    await ended;
  };
}
