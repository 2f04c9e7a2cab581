import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, UsageError } from '../errors.js';
import { createLineSplitter } from '../read-file.js';
import { monitor } from '../server/control.js';
import { ASSUMPTIONS } from '../traffic/assumed-replies.js';
import { recordMonitored } from '../traffic/monitored.js';
import { sizeOf } from '../traffic/profile-writer.js';
import { startRecording } from '../traffic/recording.js';

/** @import { EndReason, ProfileHeader } from '../traffic/types.js' */
/** @import { RecordRun } from './record.js' */
/** @import { Recorded } from './types.js' */

/** A line of MONITOR holds a whole command. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;
const EVERY_MS = 1000;

/** @param {string} file the profile @param {ProfileHeader} header */
function startMonitored(file, header) {
  let atUs = 0;
  /** @type {number | undefined} when the first line came */
  let firstMs;
  /** @type {string | null} */
  let failure = null;
  /** @type {EndReason | null} why no more can be recorded */
  let ended = null;
  const recording = startRecording({
    file,
    header,
    nowUs: () => atUs,
    onFailure(message) {
      failure = message;
      ended = 'full';
    },
    onMost(reason) {
      ended = reason;
    },
  });
  const { line } = recordMonitored(recording.recording, (us) => {
    firstMs ??= performance.now();
    atUs = us;
  });
  return {
    /** @param {string} text */
    line(text) {
      if (ended === null) line(text);
    },
    ended: () => ended,

    /** Nothing has come since the last line until now. */
    passTime() {
      if (firstMs !== undefined) atUs = Math.max(atUs, Math.round((performance.now() - firstMs) * 1000));
    },

    figures: recording.figures,

    /** @param {EndReason} reason @returns {Promise<Recorded>} */
    async end(reason) {
      await recording.end(ended ?? reason);
      return {
        file,
        reason: ended ?? reason,
        failure,
        figures: recording.figures(),
        bytes: sizeOf(file),
        assumed: ASSUMPTIONS,
      };
    },
  };
}

/**
 * Records what a server says of its commands.
 * @param {RecordRun} run @param {ProfileHeader} header @returns {Promise<Recorded>}
 */
export async function recordMonitor({ settings, target, signal, onEvent }, header) {
  const monitored = startMonitored(settings.output, header);
  const link = await monitor(target, monitored.line);
  onEvent({ type: 'monitoring' });
  const endMs = performance.now() + (settings.forMs ?? Number.POSITIVE_INFINITY);
  try {
    for (let leftMs = endMs - performance.now(); leftMs > 0; leftMs = endMs - performance.now()) {
      await sleep(Math.min(EVERY_MS, leftMs), undefined, { signal }).catch(() => {});
      if (signal.aborted || monitored.ended() !== null) break;
      if (link.lost() !== null) throw link.lost();
      onEvent({ type: 'progress', figures: { ...monitored.figures(), open: 0 } });
    }
  } finally {
    link.close();
  }
  monitored.passTime();
  return monitored.end(signal.aborted ? 'interrupted' : 'time');
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
      if (monitored.ended() !== null) break;
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
