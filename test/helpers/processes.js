import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Finds a tool's processes. Each tool under test has a TMPDIR of its own, which the processes it starts
 * inherit; a managed server has its working directory there.
 *
 * @param {string} folder a TMPDIR
 * @returns {{pid: number, command: string}[]}
 */
export function processesOf(folder) {
  return process.platform === 'linux' ? fromProc(folder) : fromPs(folder);
}

/** @param {string} folder */
function fromProc(folder) {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    // Redis overwrites its environment with its title, so look at its working directory as well.
    const belongs =
      readOr(() => readFileSync(`/proc/${pid}/environ`, 'latin1')).includes(`TMPDIR=${folder}`) ||
      readOr(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(folder);
    return belongs ? [{ pid, command: commandOf(pid) }] : [];
  });
}

/** @param {number} pid */
const commandOf = (pid) =>
  readOr(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    .replaceAll('\0', ' ')
    .trim();

/** @param {() => string} read of a process that may be gone by now */
function readOr(read) {
  try {
    return read();
  } catch {
    return '';
  }
}

/**
 * @param {string} file
 * @returns {number[]} ids of the processes that this one has started to run the file
 */
export const childrenOf = (file) =>
  readdirSync('/proc').flatMap((name) => {
    const stat = readOr(() => readFileSync(`/proc/${name}/stat`, 'latin1'));
    const parent = stat.replace(/^.*\) \S /s, '').split(' ')[0];
    return Number(parent) === process.pid && commandOf(Number(name)).includes(file) ? [Number(name)] : [];
  });

/** @param {string} folder */
function fromPs(folder) {
  const list = execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim() }))
    .filter(({ pid }) => pid !== process.pid);
}

/**
 * Kills processes as a stopped container does: none of them notices that another one is gone.
 *
 * @param {{pid: number}[]} processes
 */
export function killTogether(processes) {
  for (const signal of /** @type {const} */ (['SIGSTOP', 'SIGKILL'])) {
    for (const { pid } of processes) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has already ended.
      }
    }
  }
}

/** @param {number} pid @returns {boolean} whether it runs; a zombie does not */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return (
    process.platform !== 'linux' || !/\) Z /.test(readOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8')))
  );
}
