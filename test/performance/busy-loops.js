import { spawn } from 'node:child_process';

/**
 * Programs that always want a processor, as others on the machine would.
 *
 * @param {number} count
 * @returns {() => void} ends them
 */
export function startBusyLoops(count) {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'const parent = process.ppid; while (process.ppid === parent);'], {
      stdio: 'ignore',
    }),
  );
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}
