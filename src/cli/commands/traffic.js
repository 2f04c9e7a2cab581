import { EXIT } from '../../core/errors.js';
import { printableDeep } from '../../core/report/escaped.js';
import { RECORD_OPTIONS } from '../../options/option-table.js';
import { withEnvironment } from '../../options/read.js';
import { FLAGS } from '../flags.js';
import { interruptible } from '../interrupt.js';
import { addOptions, formatOption, outputOption, quietOption } from '../options.js';
import { checkWritable, printData, viewOf } from '../output.js';
import { createRecordProgress } from '../record-progress.js';

/** @import { CommandPart } from '../types.js' */

/** @type {CommandPart} */
export const record = {
  define: (command) => void addOptions(command, RECORD_OPTIONS).addOption(quietOption()),

  async run({ quiet, ...given }, { say, ...context }) {
    const { record } = await import('../../traffic/record.js');
    const { recordedText } = await import('../../traffic/record-words.js');
    checkWritable(given.output ?? RECORD_OPTIONS.output.default);
    const { options, urlOrigin } = withEnvironment(given, context.env);
    const progress = createRecordProgress({ ...context, quiet: Boolean(quiet) });
    const { result: recorded, interrupted } = await interruptible(
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

/** @type {CommandPart} */
export const profile = {
  define: (command) =>
    void command
      .argument('<file>', "a profile that 'record' has written")
      .addOption(formatOption(['table', 'html', 'markdown', 'json'], 'how it is printed'))
      .addOption(outputOption())
      .option(FLAGS.details.flag, 'all commands, and what a replay sends'),

  async run({ format, output, details }, { stdout, env }, file) {
    const { describeProfile } = await import('../../benchmark/describe-profile.js');
    if (output !== undefined) checkWritable(output, { reads: [file] });
    const summary = printableDeep(await describeProfile(file));
    const { printed } = await import('../render.js');
    const { trafficReport } = await import('../../traffic/traffic-report.js');
    await printData(summary, { format, output }, stdout, () =>
      printed(trafficReport(summary), format, { ...viewOf({ output }, { stdout, env }), details }),
    );
  },
};
