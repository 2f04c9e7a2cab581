import { EXIT } from '../../core/errors.js';
import { RECORD_OPTIONS } from '../../options/command-tables.js';
import { withEnvironment } from '../../options/read-options.js';
import { addOptions, quietOption } from '../options.js';

/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'record',
  summary: 'record what a service sends to Redis: shapes and times, never contents',

  define: (command) => void addOptions(command, RECORD_OPTIONS).addOption(quietOption()),

  async run({ quiet, ...given }, { tools, say, ...context }) {
    const { record } = await import('../../traffic/record.js');
    const { recordedText } = await import('../../traffic/record-words.js');
    tools.checkWritable(given.output ?? RECORD_OPTIONS.output.default);
    const { options, urlOrigin } = withEnvironment(given, context.env);
    const progress = tools.createRecordProgress({ ...context, quiet: Boolean(quiet) });
    const { result: recorded, interrupted } = await tools.interruptible(
      context.process,
      (signal) => record(options, { signal, onEvent: progress.onEvent, urlOrigin }),
      progress,
    );
    for (const line of recordedText(recorded)) say(line);
    if (recorded.failure !== null) return EXIT.run;
    // Without --for, an interrupt is the normal end.
    return interrupted && given.forMs !== undefined ? EXIT.interrupted : EXIT.done;
  },
};
