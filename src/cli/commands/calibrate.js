import { CALIBRATE_OPTIONS, calibrate, EXIT, withEnvironment } from '../../index.js';
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

  async run({ format, quiet, ...given }, { stdout, stderr, env, process }) {
    const { interruptible, interruptNote, printData, sayOn } = await import('../toolbox.js');
    const { options, urlOrigin } = withEnvironment(given, env);
    const say = quiet ? () => {} : sayOn(stderr);
    const { result: calibration, interrupted } = await interruptible(
      process,
      (signal) =>
        calibrate(options, {
          signal,
          urlOrigin,
          onShape: ({ transport, connections, depth }, done, total) =>
            say(`${done + 1} of ${total}: ${transport}, ${connections} × ${depth}`),
        }),
      { interrupted: (signal) => say(interruptNote(signal)) },
    );
    const { ceilingTable } = await import('../../report/tables/ceiling-table.js');
    await printData(calibration, { format }, stdout, ceilingTable);
    return interrupted ? EXIT.interrupted : EXIT.done;
  },
};
