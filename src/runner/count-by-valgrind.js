import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError } from '../errors.js';
import { run } from '../process/spawn.js';
import { createPrivateFolder } from '../server/private-folder.js';

/** @import { CounterSource } from './types.js' */

/** A slow machine takes longer but counts the same. */
const ANSWERS_WITHIN_MS = 60_000;

/** Starting and warming up are five times faster while not counting. */
const HOW = ['--tool=callgrind', '--instr-atstart=no', '-q'];

/** About 20 times slower, but works on any Linux machine, busy or not. @type {CounterSource} */
export default {
  name: 'valgrind',
  sliceOperations: 4000,
  async check() {
    await soon('valgrind', '--version');
    await soon('vgdb', '--help');
  },
  async open() {
    const folder = await createPrivateFolder();
    const prefix = `--vgdb-prefix=${join(folder, 'vgdb')}`;
    const under = ['valgrind', ...HOW, prefix, `--callgrind-out-file=${join(folder, 'counts')}`];
    let isCounting = false;
    /** @param {number} pid @param {string[]} command */
    const tell = (pid, ...command) => soon('vgdb', `--pid=${pid}`, prefix, ...command);
    return {
      under,
      folder,
      async count(pid, work) {
        if (!isCounting) await tell(pid, 'instrumentation', 'on');
        isCounting = true;
        await tell(pid, 'zero');
        const done = await work();
        await tell(pid, 'dump');
        return { done, user: await takeTotal(folder), kernel: null };
      },
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/** @param {string} program @param {string[]} args */
const soon = (program, ...args) => run(program, args, { timeout: ANSWERS_WITHIN_MS });

/** Reads and removes the last dump. @param {string} folder @returns {Promise<number>} */
async function takeTotal(folder) {
  const dumps = (await readdir(folder)).filter((name) => name.startsWith('counts.'));
  const texts = await Promise.all(dumps.map((name) => readFile(join(folder, name), 'utf8')));
  await Promise.all(dumps.map((name) => rm(join(folder, name))));
  return totalIn(texts.join('\n'));
}

/** @param {string} text of a dump @returns {number} @throws {RunError} if nothing was counted */
export function totalIn(text) {
  const total = Number(/^(?:summary|totals): (\d+)$/m.exec(text)?.[1] ?? 0);
  if (total === 0) throw new RunError('valgrind has counted nothing');
  return total;
}
