import { EXIT } from '../../core/errors.js';
import { OWN_KINDS } from '../../core/plugins/plugin-kinds.js';
import { chooserFlag } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'check',
  summary: 'check a client, scenario, workload, pipelining mode or way of your own',

  define: (command) => void command.argument('<file>', 'your file, such as ./our-redis.js'),

  async run(_options, { stdout, env, process, tools }, file) {
    const { checkPlugin } = await import('../own-plugin.js');
    const { default: pico } = await import('picocolors');
    const colors = pico.createColors(tools.colorsWanted(stdout, env));
    const { result } = await tools.interruptible(process, (signal) => checkPlugin(file, { signal }));
    const { kind, id, client, checks } = result;
    for (const { title, failed } of checks) {
      const verdict = failed === null ? colors.green('ok  ') : colors.red('FAIL');
      stdout.write(
        `${verdict}  ${tools.printable(title)}${failed === null ? '' : `\n      ${tools.printable(failed)}`}\n`,
      );
    }
    const failures = checks.filter(({ failed }) => failed !== null).length;
    const by = client === id ? '' : `, with ${client} as the client`;
    stdout.write(
      failures === 0
        ? `\nAll ${checks.length} checks passed${by}: ${chooserFlag(OWN_KINDS[kind].kind)} ${file}\n`
        : `\n${failures} of ${checks.length} checks failed${by}.\n`,
    );
    return failures === 0 ? EXIT.done : EXIT.run;
  },
};
