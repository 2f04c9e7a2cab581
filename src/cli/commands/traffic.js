import { EXIT } from '../../errors.js';
import { RECORD_OPTIONS } from '../../options/option-table.js';
import { withEnvironment } from '../../options/read.js';
import { count, duration, whole } from '../../report/figures.js';
import { interruptible, interruptNote } from '../interrupt.js';
import { addOptions, addPrinting, quietOption } from '../options.js';
import { checkWritable, printFound, viewOf } from '../output.js';
import { createLastLines } from '../terminal.js';

/** @import { RecordEvent } from '../../commands/traffic/record.js' */
/** @import { RelayRecording } from '../../commands/traffic/types.js' */
/** @import { CommandPart, World } from '../types.js' */

/** @type {CommandPart} */
export const record = {
  define: (command) => void addOptions(command, RECORD_OPTIONS).addOption(quietOption()),

  async run({ quiet, ...given }, context) {
    const { stderr, env } = context;
    const { record, recordedReport } = await import('../../commands/traffic/record.js');
    checkWritable(given.output ?? RECORD_OPTIONS.output.default, { grows: true });
    const { options, urlOrigin } = withEnvironment(given, env);
    const progress = createRecordProgress({ stderr, quiet: Boolean(quiet) });
    const { result: recorded, interrupted } = await interruptible(
      context.process,
      (signal) => record(options, { signal, onEvent: progress.onEvent, urlOrigin }),
      progress,
    );
    const { printed } = await import('../render.js');
    const report = recordedReport(recorded);
    const view = viewOf({}, stderr);
    stderr.rendered(await printed(report, 'table', view));
    if (recorded.failure !== null) return EXIT.run;
    if (recorded.figures.commands > 0) {
      const [{ describeProfile }, { trafficReport }] = await Promise.all([
        import('../../commands/traffic/describe-profile.js'),
        import('../../commands/traffic/traffic-report.js'),
      ]);
      const summary = await describeProfile(recorded.file);
      stderr.rendered(`\n${await printed(trafficReport(summary), 'table', view)}`);
    }
    // Without --for, an interrupt is the normal end.
    return interrupted && given.forMs !== undefined ? EXIT.interrupted : EXIT.done;
  },
};

/** Seconds between lines where they cannot be redrawn. */
const EVERY = 10;

/** Redrawn each second on a terminal. @param {Pick<World, 'stderr'> & {quiet: boolean}} world */
function createRecordProgress({ stderr, quiet }) {
  const line = createLastLines(stderr, quiet);
  let ticks = 0;
  return {
    /** @param {RecordEvent} event */
    onEvent(event) {
      if (event.type === 'listening') line.say(...listeningLines(event));
      if (event.type === 'stopped') line.say(stoppedText(event));
      if (event.type !== 'progress' || quiet) return;
      if (line.redraws) line.show([], progressText(event.figures));
      else if (++ticks % EVERY === 0) line.say(progressText(event.figures));
    },
    /** @param {string} signal */
    interrupted: (signal) => line.say(interruptNote(signal)),
    end: line.clear,
  };
}

/** @param {RelayRecording} figures */
function progressText({ atUs, commands, open, unparsed }) {
  const lost = unparsed > 0 ? `, ${count(unparsed, 'connection')} not parsed` : '';
  const rate = `${whole(commands / (Math.max(1, atUs) / 1e6))}/s on average`;
  return `${duration(Math.max(1, atUs))}: ${count(commands, 'command')}, ${rate}, ${count(open, 'connection')}${lost}`;
}

const OF_CLUSTER =
  "warning: this server is a node of a cluster, and a cluster's client asks it for the nodes' own addresses and then goes past " +
  'the relay';

/** @param {{host: string, port: number, ofCluster: boolean}} listening @returns {string[]} */
function listeningLines({ host, port, ofCluster }) {
  const where = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const isLocal = /^127\.|^::1$/.test(host);
  const lines = [
    `listening on ${where}: point the service's Redis URL there (redis://${where}), with the user and password that it has now`,
  ];
  if (!isLocal) lines.push(`warning: every client that reaches ${where} reaches that server through it`);
  if (ofCluster) lines.push(OF_CLUSTER);
  return lines;
}

/** @param {{reason: string, failure: string | null}} stopped */
const stoppedText = ({ reason, failure }) =>
  failure === null
    ? `the recording has ended (${reason}): it is as long as a profile can be; the relay goes on until Ctrl-C`
    : `the recording has stopped, because the profile cannot be written: ${failure}; the relay goes on until Ctrl-C`;

/** @type {CommandPart} */
export const profile = {
  define: (command) =>
    void addPrinting(command, { details: 'all commands, and what a replay sends' }).argument(
      '<file>',
      "a profile that 'record' has written",
    ),

  async run({ format, output, details }, context, file) {
    const { describeProfile } = await import('../../commands/traffic/describe-profile.js');
    const { trafficReport } = await import('../../commands/traffic/traffic-report.js');
    checkWritable(output, { reads: [file] });
    await printFound(await describeProfile(file), { format, output, details }, context, trafficReport);
  },
};
