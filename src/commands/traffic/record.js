import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../errors.js';
import { describeTool } from '../../machine/environment.js';
import { RECORD_OPTIONS } from '../../options/option-table.js';
import { readOptions } from '../../options/read.js';
import { lockFile } from '../../process/lock-file.js';
import { count, duration, said, whole } from '../../report/figures.js';
import { startRelayProcess } from '../../run/distant-server.js';
import { checkReachable, topologyOf } from '../../server/reach.js';
import { externalTarget } from '../../server/target.js';
import { PROFILE_VERSION } from './format.js';

/** @import { RecordSettings } from '../../options/types.js' */
/** @import { Report } from '../../report/types.js' */
/** @import { EndReason, ProfileHeader, RelayRecording } from './types.js' */

const RECORDING = {
  does: 'records the traffic',
  entry: new URL('./recording-entry.js', import.meta.url),
};
const EVERY_MS = 1000;

/**
 * Records the traffic of a service as a profile: shapes, never contents. The service connects to this proxy, which listens
 * until `signal` aborts or its time is up.
 * @param {Record<string, unknown>} [given] as on the command line or as parsed values
 * @param {{signal?: AbortSignal, onEvent?: (event: RecordEvent) => void, urlOrigin?: string}} [hooks]
 * @typedef {{type: 'listening', host: string, port: number, ofCluster: boolean}
 *   | {type: 'progress', figures: RelayRecording}
 *   | {type: 'stopped', reason: EndReason, failure: string | null}} RecordEvent `ofCluster`: the server is a cluster node, as
 *   far as it reports without the service's password; `stopped`: the relay goes on
 * @typedef {Awaited<ReturnType<typeof record>>} Recorded `failure`: why the profile is incomplete
 * @throws {UsageError | ServerError} when it cannot start
 */
export async function record(given = {}, hooks = {}) {
  const { signal = new AbortController().signal, onEvent = () => {}, urlOrigin } = hooks;
  /** @type {RecordSettings} */
  const settings = readOptions(RECORD_OPTIONS, given);
  const { output: file, listen, forMs = Number.POSITIVE_INFINITY } = settings;
  const target = externalTarget(settings, urlOrigin);
  if (target === null) {
    throw new UsageError('record needs the server that the service uses: expected --url redis://host:port');
  }
  await checkReachable(target);
  const ofCluster = (await topologyOf(target).catch(() => null)) === 'cluster';
  const { host, port, path, tls } = target;
  /** @type {ProfileHeader} */
  const header = {
    type: 'profile',
    profileVersion: PROFILE_VERSION,
    tool: { name: 'redis-pipe-bench', version: describeTool().version },
    startedAt: new Date().toISOString(),
  };
  const job = {
    upstreams: [{ host, port, path, tls }],
    listen: listen ?? { host: '127.0.0.1', port: 0 },
    recording: { file, header },
  };
  const unlock = lockFile(file, '--output');
  const relay = await startRelayProcess(job, null, RECORDING).catch((error) => {
    unlock();
    throw new UsageError(`--listen: expected an address that is free, but ${error.message}`);
  });
  let reported = false;
  try {
    onEvent({ type: 'listening', host: relay.host, port: relay.ports[0], ofCluster });
    const endMs = performance.now() + forMs;
    for (let leftMs = forMs; leftMs > 0 && !signal.aborted; leftMs = endMs - performance.now()) {
      await sleep(Math.min(EVERY_MS, leftMs), undefined, { signal }).catch(() => {});
      const state = await relay.call('state');
      onEvent({ type: 'progress', figures: state });
      if (state.ended === null || reported) continue;
      reported = true;
      onEvent({ type: 'stopped', reason: state.ended, failure: state.failure });
    }
    /** @type {RelayRecording} */
    const recording = await relay.call('stop', signal.aborted ? 'interrupted' : 'time');
    const { open: _, failure, ended, ...figures } = recording;
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return { file, reason: ended ?? 'time', failure, figures, bytes };
  } finally {
    await relay.kill();
    unlock();
  }
}

/** @type {(recorded: Recorded) => Report} */
export function recordedReport({ file, failure, figures, bytes }) {
  const { commands, connections, atUs, unparsed, dropped } = figures;
  const each = commands > 0 ? `, ${Number((bytes / commands).toPrecision(2))} bytes per command` : '';
  const remarks = said([
    failure !== null && `the profile is incomplete: ${failure}`,
    unparsed > 0 &&
      `${count(unparsed, 'connection')} passed unread after something other than commands and replies (MONITOR, SYNC, CLIENT REPLY, no RESP)`,
    dropped > 0 && `commands missing, because the disk was too slow: ${whole(dropped)}`,
  ]);
  return {
    title: `recorded ${count(commands, 'command')} of ${count(connections, 'connection')} in ${duration(Math.max(1, atUs))} to ${file} (${whole(bytes)} bytes${each})`,
    facts: commands > 0 ? [`'redis-pipe-bench profile ${file} --details' prints this again, and more`] : [],
    sections: [],
    remarks: remarks.map((text) => ({ text, inShort: text })),
    verdicts: [],
  };
}
