import { EXIT } from '../../core/errors.js';
import { OWN_KINDS } from '../../core/plugins/plugin-kinds.js';
import { printable } from '../../core/report/escaped.js';
import { interruptible } from '../interrupt.js';
import { chooserFlag } from '../options.js';
import { colorsWanted } from '../terminal.js';

/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const init = {
  define(command) {
    command
      .argument('<kind>', Object.keys(OWN_KINDS).join(', '))
      .argument('<file>', 'where to write it, such as our-redis.js; an existing file is never overwritten');
  },

  async run(_options, { stdout }, kind, file) {
    const { initPlugin } = await import('../own-plugin.js');
    await initPlugin(kind, file);
    const path = /^[./\\]/.test(file) ? file : `./${file}`;
    const { kind: plugins, besides } = OWN_KINDS[kind];
    stdout.write(
      `${file} is a ${kind} that works as it is; its comments say what to change.\n` +
        `  redis-pipe-bench check ${path}\n` +
        `  redis-pipe-bench ${chooserFlag(plugins)} ${path},${besides}\n`,
    );
  },
};

/** @type {CommandPart} */
export const check = {
  define: (command) => void command.argument('<file>', 'your file, such as ./our-redis.js'),

  async run(_options, { stdout, env, process }, file) {
    const { checkPlugin } = await import('../own-plugin.js');
    const { default: pico } = await import('picocolors');
    const colors = pico.createColors(colorsWanted(stdout, env));
    const { result } = await interruptible(process, (signal) => checkPlugin(file, { signal }));
    const { kind, id, client, checks } = result;
    for (const { title, failed } of checks) {
      const verdict = failed === null ? colors.green('ok  ') : colors.red('FAIL');
      stdout.write(
        `${verdict}  ${printable(title)}${failed === null ? '' : `\n      ${printable(failed)}`}\n`,
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
