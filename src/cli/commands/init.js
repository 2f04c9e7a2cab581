import { EXIT, initPlugin } from '../../index.js';
import { OWN_PLUGINS } from '../own-plugins.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'init',
  summary: 'writes the start of a client, scenario, workload or pipelining mode of your own',

  define(command) {
    command
      .argument('<kind>', Object.keys(OWN_PLUGINS).join(', '))
      .argument('<file>', 'where it is written, such as our-redis.js; never over a file that is there');
  },

  async run(_options, { stdout }, kind, file) {
    await initPlugin(/** @type {any} */ (kind), file);
    const path = /^[./\\]/.test(file) ? file : `./${file}`;
    const { option, beside } = OWN_PLUGINS[/** @type {keyof typeof OWN_PLUGINS} */ (kind)];
    stdout.write(
      `${file} is a ${kind === 'pipelining' ? 'pipelining mode' : kind} that works as it is; its comments say what to change.\n` +
        `  redis-pipe-bench check ${path}\n` +
        `  redis-pipe-bench ${option} ${path},${beside}\n`,
    );
    return EXIT.done;
  },
};
