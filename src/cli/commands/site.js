import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, messageOf, RunError, site } from '../../index.js';
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

  async run({ output, quiet }, { stderr }, folder) {
    const { sayOn } = await import('../toolbox.js');
    const pages = Object.entries(await site(folder));
    try {
      await mkdir(output, { recursive: true });
      for (const [name, text] of pages) await writeFile(join(output, name), text);
    } catch (error) {
      throw new RunError(`the pages could not be written to '${output}': ${messageOf(error)}`);
    }
    if (!quiet) sayOn(stderr)(`${pages.length} pages written; open ${join(output, 'index.html')}`);
    return EXIT.done;
  },
};
