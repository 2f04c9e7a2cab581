import { rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { messageOf, RunError } from '../errors.js';
import { run } from '../process/spawn.js';
import { createPrivateFolder } from '../server/private-folder.js';

const require = createRequire(import.meta.url);

/**
 * A client's library and all that it loads in one file, as programs are deployed to functions in the cloud.
 * @param {string} entry of the library @param {AbortSignal} signal
 * @returns {Promise<{file: string, bytes: number, remove: () => Promise<void>}>} @throws {RunError} with what cannot be bundled
 */
export async function bundled(entry, signal) {
  const folder = await createPrivateFolder();
  const file = join(folder, 'library.cjs');
  const remove = () => rm(folder, { recursive: true });
  const options = ['--bundle', '--platform=node', '--log-level=error', '--color=false', `--outfile=${file}`];
  try {
    await run(require.resolve('esbuild/bin/esbuild'), [entry, ...options], { signal });
    return { file, bytes: (await stat(file)).size, remove };
  } catch (error) {
    await remove();
    const [, reason = messageOf(error)] = /\[ERROR\] (.*)/.exec(/** @type {any} */ (error).stderr) ?? [];
    throw new RunError(`esbuild cannot bundle it: ${reason}`);
  }
}
