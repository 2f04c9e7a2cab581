import { UsageError } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { RECORD_OPTIONS } from '../options/command-tables.js';
import { readOptions } from '../options/read-options.js';
import { isSameFile } from '../read-file.js';
import { startRelayProcess } from '../runner/relay-process.js';
import { checkReachable, topologyOf } from '../server/reach.js';
import { externalTarget } from '../server/target.js';
import { recordedIn, recordMonitor, recordText, whileRecording } from './record-monitor.js';

/** @import * as api from '../api.js' */
/** @import { RecordSettings } from '../options/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { ProfileHeader, ProfileSource } from '../traffic/types.js' */
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

/** The relay between a service and its server. @param {RecordRun} run @returns {Promise<Recorded>} */
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
