import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../src/process/spawn.js';
import { createPrivateFolder } from '../../src/server/private-folder.js';

/** A slow machine takes longer but counts the same. */
const ANSWERS_WITHIN_MS = 60_000;

/** Starting and warming up are five times faster while not counting. */
const HOW = ['--tool=callgrind', '--instr-atstart=no', '-q'];

/**
 * Counts the instructions of a process by valgrind: about 20 times slower, but on any Linux machine, busy or not.
 * `under`: the command that the process must run under.
 */
export async function openCounter() {
  const folder = await createPrivateFolder();
  const prefix = `--vgdb-prefix=${join(folder, 'vgdb')}`;
  const under = ['valgrind', ...HOW, prefix, `--callgrind-out-file=${join(folder, 'counts')}`];
  let isCounting = false;
  /** @param {number} pid @param {string[]} command */
  const tell = (pid, ...command) =>
    run('vgdb', [`--pid=${pid}`, prefix, ...command], { timeout: ANSWERS_WITHIN_MS });
  return {
    under,
    /** @param {number} pid @param {() => Promise<unknown>} work @returns {Promise<number>} of all threads during it */
    async count(pid, work) {
      if (!isCounting) await tell(pid, 'instrumentation', 'on');
      isCounting = true;
      await tell(pid, 'zero');
      await work();
      await tell(pid, 'dump');
      return takeTotal(folder);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Reads and removes the last dump. @param {string} folder @returns {Promise<number>} */
async function takeTotal(folder) {
  const dumps = (await readdir(folder)).filter((name) => name.startsWith('counts.'));
  const texts = await Promise.all(dumps.map((name) => readFile(join(folder, name), 'utf8')));
  await Promise.all(dumps.map((name) => rm(join(folder, name))));
  const total = Number(/^(?:summary|totals): (\d+)$/m.exec(texts.join('\n'))?.[1] ?? 0);
  if (total === 0) throw new Error('valgrind has counted nothing');
  return total;
}
