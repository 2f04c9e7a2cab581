import { EXIT } from '../../core/errors.js';
import { CALIBRATE_OPTIONS } from '../../options/command-tables.js';
import { withEnvironment } from '../../options/read-options.js';
import { addOptions, formatOption, quietOption } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'calibrate',
  summary: 'measure how fast this machine can go, with a bare loop instead of a client',

  define(command) {
    addOptions(command, CALIBRATE_OPTIONS)
      .addOption(formatOption(['table', 'json'], 'how results are printed'))
      .addOption(quietOption());
  },

  async run({ format, quiet, ...given }, { stdout, env, process, tools, say }) {
    const { calibrate } = await import('../calibrate.js');
    const { options, urlOrigin } = withEnvironment(given, env);
    const tell = quiet ? () => {} : say;
    const { result: calibration, interrupted } = await tools.interruptible(
      process,
      (signal) =>
        calibrate(options, {
          signal,
          urlOrigin,
          onShape: ({ transport, connections, depth }, done, total) =>
            tell(`${done + 1} of ${total}: ${transport}, ${connections} × ${depth}`),
        }),
      { interrupted: (signal) => tell(tools.interruptNote(signal)) },
    );
    const { ceilingTable } = await import('../../benchmark/report/tables/ceiling-table.js');
    await tools.printData(calibration, { format }, stdout, ceilingTable);
    return interrupted ? EXIT.interrupted : EXIT.done;
  },
};
