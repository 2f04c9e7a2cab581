import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, UsageError } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { RECORD_OPTIONS } from '../options/command-tables.js';
import { readOptions } from '../options/read-options.js';
import { createLineSplitter, isSameFile } from '../read-file.js';
import { startRelayProcess } from '../runner/relay-process.js';
import { monitor } from '../server/control.js';
import { checkReachable, topologyOf } from '../server/reach.js';
import { externalTarget } from '../server/target.js';
import { ASSUMED } from '../traffic/assumed-replies.js';
import { recordMonitored } from '../traffic/monitored.js';
import { sizeOf } from '../traffic/profile-writer.js';
import { startRecording } from '../traffic/recording.js';

/** @import * as api from '../api.js' */
/** @import { RecordSettings } from '../options/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { EndReason, ProfileHeader, ProfileSource, RecordingState } from '../traffic/types.js' */
/** @import { Recorded, RecordEvent } from './types.js' */

/** @type {typeof api.record} */
export async function record(given = {}, hooks = {}) {
  const { signal = new AbortController().signal, onEvent = () => {}, urlOrigin } = hooks;
  /** @type {RecordSettings} */
  const settings = readOptions(RECORD_OPTIONS, given);
  checkTogether(settings);
  if (settings.from !== undefined) return recordText(settings.from, settings.output, headerOf('text'));
  const target = externalTarget(settings, urlOrigin);
  if (target === null) {
    throw new UsageError(
      "record needs the server that the service uses: expected --url redis://host:port, or --from with MONITOR's text",
    );
  }
  const run = { settings, target, signal, onEvent };
  return settings.monitor ? recordMonitor(run, headerOf('monitor')) : recordThrough(run);
}

/** @param {RecordSettings} settings @throws {UsageError} */
function checkTogether({ from, output, url, socket, monitor, listen, yes, forMs }) {
  const server = url ?? socket;
  if (from !== undefined) {
    if (isSameFile(from, output)) {
      throw new UsageError(`--output: expected another file than --from, but '${output}' is the text itself`);
    }
    const other =
      server !== undefined ? '--url' : monitor ? '--monitor' : listen ? '--listen' : forMs && '--for';
    if (other) throw new UsageError(`--from reads a file and ${other} a server; leave one of them out`);
  }
  if (monitor && listen !== undefined) {
    throw new UsageError('--monitor asks the server itself, so --listen has no effect; leave it out');
  }
  if (monitor && !yes) {
    throw new UsageError(
      "--monitor makes the server copy every command to us, which can halve its throughput (Redis's own figure), and " +
        'shows no replies; add --yes to accept that, or record without --monitor',
    );
  }
}

/** @param {ProfileSource} source @returns {ProfileHeader} */
const headerOf = (source) => ({
  type: 'profile',
  profileVersion: 1,
  tool: { name: 'redis-pipe-bench', version: describeTool().version },
  startedAt: new Date().toISOString(),
  source,
  replies: source === 'relay' ? 'seen' : 'assumed',
});

/**
 * @typedef {object} RecordRun
 * @property {RecordSettings} settings
 * @property {Target} target
 * @property {AbortSignal} signal
 * @property {(event: RecordEvent) => void} onEvent
 */

/** Records between a service and its server. @param {RecordRun} run @returns {Promise<Recorded>} */
async function recordThrough(run) {
  const { settings, target, onEvent } = run;
  await checkReachable(target);
  const ofCluster = (await topologyOf(target).catch(() => null)) === 'cluster';
  const { host, port, path, tls } = target;
  const job = {
    upstreams: [{ host, port, path, tls }],
    listen: settings.listen ?? { host: '127.0.0.1', port: 0 },
    recording: { file: settings.output, header: headerOf('relay') },
  };
  const relay = await startRelayProcess(job, null).catch((error) => {
    throw new UsageError(`--listen: expected an address that is free, but ${error.message}`);
  });
  let reported = false;
  try {
    onEvent({ type: 'listening', host: relay.host, port: relay.ports[0], ofCluster });
    const reason = await whileRecording(run, async () => {
      const state = await relay.state();
      onEvent({ type: 'progress', figures: state });
      if (state.ended !== null && !reported) {
        reported = true;
        onEvent({ type: 'stopped', reason: state.ended, failure: state.failure });
      }
      return true;
    });
    return recordedIn(settings.output, await relay.stop(reason));
  } finally {
    await relay.kill();
  }
}

/** A line of MONITOR holds a whole command. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;

/** @param {string} file of the profile @param {ProfileHeader} header */
function startMonitored(file, header) {
  let atUs = 0;
  /** @type {number | undefined} */
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

    /** Advances the clock while no lines arrive. */
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

/** @param {RecordRun} run @param {ProfileHeader} header @returns {Promise<Recorded>} */
async function recordMonitor(run, header) {
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
 * @param {string} from a MONITOR log @param {string} file @param {ProfileHeader} header @returns {Promise<Recorded>}
 */
async function recordText(from, file, header) {
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
 * Polls each second until the time is up or the user interrupts.
 * @param {Pick<RecordRun, 'settings' | 'signal'>} run @param {() => Promise<boolean>} look
 * @returns {Promise<EndReason>}
 */
async function whileRecording({ settings: { forMs = Number.POSITIVE_INFINITY }, signal }, look) {
  const endMs = performance.now() + forMs;
  for (let leftMs = forMs; leftMs > 0 && !signal.aborted; leftMs = endMs - performance.now()) {
    await sleep(Math.min(EVERY_MS, leftMs), undefined, { signal }).catch(() => {});
    if (!(await look())) break;
  }
  return signal.aborted ? 'interrupted' : 'time';
}

/**
 * @param {string} file @param {RecordingState & {open?: number}} state @param {Recorded['assumed']} [assumed]
 * @returns {Recorded}
 */
function recordedIn(file, { open: _, failure, ended, ...figures }, assumed = null) {
  return { file, reason: ended ?? 'time', failure, figures, bytes: sizeOf(file), assumed };
}
