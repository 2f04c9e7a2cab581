import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, UsageError } from '../errors.js';
import { createLineSplitter } from '../read-file.js';
import { monitor } from '../server/control.js';
import { ASSUMED } from '../traffic/assumed-replies.js';
import { recordMonitored } from '../traffic/monitored.js';
import { sizeOf } from '../traffic/profile-writer.js';
import { startRecording } from '../traffic/recording.js';

/** @import { EndReason, ProfileHeader, RecordingState } from '../traffic/types.js' */
/** @import { RecordRun } from './record.js' */
/** @import { Recorded } from './types.js' */

/** A line of MONITOR holds a whole command. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;

/** @param {string} file the profile @param {ProfileHeader} header */
function startMonitored(file, header) {
  let atUs = 0;
  /** @type {number | undefined} when the first line came */
  let firstMs;
  const { recording, state, end } = startRecording({ file, header, nowUs: () => atUs });
  const { line } = recordMonitored(recording, (us) => {
    firstMs ??= performance.now();
    atUs = us;
  });
  return {
    line,
    state,
    isOver: recording.isOver,

    /** Nothing has come since the last line until now. */
    passTime() {
      if (firstMs !== undefined) atUs = Math.max(atUs, Math.round((performance.now() - firstMs) * 1000));
    },

    /** @param {EndReason} reason */
    async end(reason) {
      await end(reason);
      return recordedIn(file, state(), ASSUMED);
    },
  };
}

/**
 * Records what a server says of its commands.
 * @param {RecordRun} run @param {ProfileHeader} header @returns {Promise<Recorded>}
 */
export async function recordMonitor(run, header) {
  const { settings, target, signal, onEvent } = run;
  const monitored = startMonitored(settings.output, header);
  const link = await monitor(target, monitored.line);
  onEvent({ type: 'monitoring' });
  try {
    const reason = await whileRecording(run, async () => {
      if (signal.aborted || monitored.isOver()) return false;
      if (link.lost() !== null) throw link.lost();
      onEvent({ type: 'progress', figures: { ...monitored.state(), open: 0 } });
      return true;
    });
    monitored.passTime();
    return await monitored.end(reason);
  } finally {
    link.close();
  }
}

/**
 * Records a text of MONITOR.
 * @param {string} from @param {string} file @param {ProfileHeader} header @returns {Promise<Recorded>}
 * @throws {UsageError} when it cannot be read, or holds no such line
 */
export async function recordText(from, file, header) {
  const monitored = startMonitored(file, header);
  const splitter = createLineSplitter(LONGEST_LINE_BYTES, {
    onLine: (line) => monitored.line(line.toString('latin1').replace(/\r$/, '')),
    onTooLong: () => monitored.line('too long'),
  });
  try {
    for await (const chunk of createReadStream(from)) {
      splitter.take(chunk);
      if (monitored.isOver()) break;
    }
  } catch (error) {
    throw new UsageError(
      `--from: expected a text of MONITOR, but '${from}' cannot be read: ${messageOf(error)}`,
    );
  }
  splitter.end();
  const recorded = await monitored.end('input');
  if (recorded.figures.commands > 0) return recorded;
  throw new UsageError(
    `--from: expected lines such as '1339518083.107412 [0 127.0.0.1:60866] "GET" "key"', but '${from}' holds none`,
  );
}

const EVERY_MS = 1000;

/**
 * Looks each second until the time is over or the user interrupts.
 * @param {Pick<RecordRun, 'settings' | 'signal'>} run
 * @param {() => Promise<boolean>} look whether to go on @returns {Promise<EndReason>}
 */
export async function whileRecording({ settings: { forMs = Number.POSITIVE_INFINITY }, signal }, look) {
  const endMs = performance.now() + forMs;
  for (let leftMs = forMs; leftMs > 0 && !signal.aborted; leftMs = endMs - performance.now()) {
    await sleep(Math.min(EVERY_MS, leftMs), undefined, { signal }).catch(() => {});
    if (!(await look())) break;
  }
  return signal.aborted ? 'interrupted' : 'time';
}

/**
 * @param {string} file @param {RecordingState & {open?: number}} state of a recording that has ended
 * @param {Recorded['assumed']} [assumed] of replies @returns {Recorded}
 */
export function recordedIn(file, { open: _, failure, ended, ...figures }, assumed = null) {
  return { file, reason: ended ?? 'time', failure, figures, bytes: sizeOf(file), assumed };
}
