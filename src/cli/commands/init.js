import { OWN_KINDS } from '../../core/plugins/plugin-kinds.js';
import { chooserFlag } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'init',
  summary: 'write a template for a client, scenario, workload, pipelining mode or way of your own',

  define(command) {
    command
      .argument('<kind>', Object.keys(OWN_KINDS).join(', '))
      .argument('<file>', 'where to write it, such as our-redis.js; an existing file is never overwritten');
  },

  async run(_options, { stdout }, kind, file) {
    const { initPlugin } = await import('../own-plugin.js');
    await initPlugin(/** @type {any} */ (kind), file);
    const path = /^[./\\]/.test(file) ? file : `./${file}`;
    const { kind: plugins, noun, besides } = OWN_KINDS[/** @type {keyof typeof OWN_KINDS} */ (kind)];
    stdout.write(
      `${file} is a ${noun} that works as it is; its comments say what to change.\n` +
        `  redis-pipe-bench check ${path}\n` +
        `  redis-pipe-bench ${chooserFlag(plugins)} ${path},${besides}\n`,
    );
  },
};
