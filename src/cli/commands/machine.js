import { EXIT } from '../../core/errors.js';
import { count } from '../../core/numbers.js';
import { printableDeep } from '../../core/report/escaped.js';
import { CALIBRATE_OPTIONS, OPTIONS, SERVER_OPTIONS } from '../../options/option-table.js';
import { withEnvironment } from '../../options/read.js';
import { interruptible } from '../interrupt.js';
import { addOptions, formatOption, quietOption } from '../options.js';
import { printData } from '../output.js';
import { interruptNote } from '../progress.js';
import { colorsWanted } from '../terminal.js';

/** @import { Swept } from '../../core/server/types.js' */
/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const doctor = {
  define: (command) => void addOptions(command, { ...SERVER_OPTIONS, serverBin: OPTIONS.serverBin }),

  async run(given, { stdout, env }) {
    const { doctor } = await import('../doctor.js');
    const { default: pico } = await import('picocolors');
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
  },
};

/** @type {CommandPart} */
export const calibrate = {
  define(command) {
    addOptions(command, CALIBRATE_OPTIONS)
      .addOption(formatOption(['table', 'json'], 'how results are printed'))
      .addOption(quietOption());
  },

  async run({ format, quiet, ...given }, { stdout, env, process, say }) {
    const { calibrate } = await import('../calibrate.js');
    const { options, urlOrigin } = withEnvironment(given, env);
    const tell = quiet ? () => {} : say;
    const { result: calibration, interrupted } = await interruptible(
      process,
      (signal) =>
        calibrate(options, {
          signal,
          urlOrigin,
          onShape: ({ transport, connections, depth }, done, total) =>
            tell(`${done + 1} of ${total}: ${transport}, ${connections} × ${depth}`),
        }),
      { interrupted: (signal) => tell(interruptNote(signal)) },
    );
    const { ceilingTable } = await import('../../benchmark/report/tables/ceiling-table.js');
    await printData(calibration, { format }, stdout, ceilingTable);
    return interrupted ? EXIT.interrupted : EXIT.done;
  },
};

/** @type {CommandPart} */
export const clean = {
  define: (command) =>
    void addOptions(command, SERVER_OPTIONS).option(
      '--prefix <prefix>',
      'remove these keys too, which another machine or user stored: rpb:1a2b',
    ),

  async run(given, { stdout, env }) {
    const { clean } = await import('../clean.js');
    const { options, urlOrigin } = withEnvironment(given, env);
    const { server, swept, unknown } = await clean(options, { urlOrigin });
    const lines = swept.map(lineOf);
    for (const { prefix, keys } of unknown) {
      lines.push(
        `${prefix}: ${count(keys, 'key')} of a benchmark that this machine does not remember; if it is no longer running, ` +
          `--prefix ${prefix} removes them`,
      );
    }
    stdout.write(
      lines.length === 0 ? `no keys of this tool are left on ${server}\n` : `${lines.join('\n')}\n`,
    );
    return swept.some(({ failure }) => failure !== null) ? EXIT.server : EXIT.done;
  },
};

/** @param {Swept} swept */
function lineOf({ prefix, at, inUse, removed, failure }) {
  if (inUse)
    return `${prefix}: left alone, because the benchmark that stores these keys may still be running`;
  if (failure !== null) return `${prefix}: the keys could not be removed: ${failure}`;
  return `${prefix}: removed ${count(removed, 'key')}${at === null ? '' : ` of a benchmark of ${at.slice(0, 16).replace('T', ' ')}`}`;
}
