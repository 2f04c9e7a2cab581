import { doctor, EXIT, OPTIONS, withEnvironment } from '../../index.js';
import { addOptions } from '../options.js';

/** @import { CliCommand } from '../types.js' */

const { url, socket, tlsCa, tlsCert, tlsKey, tlsInsecure, serverBin } = OPTIONS;
const SERVER_OPTIONS = { url, socket, tlsCa, tlsCert, tlsKey, tlsInsecure, serverBin };

/** @type {CliCommand} */
export default {
  name: 'doctor',
  summary: 'check what makes figures unreliable on this machine, and what to do',

  define: (command) => void addOptions(command, SERVER_OPTIONS),

  async run(given, { stdout, env }) {
    const { colorsWanted } = await import('../toolbox.js');
    const { default: pico } = await import('picocolors');
    const { printableDeep } = await import('../../report/words/escaped.js');
    const colors = pico.createColors(colorsWanted(stdout, env));
    const { options, urlOrigin } = withEnvironment(given, env);
    const findings = printableDeep(await doctor(options, { urlOrigin }));
    const width = Math.max(...findings.map(({ title }) => title.length));
    for (const { title, found, ok, advice } of findings) {
      stdout.write(
        `${ok ? colors.green('ok  ') : colors.yellow('warn')}  ${title.padEnd(width)}  ${found}\n`,
      );
      if (advice !== null) stdout.write(`${' '.repeat(width + 8)}→ ${advice}\n`);
    }
    return EXIT.done;
  },
};
