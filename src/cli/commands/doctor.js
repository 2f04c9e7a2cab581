import { SERVER_OPTIONS } from '../../options/command-tables.js';
import { OPTIONS } from '../../options/option-table.js';
import { withEnvironment } from '../../options/read-options.js';
import { addOptions } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'doctor',
  summary: 'check what makes figures unreliable on this machine, and what to do',

  define: (command) => void addOptions(command, { ...SERVER_OPTIONS, serverBin: OPTIONS.serverBin }),

  async run(given, { stdout, env, tools }) {
    const { doctor } = await import('../doctor.js');
    const { default: pico } = await import('picocolors');
    const colors = pico.createColors(tools.colorsWanted(stdout, env));
    const { options, urlOrigin } = withEnvironment(given, env);
    const findings = tools.printableDeep(await doctor(options, { urlOrigin }));
    const width = Math.max(...findings.map(({ title }) => title.length));
    for (const { title, found, ok, advice } of findings) {
      stdout.write(
        `${ok ? colors.green('ok  ') : colors.yellow('warn')}  ${title.padEnd(width)}  ${found}\n`,
      );
      if (advice !== null) stdout.write(`${' '.repeat(width + 8)}→ ${advice}\n`);
    }
  },
};
