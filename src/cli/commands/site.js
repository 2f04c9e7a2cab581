import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, RunError, site } from '../../index.js';
import { quietOption } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'site',
  summary: 'make pages of a folder of results: each client by release, and side by side',

  define: (command) =>
    void command
      .argument('<folder>', "with saved results, as 'releases' or --save keep them")
      .option('--output <folder>', 'where the pages are written', 'site')
      .addOption(quietOption()),

  async run({ output, quiet }, { say }, folder) {
    const made = await site(folder);
    const pages = Object.entries(made);
    try {
      await mkdir(output, { recursive: true });
      for (const [name, text] of pages) await writeFile(join(output, name), text);
      for (const name of await readdir(output))
        if (!Object.hasOwn(made, name) && (await isOurs(name, output))) await rm(join(output, name));
    } catch (error) {
      throw new RunError(`the pages could not be written to '${output}': ${messageOf(error)}`);
    }
    if (!quiet) say(`${pages.length} pages written; open ${join(output, 'index.html')}`);
  },
};

/** @param {string} name @param {string} folder @returns {Promise<boolean>} whether an earlier run wrote this page */
const isOurs = async (name, folder) =>
  /^client-[a-z0-9-]+(_\d+)?\.html$/.test(name) &&
  / – redis-pipe-bench<\/title>/.test(await readFile(join(folder, name), 'utf8'));
